"""Curves around corners, and the speed along them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phil.rooms import Room
from phil.rooms.path import FreeSpace, Points
from phil.rooms.trajectory import ACCELERATION, HOVER, SPEED, Curve, Trajectory, rounded, timed
from tests.rooms.small_room import clear_of_all

OVER_THE_WALL = np.array([[0.2, 0.2, 0.2], [0.9, 0.3, 0.78], [1.2, 0.3, 0.78], [1.8, 0.2, 0.2]])


def places(curve: Curve, count: int = 1500) -> Points:
    points: Points = curve.places(np.linspace(0, curve.length, count))
    return points


def test_curves_join_start_and_goal_in_free_space(room: Room) -> None:
    curves = rounded(OVER_THE_WALL, FreeSpace(room))
    points = np.concatenate([places(curve) for curve in curves])
    assert np.allclose(points[[0, -1]], OVER_THE_WALL[[0, -1]], atol=1e-12)
    assert np.linalg.norm(np.diff(points, axis=0), axis=1).max() < 0.01
    assert clear_of_all(room, points)


def test_a_curve_keeps_its_direction(room: Room) -> None:
    for curve in rounded(OVER_THE_WALL, FreeSpace(room)):
        lengths = np.linspace(0, curve.length, 1500)
        ways = curve.places(lengths, nu=1)
        assert np.allclose(np.linalg.norm(ways, axis=1), 1, atol=0.01)
        assert np.linalg.norm(np.diff(ways, axis=0), axis=1).max() < 0.2


def test_bends_that_are_too_tight_are_stops(room: Room) -> None:
    back = np.array([[0.2, 0.2, 0.5], [0.8, 0.2, 0.5], [0.2, 0.22, 0.5], [0.2, 0.8, 0.5]])
    curves = rounded(back, FreeSpace(room))
    assert len(curves) == 2
    assert np.allclose(places(curves[0])[-1], back[1])
    assert np.allclose(places(curves[1])[0], back[1])


def test_where_no_bend_is_free_the_drone_stops(room: Room) -> None:
    edge = np.array([1.0 - 0.0455, 0.3, 0.7 + 0.0455])  # as near to the wall as it may come
    corners = edge + np.array([[0, 0, -0.4], [0, 0, 0], [0.5, 0, 0]])
    curves = rounded(corners, FreeSpace(room))
    assert len(curves) == 2
    assert all(clear_of_all(room, places(curve)) for curve in curves)


def test_where_space_is_narrow_bends_are_tighter(room: Room) -> None:
    # Around the upper edge of the wall, near to it and far from it.
    edge, ways = np.array([1.0, 0.3, 0.7]), np.array([[0, 0, -0.4], [0, 0, 0], [0.5, 0, 0]])
    near, far = (edge + np.array([-gap, 0, gap]) + ways for gap in (0.06, 0.15))
    sharpest = []
    for corners in (near, far):
        (curve,) = rounded(corners, FreeSpace(room))
        assert clear_of_all(room, places(curve))
        bends = curve.places(np.linspace(0, curve.length, 1500), nu=2)
        sharpest.append(np.linalg.norm(bends, axis=1).max())
    assert sharpest[0] > 2 * sharpest[1]


corner = st.tuples(*[st.floats(0.1, 0.8)] * 2, st.floats(0.78, 0.9)).map(np.array)


@settings(max_examples=20)
@given(st.lists(corner, min_size=2, max_size=5))
def test_rounding_makes_no_detour(room: Room, corners: list[Points]) -> None:
    sides = [float(np.linalg.norm(end - start)) for start, end in pairwise(corners)]
    if min(sides) < 0.05:
        return
    curves = rounded(np.array(corners), FreeSpace(room))
    assert np.allclose(places(curves[-1])[-1], corners[-1], atol=1e-9)
    assert sum(curve.length for curve in curves) <= sum(sides) + 1e-9


def test_one_place_needs_no_curve(room: Room) -> None:
    assert rounded(OVER_THE_WALL[:1], FreeSpace(room)) == []


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
