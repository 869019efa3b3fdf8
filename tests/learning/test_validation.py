"""Validation: what a network costs, against searches and against classical methods."""

from __future__ import annotations

import numpy as np
import pytest

from phil.evaluation import evaluate, parse_method
from phil.learning.objective import Objective
from phil.learning.oracle import with_oracle
from phil.learning.validation import CLASSICAL, HOPELESS, Validation, classical_costs
from phil.problems.problem import Problem
from phil.search import GREEDY, Limits, Result, search
from phil.search.method import Method
from tests.learning.small import Setup, graph_problems, grid_problems


class Judged(Setup):
    """A network that is validated on its own problems."""

    def __init__(self) -> None:
        super().__init__(grid_problems(5), "best", {"width": 8})
        self.validation = Validation(self.oracle)
        self.expected = [
            search(problem.graph, problem.start, problem.goal, self.heuristic).expansions
            for problem in self.oracle.problems
        ]


@pytest.mark.parametrize("problems", [grid_problems(4), graph_problems(4)], ids=["grid", "graph"])
def test_the_reference_is_the_best_classical_method(
    problems: tuple[Problem, ...],
) -> None:
    oracle = with_oracle(problems, "validation")
    found = classical_costs(oracle)
    scores = evaluate(oracle.problems, [parse_method(name) for name in CLASSICAL])
    means = {score.method: score.expansions.mean for score in scores}
    assert found.classical == means[found.classical_name] == min(m for m in means.values() if m)
    [best] = evaluate(oracle.problems, [parse_method("oracle")])
    assert found.shortest == best.expansions.mean


def test_expansions_are_those_of_searches() -> None:
    setup = Judged()
    score = setup.validation.score(setup.heuristic)
    assert score is not None
    assert score.expansions == setup.expected
    assert score.mean == np.mean(setup.expected)


def test_a_hopeless_network_is_not_run_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = Judged()
    runs: list[Result] = []

    class Counted(Method):
        def search(
            self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
        ) -> Result:
            runs.append(super().search(problem, limits, trace=trace))
            return runs[-1]

    monkeypatch.setattr(
        Objective, "method", lambda _, heuristic: Counted("mine", GREEDY, heuristic)
    )
    mean = float(np.mean(setup.expected))
    barely = setup.validation.score(setup.heuristic, mean / HOPELESS * 1.001)
    assert barely is not None
    assert barely.expansions == setup.expected
    assert len(runs) == 5
    assert setup.validation.score(setup.heuristic, mean / HOPELESS * 0.999) is None
    runs.clear()
    assert setup.validation.score(setup.heuristic, 1.0) is None
    assert len(runs) == 1


def test_calls_are_a_cost_of_their_own() -> None:
    setup = Judged()
    validation = Validation(setup.oracle, Objective(measure="calls"))
    score = validation.score(setup.heuristic)
    assert score is not None
    assert score.expansions == setup.expected
    results = [search(p.graph, p.start, p.goal, setup.heuristic) for p in setup.oracle.problems]
    assert score.calls == [r.neighbor_calls + r.lookahead_calls for r in results]
    assert score.mean == np.mean(score.calls) > np.mean(score.expansions)
    record = validation.record(score)
    assert record["calls"]["mean"] == score.mean
    assert record["classical"]["measure"] == "calls"


@pytest.mark.parametrize("name", ["astar", "wastar(3)", "bounded(1.2)"])
def test_validation_runs_the_search_that_is_trained_for(name: str) -> None:
    setup = Judged()
    objective = Objective(name)
    validation = Validation(setup.oracle, objective)
    score = validation.score(setup.heuristic)
    assert score is not None
    bound = 1.2 if name.startswith("bounded") else None
    results = [
        search(p.graph, p.start, p.goal, setup.heuristic, key=objective.key, bound=bound)
        for p in setup.oracle.problems
    ]
    assert score.expansions == [result.expansions for result in results] != setup.expected
    assert validation.costs.classical_name in ("astar", objective.named("euclidean"))
    assert validation.record(score)["search"] == name
