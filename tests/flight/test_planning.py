"""From a search to a flight."""

from __future__ import annotations

import numpy as np
import pytest

from phil.errors import InputError
from phil.evaluation.methods import parse_method
from phil.flight import fly_problem, plan
from phil.graphs.rooms import Room
from phil.problems.rooms import random_ends, random_flight
from phil.search import Limits
from tests.flight.rooms import ACROSS, clear_of_all, searched


def test_a_path_over_a_wall_is_flown_without_contact(room: Room) -> None:
    flight, result = searched(room, *ACROSS)
    flown = fly_problem(flight, result)
    assert (flown.contacts, flown.touched) == (0, ())
    assert flown.mean_error < 0.005
    assert flown.largest_error < room.drone.margin
    assert np.allclose(flown.flown[0], room.centre(ACROSS[0]))
    assert np.allclose(flown.flown[-1], room.centre(ACROSS[1]), atol=0.002)


@pytest.mark.parametrize("method", ["astar", "greedy(euclidean)"])
@pytest.mark.parametrize("seed", range(3))
def test_trajectories_stay_in_free_space(room: Room, method: str, seed: int) -> None:
    flight = random_flight(room, "small", seed)
    result = parse_method(method).search(flight.problem)
    trajectory = plan(flight, result)
    times = np.linspace(0, trajectory.seconds, 2000)
    assert clear_of_all(flight.room, trajectory.at(times))
    assert fly_problem(flight, result).contacts == 0


def test_a_room_can_keep_what_is_in_it(room: Room) -> None:
    first, again, other = (random_ends(room, "small", seed) for seed in (0, 0, 1))
    assert first.room.blocks == ()
    ends = [(each.problem.start, each.problem.goal) for each in (first, again, other)]
    assert ends[0] == ends[1] != ends[2]


def test_where_it_starts_it_stays(room: Room) -> None:
    flown = fly_problem(*searched(room, ACROSS[0], ACROSS[0]))
    assert flown.length == 0
    assert flown.contacts == 0


def test_without_a_path_there_is_no_flight(room: Room) -> None:
    flight, _ = searched(room, *ACROSS)
    stopped = parse_method("bfs").search(flight.problem, Limits(expansions=2))
    with pytest.raises(InputError, match="no path to fly: the search ended as 'limit'"):
        plan(flight, stopped)
