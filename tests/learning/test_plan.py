"""The plan: everything is settled once, before training begins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from phil.learning.defaults import Default
from phil.learning.plan import further_candidates, identity, make_plan
from phil.problems.problem import ProblemSet
from tests.learning.small import QUICK, graph_problems, grid_problems, small_set

RINGS = ProblemSet("rings", graph_problems(4), graph_problems(3, seed=1))


def test_settings_and_features_are_those_after_all_defaults() -> None:
    plan = make_plan(RINGS, settings={"horizon": "17"}, seed=3)
    assert (plan.method, plan.preset, plan.seed, plan.set_name) == ("phil", "best", 3, "rings")
    assert plan.features == plan.train.features == "degree,neighbourhood"
    assert plan.settings.horizon == 17
    assert {default.name for default in plan.defaults} == {"neighbors", "temperature"}
    for default in plan.defaults:
        assert isinstance(default, Default)
        assert getattr(plan.settings, default.name) == default.value
    assert str(plan) == "PHIL, seed 3, 2 networks: 4 training problems, 3 validation problems"


def test_maps_have_nothing_but_their_preset() -> None:
    plan = make_plan(small_set())
    assert (plan.features, plan.defaults) == ("", ())


def test_the_first_candidates_try_both_ways_where_they_are_to_choose() -> None:
    trails = [
        c.network.trail for c in make_plan(small_set(), settings={"candidates": 3}).candidates
    ]
    assert trails == [True, False, True]
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


def test_what_tells_runs_apart() -> None:
    same, again = (identity(make_plan(small_set())) for _ in range(2))
    assert same == again
    others = replace(small_set(), train=grid_problems(4, seed=7))
    assert identity(make_plan(others))["problems"] != same["problems"]
    assert identity(make_plan(small_set(), seed=1))["seed"] == 1
    assert identity(make_plan(small_set(), settings=QUICK))["settings"] != same["settings"]
