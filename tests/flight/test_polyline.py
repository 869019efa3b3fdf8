"""Straight lines instead of steps from voxel to voxel."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from phil.errors import InputError
from phil.flight.free_space import FreeSpace
from phil.flight.polyline import straightened
from phil.graphs import GridGraph
from phil.graphs.rooms import Room, room_from_mjcf
from tests.flight.rooms import ACROSS, clear_of_all, mjcf, searched, write_mjcf


def test_few_free_lines_join_start_and_goal(room: Room) -> None:
    flight, result = searched(room, *ACROSS)
    grid = flight.problem.graph
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
