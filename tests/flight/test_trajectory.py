"""Curves in time."""

from __future__ import annotations

import numpy as np
import pytest

from phil.flight.curve import rounded
from phil.flight.free_space import FreeSpace
from phil.flight.trajectory import ACCELERATION, HOVER, SPEED, Trajectory, timed
from phil.graphs.rooms import Room
from tests.flight.rooms import clear_of_all
from tests.flight.test_curve import OVER_THE_WALL


@pytest.fixture(scope="module")
def trajectory(room: Room) -> Trajectory:
    return timed(rounded(OVER_THE_WALL, FreeSpace(room)), OVER_THE_WALL[0])


def test_it_leads_from_rest_at_the_start_to_rest_at_the_goal(trajectory: Trajectory) -> None:
    ends = np.array([0.0, trajectory.seconds])
    assert np.allclose(trajectory.at(ends), OVER_THE_WALL[[0, -1]], atol=1e-9)
    for derivative in (1, 2):
        assert np.allclose(trajectory.at(ends, derivative), 0, atol=1e-6)


def test_limits_are_kept(trajectory: Trajectory) -> None:
    times = np.linspace(0, trajectory.seconds, 5000)
    speeds = np.linalg.norm(trajectory.at(times, 1), axis=1)
    pulls = np.linalg.norm(trajectory.at(times, 2), axis=1)
    assert 0.5 * SPEED < speeds.max() <= 1.01 * SPEED
    # Along the curve and across it at once.
    assert 0.8 * ACCELERATION < pulls.max() <= 1.5 * ACCELERATION


def test_derivatives_belong_together(trajectory: Trajectory) -> None:
    times = np.linspace(0, trajectory.seconds, 20000)
    for derivative in (0, 1, 2):
        slopes = np.gradient(trajectory.at(times, derivative), times, axis=0)[1:-1]
        wanted = trajectory.at(times, derivative + 1)[1:-1]
        assert np.abs(slopes - wanted).max() < 0.02 * np.abs(wanted).max()


def test_it_stays_in_free_space(trajectory: Trajectory, room: Room) -> None:
    assert clear_of_all(room, trajectory.at(np.linspace(0, trajectory.seconds, 3000)))


def test_without_a_way_the_drone_hovers() -> None:
    place = np.array([1.0, 2.0, 3.0])
    still = timed([], place)
    assert still.seconds == pytest.approx(2 * HOVER, abs=0.02)
    assert np.allclose(still.at(np.linspace(0, still.seconds, 50)), place)
