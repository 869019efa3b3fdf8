"""Validation: what a network costs, against searches and against classical methods."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from phil.evaluation import evaluate, parse_method
from phil.learning.oracle import with_oracle
from phil.learning.validation import CLASSICAL, HOPELESS, Validation, classical_costs
from phil.problems.problem import Problem
from phil.search import Result, search
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
    assert setup.validation.expansions(setup.heuristic, np.inf) == setup.expected


def test_a_hopeless_network_is_not_run_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = Judged()
    runs: list[Result] = []

    def counted(*arguments: Any) -> Result:
        runs.append(search(*arguments))
        return runs[-1]

    monkeypatch.setattr("phil.learning.validation.search", counted)
    mean = float(np.mean(setup.expected))
    barely = mean / HOPELESS * 1.001
    assert setup.validation.expansions(setup.heuristic, barely) == setup.expected
    assert len(runs) == 5
    assert setup.validation.expansions(setup.heuristic, mean / HOPELESS * 0.999) is None
    runs.clear()
    assert setup.validation.expansions(setup.heuristic, 1.0) is None
    assert len(runs) == 1
