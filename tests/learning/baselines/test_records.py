"""Roll-outs with a perceptron against searches that tell what they do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from phil.graphs import SearchedGraph
from phil.heuristics.mlp import MlpHeuristic
from phil.heuristics.mlp.heuristic import MlpGuide
from phil.learning.baselines.records import Explorer, PerceptronRoller, Records, RecordSettings
from phil.learning.oracle import OracleProblems, with_oracle
from phil.problems.problem import Problem
from phil.search import search
from phil.search.guide import Expansion
from tests.learning.small import graph_problems, grid_problems
from tests.perceptrons import random_perceptron

WHOLE = 10_000
BY_LEARNER = RecordSettings(steps=WHOLE, records=WHOLE, explore=0.0, random_records=0.0)
BY_ORACLE = RecordSettings(steps=WHOLE, records=WHOLE, explore=1.0, random_records=0.0)


class Rolling:
    """Problems with their oracle, a perceptron that has learned nothing, and a roller."""

    def __init__(self, problems: tuple[Problem, ...], heuristic: MlpHeuristic) -> None:
        self.oracle: OracleProblems = with_oracle(problems, "train")
        self.heuristic = heuristic
        self.roller = PerceptronRoller(self.oracle, heuristic.metadata)

    def roll(self, plan: RecordSettings, problem: int = 0, seed: int = 0) -> Records:
        return self.roller.roll(self.heuristic.weights, problem, plan, seed)


@pytest.fixture(scope="module", params=["grid", "graph"])
def rolling(request: pytest.FixtureRequest) -> Rolling:
    if request.param == "graph":
        problems = graph_problems(1)
        return Rolling(problems, random_perceptron("graph", (16,), problems[0].graph))
    return Rolling(grid_problems(2) + grid_problems(1, side=31), random_perceptron())


class Telling:
    """A heuristic that keeps what its inner one reads of each node when it is evaluated."""

    name = "telling"

    def __init__(self, inner: MlpHeuristic) -> None:
        self._inner = inner
        self.inputs: dict[int, NDArray[np.float32]] = {}

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> Telling:
        self._guide: MlpGuide = self._inner.begin(graph, start, goal)
        return self

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        values = self._guide.score(expansion)
        for row, node in enumerate(expansion.new.tolist()):
            self.inputs[node] = self._guide._work.inputs[row].copy()
        return values


def test_the_learner_alone_is_its_search(rolling: Rolling) -> None:
    for number, problem in enumerate(rolling.oracle.problems):
        telling = Telling(rolling.heuristic)
        result = search(problem.graph, problem.start, problem.goal, telling, trace=True)
        assert result.trace is not None
        records = rolling.roll(BY_LEARNER, number)
        assert records.reached
        assert records.steps == result.expansions
        distances = rolling.oracle.distances[number][result.trace]
        np.testing.assert_allclose(records.target * records.scale, distances, rtol=1e-5)
        seen = np.array([telling.inputs[node] for node in result.trace[1:].tolist()])
        np.testing.assert_allclose(records.inputs[1:], seen, rtol=1e-6)
        # What is best after a step is what the next one expands.
        np.testing.assert_array_equal(records.following[:-1], records.inputs[1:])


def test_the_oracle_alone_goes_straight_to_the_goal(rolling: Rolling) -> None:
    for number, problem in enumerate(rolling.oracle.problems):
        records = rolling.roll(BY_ORACLE, number)
        far = int(rolling.oracle.distances[number][problem.start])
        np.testing.assert_allclose(
            records.target * records.scale, np.arange(far, -1, -1), rtol=1e-5
        )
        assert records.met.tolist() == [False] * (far - 1) + [True] * 2


def test_records_are_few_and_the_same_for_the_same_seed(rolling: Rolling) -> None:
    explorers: tuple[Explorer, ...] = ("oracle", "random")
    for explorer in explorers:
        plan = RecordSettings(steps=WHOLE, records=7, explore=0.5, explorer=explorer)
        one, same, other = (rolling.roll(plan, seed=seed) for seed in (3, 3, 4))
        assert one.inputs.shape == same.inputs.shape == (7, rolling.heuristic.metadata.num_inputs)
        assert np.array_equal(one.inputs, same.inputs)
        assert np.array_equal(one.target, same.target)
        assert not np.array_equal(one.inputs, other.inputs)


def test_all_steps_are_equally_likely_to_be_recorded() -> None:
    rolling = Rolling(grid_problems(1), random_perceptron())
    far = int(rolling.oracle.distances[0][rolling.oracle.problems[0].start])
    plan = RecordSettings(steps=WHOLE, records=4, explore=1.0, random_records=0.0)
    seen = np.concatenate([rolling.roll(plan, seed=seed).target for seed in range(2000)])
    steps = np.rint(far - seen * rolling.roll(plan).scale).astype(int)
    counts = np.bincount(steps, minlength=far + 1)
    expected = 2000 * 4 / (far + 1)
    assert abs(counts - expected).max() < 5 * np.sqrt(expected)


def test_a_random_record_is_an_open_node(rolling: Rolling) -> None:
    """With the oracle's steps, open nodes are at most one move nearer than what is expanded."""
    plan = RecordSettings(steps=WHOLE, records=WHOLE, explore=1.0)
    for number in range(len(rolling.oracle.problems)):
        expanded = rolling.roll(BY_ORACLE, number).target
        records = rolling.roll(plan, number)
        assert (records.target >= expanded - 1e-6).all()
        assert (records.target > expanded + 1e-6).any()


def test_a_roll_out_ends_after_its_steps(rolling: Rolling) -> None:
    records = rolling.roll(RecordSettings(steps=3, records=WHOLE, explore=0.0))
    assert (records.steps, len(records.inputs), records.reached) == (3, 3, False)


def test_a_roll_out_can_end_when_the_goal_is_met(rolling: Rolling) -> None:
    """Its last step is written down however few steps are, and is the only one that met it."""
    for number, problem in enumerate(rolling.oracle.problems):
        far = int(rolling.oracle.distances[number][problem.start])
        for records in (1, 2, WHOLE):
            plan = replace(BY_ORACLE, records=records, until_met=True)
            rolled = rolling.roll(plan, number)
            assert (rolled.reached, rolled.steps) == (True, far)
            assert rolled.met.sum() == 1
            assert rolled.target[rolled.met] * rolled.scale == pytest.approx(1)
