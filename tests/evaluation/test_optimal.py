"""Least path costs: exact, and with little work."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.evaluation import optimal
from phil.evaluation.optimal import least_costs
from phil.graphs import AnyGraph, Graph, GridGraph
from phil.graphs.distances import costs_to
from phil.problems import Problem
from phil.search import Key, Result, search
from phil.search.guide import Heuristic
from tests.strategies import graphs


def drawn(graph: AnyGraph, count: int, seed: int = 0, goals: int | None = None) -> list[Problem]:
    random = np.random.default_rng(seed)
    ends = random.choice(graph.node_ids, (count, 2))
    if goals is not None:
        ends[:, 1] = ends[:goals, 1][np.arange(count) % goals]
    return [Problem(graph, start, goal) for start, goal in ends.tolist()]


def truth(problems: Sequence[Problem]) -> list[float]:
    return [float(costs_to(p.graph, p.goal)[p.start]) for p in problems]


def level(seed: int = 0, side: int = 40) -> GridGraph:
    return GridGraph(np.random.default_rng(seed).random((side, side)) < 0.5)


@given(graph=graphs(), count=st.integers(1, 12), seed=st.integers(0, 99), back=st.booleans())
def test_they_are_exact_on_any_graph(graph: Graph, count: int, seed: int, back: bool) -> None:
    problems = drawn(graph, count, seed, goals=2 if seed % 2 and count > 1 else None)
    if back:  # many problems with the same start
        problems = [Problem(graph, problem.goal, problem.start) for problem in problems]
    np.testing.assert_allclose(least_costs(problems), truth(problems), rtol=1e-12)


def test_they_are_exact_on_maps_in_the_order_given() -> None:
    one, other = level(1), level(2)
    mixed = [
        p for pair in zip(drawn(one, 60), drawn(other, 60, goals=3), strict=True) for p in pair
    ]
    told: list[tuple[int, int]] = []
    found = least_costs(mixed, lambda done, total: told.append((done, total)))
    np.testing.assert_allclose(found, truth(mixed), rtol=1e-12)
    assert np.isinf(found).any()  # some cells are enclosed
    assert told == [(done, 120) for done in range(121)]


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[float]]:
    """The tables that were computed, and the expansions of the searches by their bound."""
    done: dict[str, list[float]] = {"tables": []}

    def watched(
        graph: AnyGraph, start: int, goal: int, heuristic: Heuristic, *, key: Key
    ) -> Result:
        result = search(graph, start, goal, heuristic, key=key)
        done.setdefault(heuristic.name, []).append(result.expansions)
        return result

    def table(graph: AnyGraph, end: int) -> NDArray[np.float64]:
        done["tables"].append(end)
        return costs_to(graph, end)

    monkeypatch.setattr(optimal, "search", watched)
    monkeypatch.setattr(optimal, "costs_to", table)
    monkeypatch.setattr(optimal, "costs_from", table)  # maps are undirected
    return done


def test_a_goal_that_many_share_takes_one_table(work: dict[str, list[float]]) -> None:
    problems = drawn(level(), 100, goals=2)
    least_costs(problems)
    assert sorted(work["tables"]) == sorted({problem.goal for problem in problems})
    assert list(work) == ["tables"]
    least_costs([Problem(p.graph, p.goal, p.start) for p in problems])  # and so does a start
    assert len(work["tables"]) == 4


def test_goals_of_their_own_take_searches_of_a_part_of_the_graph(
    work: dict[str, list[float]],
) -> None:
    grid = GridGraph(np.ones((60, 60), bool))
    problems = drawn(grid, 40)
    least_costs(problems)
    assert not work["tables"]
    assert set(work) == {"tables", "closest_bound"}  # landmarks would not pay
    assert sum(work["closest_bound"]) < 0.05 * len(problems) * grid.num_nodes


def test_many_hard_problems_take_landmarks(work: dict[str, list[float]]) -> None:
    random = np.random.default_rng(3)
    ends = [(node, int(random.integers(node))) for node in range(1, 800)]  # a tree: no geometry
    tree = Graph.from_edges(800, ends, weights=random.random(len(ends)) + 0.1)
    problems = drawn(tree, 150)
    np.testing.assert_allclose(least_costs(problems), truth(problems), rtol=1e-12)
    assert len(work["closest_bound"]) == optimal.FEWEST
    means = {name: np.mean(work[name]) for name in ("closest_bound", "landmarks")}
    assert means["landmarks"] < 0.5 * means["closest_bound"]


def test_weights_of_all_sizes_take_no_landmarks(work: dict[str, list[float]]) -> None:
    weights = [1e-9 if k % 2 else 1e6 for k in range(299)]
    line = Graph.from_edges(300, [(k, k + 1) for k in range(299)], weights=weights)
    problems = drawn(line, 120)
    np.testing.assert_allclose(least_costs(problems), truth(problems), rtol=1e-9)
    assert "landmarks" not in work


def test_the_easiest_first_do_not_mislead(work: dict[str, list[float]]) -> None:
    line = Graph.from_edges(600, [(k, k + 1) for k in range(599)])
    problems = [Problem(line, node, 599 - node) for node in range(300)]
    problems.sort(key=lambda problem: abs(problem.start - problem.goal))
    assert least_costs(problems) == truth(problems)
    assert len(work["closest_bound"]) == optimal.FEWEST
