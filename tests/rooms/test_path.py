"""Free lines through a room, and a path straightened along them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.rooms import Room, room_from_mjcf
from phil.rooms.path import FreeSpace, _far_apart_first, straightened
from tests.rooms.small_room import ACROSS, clear_of_all, mjcf, searched, write_mjcf


def test_a_line_is_free_if_it_meets_nothing(room: Room) -> None:
    space = FreeSpace(room)
    west, east = np.array([0.2, 0.2, 0.2]), np.array([1.8, 0.2, 0.2])
    above = np.array([0, 0, 0.65])
    assert space.has_line(west, west + above)
    assert not space.has_line(west, east)
    assert space.has_line(west + above, east + above)


def test_extra_room_is_kept(room: Room) -> None:
    # The wall's top is 0.7 m high; the drone with its margin takes 4.5 cm.
    line = np.array([[0.2, 0.2, 0.75], [1.8, 0.2, 0.75]])
    assert FreeSpace(room).has_line(*line)
    assert FreeSpace(room, extra=0.004).has_line(*line)
    assert not FreeSpace(room, extra=0.006).has_line(*line)


@pytest.mark.parametrize("thickness", [0.001, 0.01])
def test_even_thin_things_block_a_line(room: Room, thickness: float) -> None:
    space = FreeSpace(room)
    places = np.array([[1.05 - 0.05 - 0.045 - thickness, 0.2, 0.3], [1.0 - 0.044, 0.2, 0.3]])
    assert space.free(places).tolist() == [True, False]


@given(st.integers(1, 300))
def test_every_place_of_a_line_is_asked_once(count: int) -> None:
    assert sorted(_far_apart_first(count)) == list(range(count))


def test_few_free_lines_join_start_and_goal(room: Room) -> None:
    task, result = searched(room, *ACROSS)
    grid = task.problem.graph
    assert isinstance(grid, GridGraph)
    cells = [grid.cell(int(node)) for node in result.path]
    corners = straightened(room, cells, FreeSpace(room))
    assert np.array_equal(corners[0], room.centre(ACROSS[0]))
    assert np.array_equal(corners[-1], room.centre(ACROSS[1]))
    assert 3 <= len(corners) <= 6 < len(cells)
    for start, end in pairwise(corners):
        assert clear_of_all(room, np.linspace(start, end, 400))


def test_a_straight_path_is_one_line(room: Room) -> None:
    cells = [(x, 2, 8) for x in range(2, 18)]
    corners = straightened(room, cells, FreeSpace(room))
    assert np.array_equal(corners, [room.centre(cells[0]), room.centre(cells[-1])])


def test_something_between_two_voxels_is_an_error(tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    sheet = '<geom type="box" size=".005 1 .5" pos="1 1 .5"/>'
    thin = room_from_mjcf(write_mjcf(tmp_path, mjcf(sheet)), voxel=0.4)
    cells = [(x, 1, 1) for x in range(5)]
    assert all(thin.free[cell] for cell in cells)
    with pytest.raises(InputError, match=r"\(2, 1, 1\) and \(3, 1, 1\).*choose smaller voxels"):
        straightened(thin, cells, FreeSpace(thin))
