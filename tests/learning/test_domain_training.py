"""Training on domains: from what is explored, demonstrated and solved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import phil
from phil.errors import InputError
from phil.learning.domain_plan import plan_for_domain
from phil.learning.lessons import Lessons
from phil.learning.settings import ON_DOMAINS, training_settings

Cell = tuple[int, int]
QUICK = {
    "rounds": 3,
    "explore": 200,
    "attempts": 20,
    "attempt_limit": 300,
    "iterations": 4,
    "validate_every": 2,
    "rollouts": 8,
    "steps": 10,
    "width": 8,
    "validation": 5,
}
WALL = range(-6, 7)  # cells x of a wall at y = 3, open below


def near(cell: Cell) -> list[Cell]:
    """The cells around one on an unlimited plane, with a wall."""
    x, y = cell
    around = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
    return [(a, b) for a, b in around if b != 3 or a not in WALL]


PLANE: phil.ImplicitGraph[Cell] = phil.ImplicitGraph(near, lambda cell: cell, 2)


def anywhere(random: np.random.Generator, difficulty: float) -> tuple[Cell, Cell]:
    far = max(2, round(12 * difficulty))
    return (int(random.integers(-far, far)), far + (far == 3)), (0, 0)


def plane(**options: Any) -> phil.Domain[Cell]:
    return phil.Domain(PLANE, anywhere, directed=False, name="plane", **options)


# Numbers that grow by 1 or double, which no edge leads back from.
def larger(number: int) -> dict[int, float]:
    return {number + 1: 1.0, 2 * number: 2.0} if number > 1 else {2: 1.0}


def smaller(number: int) -> dict[int, float]:
    found = {number - 1: 1.0} if number > 1 else {}
    return found | ({number // 2: 2.0} if number % 2 == 0 and number > 2 else {})


NUMBERS: phil.ImplicitGraph[int] = phil.ImplicitGraph(
    larger, lambda number: [number, np.log(number)], 2
)


def count_up(random: np.random.Generator, difficulty: float) -> tuple[int, int]:
    goal = int(random.integers(50, 60))
    return max(1, round(goal * (1 - difficulty)) - int(random.integers(1, 3))), goal


def calls(domain: phil.Domain[Any], heuristic: Any, count: int = 30) -> float:
    """The mean calls on fresh problems."""
    random = np.random.default_rng(99)
    pairs = [domain.draw(random) for _ in range(count)]
    results = [phil.search(domain.graph, *pair, heuristic) for pair in pairs]
    assert all(result.solved for result in results)
    return float(np.mean([result.calls for result in results]))


def test_training_lowers_the_calls() -> None:
    domain = plane()
    heuristic = phil.train(domain, settings=QUICK)
    assert calls(domain, heuristic) < 0.25 * calls(domain, phil.load("zero"))


def test_the_same_seed_gives_the_same_file(tmp_path: Path) -> None:
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        phil.train(plane(), seed=seed, settings=QUICK, output=tmp_path / name)
    first, again, other = ((tmp_path / name).read_bytes() for name in "abc")
    assert first == again != other
    loaded = phil.load(str(tmp_path / "a"))
    assert phil.search(PLANE, (5, 9), (0, 0), loaded).solved


def test_all_iterations_are_reported_and_logged(tmp_path: Path) -> None:
    seen: list[phil.learning.Iteration] = []
    plans: list[object] = []
    output = tmp_path / "plane.safetensors"
    heuristic = phil.train(
        plane(), settings=QUICK, output=output, announce=plans.append, report=seen.append
    )
    assert [each.number for each in seen] == list(range(1, 13))
    assert {each.total for each in seen} == {12}
    assert [each.candidate for each in seen[::4]] == ["round 1", "round 2", "round 3"]
    lines = (tmp_path / "plane.safetensors.log.jsonl").read_text().splitlines()
    assert len(lines) == 12
    best = min(each.validation for each in seen if each.validation is not None)
    assert seen[-1].best == best == heuristic.metadata.validation["calls"]["mean"]
    assert json.loads(lines[-1])["best"] == best
    assert str(plans[0]).startswith("PHIL, seed 0: 3 rounds, 20 training problems in the first")


def test_directed_domains_are_explored_by_predecessors() -> None:
    domain = phil.Domain(NUMBERS, count_up, predecessors=smaller)
    heuristic = phil.train(domain, settings=QUICK)
    assert calls(domain, heuristic) < calls(domain, phil.load("zero"))
    assert heuristic.metadata.training["settings"]["temperature"] > 1  # of edges that cost 1 or 2


def test_without_predecessors_solutions_teach() -> None:
    domain = phil.Domain(NUMBERS, count_up)
    heuristic = phil.train(domain, settings=QUICK)
    assert calls(domain, heuristic) < calls(domain, phil.load("zero"))


def test_demonstrations_teach() -> None:
    # The problems are too hard to be solved without them.
    hard = QUICK | {"attempt_limit": 20, "explore": 0}

    def far(random: np.random.Generator, _: float) -> tuple[int, int]:
        return int(random.integers(1, 5)), 200

    with pytest.raises(InputError, match="none of 20 problems was solved within 20 expansions"):
        phil.train(phil.Domain(NUMBERS, far), settings=hard)
    path = [3, 6, 12, 24, 25, 50, 100, 200]
    heuristic = phil.train(phil.Domain(NUMBERS, far, demonstrations=[path]), settings=hard)
    assert phil.search(NUMBERS, 3, 200, heuristic).solved


def test_problems_become_easier_until_some_are_solved() -> None:
    drawn: list[float] = []

    def hopeless(_: np.random.Generator, difficulty: float) -> tuple[Cell, Cell]:
        drawn.append(difficulty)
        return ((0, -1), (0, 0)) if difficulty < 0.2 else ((900, 900), (0, 0))

    settings = training_settings("best", QUICK | {"attempts": 60, "attempt_limit": 20}, ON_DOMAINS)
    lessons = Lessons(phil.Domain(PLANE, hopeless), settings)
    assert lessons.solve(np.random.default_rng(0), phil.load("zero")) > 10
    assert max(drawn[:10]) > 0.8
    assert max(drawn[-10:]) < 0.3


def test_problems_that_were_not_solved_are_tried_again() -> None:
    random, drawn = np.random.default_rng(0), list[Cell]()

    def far(_: np.random.Generator, __: float) -> tuple[Cell, Cell]:
        drawn.append((0, -4 - len(drawn)))
        return drawn[-1], (0, 0)

    settings = training_settings("best", QUICK | {"attempts": 10, "attempt_limit": 50}, ON_DOMAINS)
    lessons = Lessons(phil.Domain(PLANE, far, directed=False), settings)
    assert lessons.solve(random, phil.load("zero")) < 5
    assert lessons.solve(random, Straight()) == 10
    assert len(drawn) == 15
    starts = [problem.start for problem in lessons.oracle().problems]
    assert len(starts) == len(set(starts))


class Straight:
    """The number of moves on the plane without its wall."""

    name = "straight"

    def begin(self, graph: Any, start: int, goal: int) -> Straight:
        self.graph = graph
        return self

    def score(self, expansion: Any) -> Any:
        return np.array([sum(map(abs, self.graph.nodes[node])) for node in expansion.new], float)


def test_distances_improve_with_what_is_known() -> None:
    settings = training_settings("best", QUICK, ON_DOMAINS)
    detour = [(0, 4), (1, 4), (1, 5), (0, 5), (-1, 5), (-2, 5)]
    path = [*reversed(detour), *((x, 4) for x in range(1, 8)), *((7, y) for y in range(3, -1, -1))]
    path += [(x, 0) for x in range(6, -1, -1)]
    lessons = Lessons(plane(demonstrations=[path]), settings.model_copy(update={"explore": 0}))
    lessons.prepare(np.random.default_rng(0), phil.load("zero"))
    oracle = lessons.oracle()
    [problem] = oracle.problems
    # The path's nodes are next to each other where it turns: its loop is cut off.
    assert oracle.distances[0][problem.start] < len(path) - 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"features": "landmarks:4"}, "features landmarks:4: they are computed on a whole graph"),
        ({"method": "sail"}, "sail cannot be trained on a domain"),
        ({"preset": "paper"}, "only the preset best"),
        ({"resume": True, "output": Path("x")}, "on a domain cannot be resumed"),
        ({"settings": {"neighbors": 2}}, "neighbors: on a domain, it must be 0"),
        ({"settings": {"tune": 2}}, "tune: on a domain, it must be 0"),
        ({"settings": {"search": "bounded(2)"}}, "train for greedy or wastar"),
        ({"settings": {"round": 2}}, "did you mean 'rounds'|unknown setting"),
        ({"seed": -1}, "the seed must not be negative"),
    ],
)
def test_what_is_not_possible_is_refused_before_anything_is_called(
    changes: dict[str, Any], message: str
) -> None:
    def never(*_: object) -> Any:
        raise AssertionError("training has started")

    graph = phil.ImplicitGraph(never, never, 1)
    with pytest.raises(InputError, match=message):
        phil.train(phil.Domain(graph, never), **changes)


def test_exploring_more_than_fits_into_memory_is_refused() -> None:
    with pytest.raises(InputError, match=r"the setting explore\) needs .* GB of memory"):
        phil.train(plane(), settings=QUICK | {"explore": 10**12})


def test_a_problem_must_have_a_way_to_go() -> None:
    domain = phil.Domain(PLANE, lambda *_: ((0, 0), (0, 0)))
    with pytest.raises(InputError, match="whose start is their goal"):
        phil.train(domain, settings=QUICK)


def test_features_are_scaled_by_those_of_real_problems() -> None:
    plan = plan_for_domain(plane(), settings=QUICK | {"explore": 3})
    # The explored cells are within 1 of the goal, the starts up to 12 away.
    assert plan.candidates[0].scaling.spread[0] > 2
