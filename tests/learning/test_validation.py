"""Validation: what a network costs, against searches and against classical methods."""

from __future__ import annotations

import numpy as np
import pytest

from phil.evaluation import evaluate, parse_method
from phil.graphs import GridGraph
from phil.graphs.convert import from_grid
from phil.learning.objective import Objective
from phil.learning.oracle import with_oracle
from phil.learning.plan import make_plan
from phil.learning.validation import (
    HOPELESS,
    Validation,
    classical_costs,
    classical_methods,
)
from phil.problems import single_graph_set
from phil.problems.problem import Problem, ProblemSet
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
    names = classical_methods(oracle, Objective())
    assert {"greedy(euclidean)", "greedy(manhattan)", "bfs"} < set(names)
    scores = evaluate(oracle.problems, [parse_method(name) for name in names])
    means = {score.method: score.expansions.mean for score in scores}
    assert found.classical == means[found.classical_name] == min(m for m in means.values() if m)
    [best] = evaluate(oracle.problems, [parse_method("oracle")])
    assert found.shortest == best.expansions.mean


def walled() -> GridGraph:
    """A map of three rooms in a row, whose doors are at opposite ends."""
    free = np.ones((30, 31), bool)
    free[:-1, 10] = free[1:, 20] = False
    return GridGraph(free)


@pytest.mark.parametrize("features", ["landmarks:16", ""])
def test_on_one_graph_landmarks_are_a_rival(features: str) -> None:
    problems = single_graph_set("level", walled(), count=20)
    plan = make_plan(problems, features=features)
    found = classical_costs(plan.validation, plan.settings.cost)
    assert found.classical_name.endswith("(landmarks)")
    # As everybody finds it who evaluates that method on that map.
    [score] = evaluate(problems.validation, [parse_method(found.classical_name)])
    measured = score.calls if plan.settings.objective == "calls" else score.expansions
    assert found.classical == measured.mean


def test_on_a_graph_added_features_do_not_change_the_others() -> None:
    graph = from_grid(walled())
    problems = single_graph_set("rooms", graph, count=20)
    plan = make_plan(problems, features="degree,landmarks:4")
    assert plan.validation.problems[0].graph.feature_names != graph.feature_names
    assert all(problem.graph is graph for problem in plan.validation.plain)
    assert classical_costs(plan.validation).classical_name.endswith("(landmarks)")


def test_unknown_maps_are_not_prepared_unless_the_heuristic_needs_it() -> None:
    sets = [single_graph_set(str(turn), walled(), count=5, seed=turn) for turn in range(2)]
    assert make_plan(sets[0]).validation.familiar
    apart = ProblemSet("apart", sets[0].train, sets[1].validation)  # a map that is not trained on
    plain, prepared = (make_plan(apart, features=recipe).validation for recipe in ("", "hops:2"))
    assert "greedy(octile)" in classical_methods(plain, Objective())
    assert "greedy(landmarks)" not in classical_methods(plain, Objective())
    assert "greedy(landmarks)" in classical_methods(prepared, Objective())


@pytest.mark.parametrize(
    ("search", "expected"),
    [
        ("wastar", ["astar(landmarks)", "wastar(euclidean, 2)", "wastar(octile, 2)"]),
        ("astar", ["astar(landmarks)", "astar(euclidean)", "astar(octile)"]),
    ],
)
def test_rivals_of_other_searches(search: str, expected: list[str]) -> None:
    validation = make_plan(single_graph_set("level", walled(), count=9)).validation
    assert classical_methods(validation, Objective(search))[:3] == expected


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
    assert validation.costs.classical_name in classical_methods(setup.oracle, objective)
    assert validation.record(score)["search"] == name
