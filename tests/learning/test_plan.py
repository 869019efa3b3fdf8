"""The plan: everything is settled once, before training begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from phil.graphs import Graph, GridGraph
from phil.graphs.graph import FeatureGroup
from phil.learning.defaults import Default
from phil.learning.plan import further_candidates, identity, make_plan
from phil.learning.settings import TrainingSettings
from phil.problems.problem import Problem, ProblemSet
from tests.learning.small import QUICK, graph_problems, small_set

RINGS = ProblemSet("rings", graph_problems(4), graph_problems(3, seed=1))


def test_settings_and_features_are_those_after_all_defaults() -> None:
    plan = make_plan(RINGS, settings={"horizon": "17"}, seed=3)
    assert (plan.method, plan.preset, plan.seed, plan.set_name) == ("phil", "best", 3, "rings")
    assert plan.features == plan.train.features == "degree,neighbourhood"
    assert plan.settings.horizon == 17
    assert {default.name for default in plan.defaults} == {
        *("neighbors", "temperature", "validation")
    }
    for default in plan.defaults:
        assert isinstance(default, Default)
        assert getattr(plan.settings, default.name) == default.value
    assert str(plan) == "PHIL, seed 3, 2 networks: 4 training problems, 3 validation problems"


def test_maps_have_nothing_but_their_preset() -> None:
    plan = make_plan(small_set())
    assert (plan.features, plan.defaults) == ("", ())


def test_the_first_candidates_try_both_ways_where_they_are_to_choose() -> None:
    three = make_plan(small_set(), settings={"candidates": 3, "plain": 0}).candidates
    frames = [c.network.frame for c in three]
    assert frames == ["goal", "map", "goal"]
    both = make_plan(
        small_set(), settings={"candidates": 4, "plain": 0, "trail": "choose"}
    ).candidates
    assert [(c.network.frame, c.network.trail) for c in both] == [
        ("goal", True), ("map", True), ("goal", False), ("map", False)
    ]  # fmt: skip
    plan = make_plan(small_set(), settings={"plain": 1})
    plain = plan.candidates[-1]
    assert plain.number not in range(plan.settings.candidates + plan.settings.hard_candidates)
    assert (plain.network.trail, plain.network.known, plain.network.frame) == (False, 0, "map")
    scaled = [c.scaled for c in make_plan(RINGS, settings={"candidates": 3}).candidates]
    assert scaled == ["together", "each", "together"]
    told = make_plan(RINGS, settings={"trail": "yes", "scaling": "each"}).candidates
    assert [(c.network.trail, c.scaled) for c in told] == [(True, "each")] * 2


@pytest.mark.parametrize("cautious", [True, False])
def test_further_candidates_follow_the_winner(cautious: bool) -> None:
    changes = {"hard_candidates": 3, "caution": (30.0, 0.0)}
    plan = make_plan(small_set(), settings=QUICK | changes)
    winner = plan.candidates[1]
    further = further_candidates(plan.settings, [winner], cautious=cautious)
    assert [c.number for c in further] == [2, 3, 4]
    assert [c.caution for c in further] == ([30.0, 0.0, 30.0] if cautious else [0.0] * 3)
    assert {(c.network, c.scaling) for c in further} == {(winner.network, winner.scaling)}


def test_further_candidates_take_turns_where_two_lead() -> None:
    plan = make_plan(small_set(), settings=QUICK | {"hard_candidates": 3, "caution": (30.0, 0.0)})
    further = further_candidates(plan.settings, plan.candidates[:2], cautious=True)
    trails = [candidate.network.trail for candidate in plan.candidates[:2]]
    assert [c.network.trail for c in further] == [trails[0], trails[1], trails[0]]
    assert [c.caution for c in further] == [30.0, 0.0, 30.0]


def test_a_baseline_has_its_own_settings_and_no_candidates() -> None:
    plan = make_plan(small_set(), method="sail", settings={"searches": "7"})
    assert (plan.settings.searches, plan.candidates, plan.defaults) == (7, (), ())
    assert str(plan).startswith("SaIL: search as imitation learning, seed 0: 4 training problems")


def fingerprint(problems: Sequence[Problem], validation: Sequence[Problem]) -> str:
    chosen = ProblemSet("some", tuple(problems), tuple(validation))
    found: str = identity(make_plan(chosen, features=""))["problems"]
    return found


EDGES = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4), (1, 3)]
WEIGHTED: dict[str, Any] = {
    "features": np.arange(15.0).reshape(5, 3),
    "weights": np.arange(1.0, 7.0),
    "edge_features": np.arange(6.0)[:, None],
    "feature_names": ("x", "y", "z"),
    "feature_groups": (FeatureGroup("all", 3),),
}


def other_graph(edges: Sequence[tuple[int, int]] = EDGES, **changes: Any) -> Graph:
    return Graph.from_edges(5, edges, **WEIGHTED | changes)


def bumped(name: str) -> Any:
    """An array of the graph with another last number."""
    array = WEIGHTED[name].copy()
    array.flat[-1] += 1
    return array


GRAPHS: dict[str, Graph] = {
    "an edge": other_graph([*EDGES[:-1], (2, 4)]),
    "the order of edges": other_graph([EDGES[0], EDGES[5], *EDGES[1:5]]),
    "a weight": other_graph(weights=bumped("weights")),
    "no weights": other_graph(weights=None),
    "a feature": other_graph(features=bumped("features")),
    "an edge feature": other_graph(edge_features=bumped("edge_features")),
    "direction": other_graph(directed=True),
    "names of features": other_graph(feature_names=("x", "y", "w")),
    "groups of features": other_graph(feature_groups=(FeatureGroup("a", 1), FeatureGroup("b", 2))),
    "names of groups": other_graph(feature_groups=(FeatureGroup("each", 3),)),
    "likeness of features": other_graph(feature_groups=(FeatureGroup("all", 3, alike=True),)),
}


@pytest.mark.parametrize("change", GRAPHS)
def test_a_change_of_a_graph_makes_another_run(change: str) -> None:
    was = [Problem(other_graph(), 0, 3)]
    now = [Problem(GRAPHS[change], 0, 3)]
    assert fingerprint(was, was) == fingerprint(*[[Problem(other_graph(), 0, 3)]] * 2)
    assert fingerprint(now, now) != fingerprint(was, was)
    if now[0].graph.feature_groups[0].size == 3:  # else they cannot be mixed
        assert fingerprint(now, was) != fingerprint(was, was) != fingerprint(was, now)


FREE = np.ones((4, 5), bool)
BLOCKED = FREE.copy()
BLOCKED[1, 1] = False
GRIDS = {
    "map": GridGraph(BLOCKED),
    "shape": GridGraph(FREE.T.copy()),
    "connectivity": GridGraph(FREE, connectivity=4),
    "one free corner": GridGraph(FREE, corners="one_free"),
    "free corners": GridGraph(FREE, corners="both_free"),
    "cost": GridGraph(FREE, diagonal_cost=1.5),
}


@pytest.mark.parametrize("change", GRIDS)
def test_a_change_of_a_grid_makes_another_run(change: str) -> None:
    was, now = [Problem(GridGraph(FREE), 0, 19)], [Problem(GRIDS[change], 0, 19)]
    assert fingerprint(now, now) != fingerprint(was, was)


def test_corner_rules_are_told_apart() -> None:
    one, both = ([Problem(GRIDS[name], 0, 19)] for name in ("one free corner", "free corners"))
    assert fingerprint(one, one) != fingerprint(both, both)


def test_a_change_of_the_problems_makes_another_run() -> None:
    graph, twin = other_graph(), other_graph()
    a, b, c = Problem(graph, 0, 3), Problem(graph, 0, 2), Problem(graph, 1, 3)
    sets: list[tuple[list[Problem], list[Problem]]] = [
        ([a, b], [c]),
        ([b, a], [c]),  # another order
        ([a], [b, c]),  # other splits
        ([a, b, c], [c]),
        ([a, a], [c]),
        ([a, b], [a]),
        ([c], [a, b]),
        ([a], [c]),  # fewer
        ([Problem(graph, 1, 3), b], [c]),  # another start
        ([Problem(graph, 0, 4), b], [c]),  # another goal
        ([Problem(graph, 3, 0), b], [c]),  # the other way round
    ]
    found = [fingerprint(*chosen) for chosen in sets]
    assert len(set(found)) == len(sets)
    assert fingerprint([a, b], [c]) == found[0]
    # An equal graph is another object, which is hashed again: whether graphs are shared counts.
    assert fingerprint([Problem(twin, 0, 3), b], [c]) not in found


def test_which_graph_a_problem_is_on_tells_runs_apart() -> None:
    one, other = other_graph(), other_graph(weights=bumped("weights"))
    both = [Problem(one, 0, 3), Problem(other, 0, 3)]
    first, second = ([*both, Problem(graph, 0, 2)] for graph in (one, other))
    assert fingerprint(first, both) != fingerprint(second, both)


def test_graphs_with_the_same_numbers_are_told_apart() -> None:
    symmetric = other_graph()
    one_way = Graph(
        symmetric.indptr,
        symmetric.indices,
        weights=symmetric.weights,
        edge_features=symmetric.edge_features,
        directed=True,
        **{name: WEIGHTED[name] for name in ("features", "feature_names", "feature_groups")},
    )
    zeros = np.zeros((5, 3))
    weighted = other_graph(features=zeros, weights=np.zeros(6), edge_features=None)
    described = other_graph(features=zeros, weights=None, edge_features=np.zeros((6, 2)))
    for pair in ((symmetric, one_way), (weighted, described)):
        was, now = ([Problem(graph, 0, 3)] for graph in pair)
        assert fingerprint(was, was) != fingerprint(now, now)


def test_every_setting_tells_runs_apart() -> None:
    was = identity(make_plan(small_set()))
    assert was == identity(make_plan(small_set()))
    assert was.keys() == {"settings", "seed", "problems"}
    assert was["settings"].keys() == TrainingSettings.model_fields.keys()
    assert identity(make_plan(small_set(), seed=1)) == was | {"seed": 1}
    for name, value in {"width": 33, "beta": 0.5, "hard": 1.5, "validation": 99}.items():
        now = identity(make_plan(small_set(), settings={name: value}))
        assert now == was | {"settings": was["settings"] | {name: value}}
