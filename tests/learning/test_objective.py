"""What a heuristic is trained for: searches by name, and their costs."""

from __future__ import annotations

import pytest

from phil.errors import InputError
from phil.heuristics.registry import load_heuristic
from phil.learning.objective import SEARCHES, Objective, canonical_search
from phil.search import ASTAR, GREEDY, search
from tests.learning.small import grid_problems


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("greedy", "greedy"),
        (" astar ", "astar"),
        ("wastar", "wastar(2)"),
        ("wastar(1.5)", "wastar(1.5)"),
        ("bounded( 1.20 )", "bounded(1.2)"),
    ],
)
def test_a_search_is_written_in_full(text: str, full: str) -> None:
    assert canonical_search(text) == full
    assert canonical_search(full) == full


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gredy", "did you mean 'greedy'"),
        ("bfs", "bfs"),
        ("astar(2)", "takes no number"),
        ("wastar(0.5)", "at least 1"),
        ("wastar(1.2.3)", "at least 1"),
        ("bounded(x)", "at least 1"),
        ("bounded(2", "at least 1"),
    ],
)
def test_other_searches_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Objective(text)


@pytest.mark.parametrize("name", SEARCHES)
def test_the_key_is_that_of_the_search(name: str) -> None:
    objective, heuristic = Objective(name), load_heuristic("manhattan")
    bound = SEARCHES[name] if name == "bounded" else None
    for problem in grid_problems(3):
        found = objective.method(heuristic).search(problem)
        ends = problem.start, problem.goal
        same = search(problem.graph, *ends, heuristic, key=objective.key, bound=bound)
        assert found.expansions == same.expansions


def test_keys() -> None:
    assert Objective("greedy").key == Objective("bounded").key == GREEDY
    assert Objective("astar").key == ASTAR
    assert Objective("wastar(3)").key.h == 3


def test_costs_are_expansions_or_calls() -> None:
    heuristic, problems = load_heuristic("phil:forest"), grid_problems(3)
    results = [search(p.graph, p.start, p.goal, heuristic) for p in problems]
    assert Objective().costs(heuristic, problems) == [r.expansions for r in results]
    calls = [r.neighbor_calls + r.lookahead_calls for r in results]
    assert Objective(measure="calls").costs(heuristic, problems) == calls
    both = [r.calls + r.cost for r in results]
    assert Objective(measure="calls+cost").costs(heuristic, problems) == both
    assert Objective().costs(heuristic, problems, [3, 4, 5]) == [3, 4, 5]
    # Without a path there is no cost to add.
    for measure in ("calls", "calls+cost"):
        assert Objective(measure=measure).costs(heuristic, problems[:1], [3])[0] < 20
