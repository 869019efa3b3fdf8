"""Roll-outs in Python are those of the compiled roller."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from phil.learning.mixture import RolloutId, RolloutSettings
from phil.learning.own.roller import PythonRoller
from phil.learning.rollout import Roller
from tests.learning.small import Setup, graph_problems, grid_problems

PLAIN = RolloutSettings(
    roll_in=0,
    record_from=0,
    steps=80,
    oracle_share=0.0,
    stop_at_goal=True,
    event_rate=0.0,
    event_size=6,
)


@pytest.fixture(scope="module", params=["maps", "graphs"])
def setup(request: pytest.FixtureRequest) -> Setup:
    return Setup(grid_problems(3) if request.param == "maps" else graph_problems(3))


@pytest.mark.parametrize("share", [0.0, 1.0])
@pytest.mark.parametrize("search", ["greedy", "wastar(2)"])
@pytest.mark.parametrize("changes", [{}, {"stop_at_goal": False}, {"record_from": 9}])
def test_the_same_nodes_in_the_same_order(
    setup: Setup, share: float, search: str, changes: dict[str, Any]
) -> None:
    settings = setup.settings.model_copy(update={"search": search})
    chosen = replace(PLAIN, oracle_share=share, **changes)
    compiled = Roller(setup.oracle, settings, setup.candidate())
    weights = setup.learner().packed_weights()
    heuristic = setup.learner().heuristic()
    for problem in range(3):
        expected = compiled.roll(weights, problem, chosen, 0)
        found = PythonRoller(setup.oracle, settings).roll(heuristic, problem, chosen, 0)
        assert found.nodes.tolist() == expected.nodes.tolist()
        assert found.first.tolist() == expected.first.tolist()
        assert found.reached == expected.reached


def test_the_oracle_goes_straight_to_the_goal(setup: Setup) -> None:
    roller = PythonRoller(setup.oracle, setup.settings)
    alone, guided = (
        roller.roll(setup.heuristic, 0, replace(PLAIN, oracle_share=share, steps=999), 1).steps
        for share in (0.0, 1.0)
    )
    problem = setup.oracle.problems[0]
    assert guided == setup.oracle.distances[0][problem.start] <= alone


def test_events_hold_open_nodes_and_the_best_of_them(setup: Setup) -> None:
    chosen = replace(PLAIN, event_rate=1.0, oracle_share=0.5)
    rollout = PythonRoller(setup.oracle, setup.settings).roll(setup.heuristic, 0, chosen, 3)
    assert len(rollout.events) > 3
    distance = setup.oracle.distances[0][rollout.nodes]
    for event, spent in zip(rollout.events, rollout.spent, strict=True):
        there = event[event >= 0]
        assert 2 <= there.size == np.unique(there).size <= 6
        assert distance[there[0]] == distance[there].min(), "the oracle's best comes first"
        assert (spent[: there.size] > 0).all()
    again = PythonRoller(setup.oracle, setup.settings).roll(setup.heuristic, 0, chosen, 3)
    assert again.events.tolist() == rollout.events.tolist()


def test_every_roll_out_by_the_settings_has_nodes_and_an_event(setup: Setup) -> None:
    roller = PythonRoller(setup.oracle, setup.settings)
    for number in range(9):
        rollout = roller.roll_out(setup.heuristic, RolloutId(0, 0, 2, number))
        assert rollout.nodes.size
        assert len(rollout.events) == len(rollout.spent) >= 1
        assert rollout.inputs(np.arange(2)).shape == (2, 0)
