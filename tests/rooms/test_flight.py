"""From a search to a flight, and the simulation of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from phil.errors import InputError
from phil.evaluation.methods import parse_method
from phil.rooms import Room, room_from_mjcf
from phil.rooms.checker import DRONE_NAME
from phil.rooms.flight import fly, fly_problem, plan
from phil.rooms.path import FreeSpace, Points
from phil.rooms.problems import random_ends, random_flight
from phil.rooms.quadrotor import GRAVITY, flight_spec
from phil.rooms.trajectory import Trajectory, rounded, timed
from phil.search import Limits
from tests.rooms.small_room import ACROSS, clear_of_all, odd_mjcf, searched, write_mjcf


def test_a_path_over_a_wall_is_flown_without_contact(room: Room) -> None:
    task, result = searched(room, *ACROSS)
    flown = fly_problem(task, result)
    assert (flown.contacts, flown.touched) == (0, ())
    assert repr(flown).startswith("Flight(2.07 m in 5.0 s, contacts=0, mean error")
    assert flown.mean_error < 0.005
    assert flown.largest_error < room.drone.margin
    assert np.allclose(flown.flown[0], room.centre(ACROSS[0]))
    assert np.allclose(flown.flown[-1], room.centre(ACROSS[1]), atol=0.002)


@pytest.mark.parametrize("method", ["astar", "greedy(euclidean)"])
@pytest.mark.parametrize("seed", range(3))
def test_trajectories_stay_in_free_space(room: Room, method: str, seed: int) -> None:
    task = random_flight(room, "small", seed)
    result = parse_method(method).search(task.problem)
    trajectory = plan(task, result)
    times = np.linspace(0, trajectory.seconds, 2000)
    assert clear_of_all(task.room, trajectory.at(times))
    assert fly_problem(task, result).contacts == 0


def test_a_room_can_keep_what_is_in_it(room: Room) -> None:
    first, again, other = (random_ends(room, "small", seed) for seed in (0, 0, 1))
    assert first.room.blocks == ()
    ends = [(each.problem.start, each.problem.goal) for each in (first, again, other)]
    assert ends[0] == ends[1] != ends[2]


def test_where_it_starts_it_stays(room: Room) -> None:
    flown = fly_problem(*searched(room, ACROSS[0], ACROSS[0]))
    assert flown.length == 0
    assert flown.contacts == 0


def test_a_flight_longer_than_memory_is_refused(room: Room) -> None:
    trajectory = plan(*searched(room, *ACROSS))
    with pytest.raises(InputError, match="a flight of 1000000000000 s needs"):
        fly(room, replace(trajectory, seconds=1e12))


def test_without_a_path_there_is_no_flight(room: Room) -> None:
    task, _ = searched(room, *ACROSS)
    stopped = parse_method("bfs").search(task.problem, Limits(expansions=2))
    with pytest.raises(InputError, match="no path to fly: the search ended with 'limit'"):
        plan(task, stopped)


class Anywhere(FreeSpace):
    """Takes everything for free space."""

    def free(self, points: Points) -> NDArray[np.bool_]:
        return np.ones(len(points), np.bool_)


def straight(room: Room, start: list[float], end: list[float]) -> Trajectory:
    """A trajectory along a line, whatever stands there."""
    return timed(rounded(np.array([start, end]), Anywhere(room)), np.array(start))


def test_the_drone_hovers(room: Room) -> None:
    place = np.array([0.5, 0.5, 0.5])
    flown = fly(room, timed([], place))
    assert flown.contacts == 0
    assert flown.largest_error < 1e-4
    assert flown.length == 0


def test_the_drone_tracks_a_line(room: Room) -> None:
    flown = fly(room, straight(room, [0.2, 0.2, 0.85], [1.8, 0.2, 0.85]))
    assert (flown.contacts, flown.touched) == (0, ())
    assert flown.length == pytest.approx(1.6)
    assert np.linalg.norm(flown.flown[-1] - [1.8, 0.2, 0.85]) < 0.001
    assert 0 < flown.mean_error < 0.002
    assert flown.mean_error < flown.largest_error < 0.005
    assert np.allclose(np.linalg.norm(flown.attitudes, axis=1), 1)


def test_a_flight_through_furniture_has_contacts(room: Room) -> None:
    flown = fly(room, straight(room, [0.2, 0.2, 0.3], [1.8, 0.2, 0.3]))
    assert flown.contacts > 0
    assert "wall" in flown.touched
    assert flown.largest_error > 0.05


def test_the_same_flight_twice_is_the_same(room: Room) -> None:
    trajectory = straight(room, [0.2, 0.2, 0.85], [0.6, 0.5, 0.4])
    first, second = fly(room, trajectory), fly(room, trajectory)
    assert np.array_equal(first.flown, second.flown)
    assert np.array_equal(first.attitudes, second.attitudes)


def test_what_a_file_sets_changes_nothing(room: Room, tmp_path: Path) -> None:
    odd = room_from_mjcf(write_mjcf(tmp_path, odd_mjcf()), voxel=0.1)
    trajectory = straight(room, [0.2, 0.2, 0.85], [1.8, 0.2, 0.85])
    plain, other = fly(room, trajectory), fly(odd, trajectory)
    assert other.contacts == 0
    assert np.allclose(plain.flown, other.flown, atol=1e-9)


def test_loose_things_stand_still_and_can_be_hit(room: Room, tmp_path: Path) -> None:
    odd = room_from_mjcf(write_mjcf(tmp_path, odd_mjcf()), voxel=0.1)
    flown = fly(odd, straight(room, [0.3, 1.2, 0.6], [0.3, 1.7, 0.6]))
    assert flown.touched == ("ball",)


def test_the_drone_weighs_what_it_should(room: Room) -> None:
    model = flight_spec(room).compile()
    body = model.body(DRONE_NAME)
    assert body.mass[0] == pytest.approx(room.drone.mass)
    assert model.opt.gravity.tolist() == [0, 0, -GRAVITY]
    assert model.geom(DRONE_NAME).margin[0] == 0
