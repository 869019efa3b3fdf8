"""Rooms as voxels and as collision checks."""

from __future__ import annotations

import sys
from itertools import product

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs.grid import GridGraph
from phil.rooms import Room, built_in_room, room_adversarial, room_simple
from phil.rooms.plans import PLANS, table
from phil.rooms.scene import Cuboid, build_scene

pytest.importorskip("mujoco")


def small_room(blocks: bool = True) -> Room:
    """A room of 12 x 10 x 8 voxels with a table and a panel that hangs from the ceiling."""
    boxes = [
        *table((0.3, 0.8), (0.2, 0.7)),
        Cuboid((0.85, 0.9), (0.0, 0.6), (0.35, 0.8), (1, 1, 1)),
    ]
    room = Room(
        "small", lambda: build_scene("small", boxes, (1.2, 1.0, 0.8)), (0, 0, 0), (12, 10, 8), 0.1
    )
    return room.with_blocks([(0, 5, 0)]) if blocks else room


def asked_of_mujoco(room: Room) -> np.ndarray:
    checker = room.checker()
    cells = product(*map(range, room.shape))
    return np.array([checker.is_free(cell) for cell in cells]).reshape(room.shape)


@pytest.mark.parametrize("name", PLANS)
def test_voxels_and_collision_checks_agree_on_every_voxel(name: str) -> None:
    room = built_in_room(name).with_random_blocks(np.random.default_rng(7))
    assert (room.free == asked_of_mujoco(room)).all()
    assert 0.6 < room.free.mean() < 0.9


@pytest.mark.parametrize("connectivity", [6, 18, 26])
def test_the_explicit_and_the_implicit_graph_agree_on_every_edge(connectivity: int) -> None:
    room = small_room()
    grid = room.grid(connectivity)
    assert (grid.connectivity, grid.corners) == (connectivity, "both_free")
    graph = room.implicit(room.checker(), connectivity)
    for node in np.flatnonzero(grid.free):
        cell = grid.cell(int(node))
        discovery = graph.discover(cell, cell)
        discovery.reveal([discovery.start])
        arrays = discovery.arrays
        found = [
            grid.node(*discovery.nodes[k]) for k in arrays.indices[arrays.first[0] : arrays.last[0]]
        ]
        assert found == grid.neighbors(int(node)).tolist(), cell


def test_blocks_take_exactly_their_voxels() -> None:
    room = small_room(blocks=False)
    blocked = room.with_blocks([(5, 4, 2)])
    taken = room.free & ~asked_of_mujoco(blocked)
    expected = np.zeros(room.shape, bool)
    expected[5:10, 4:9, 2:7] = True
    assert (taken == (expected & room.free)).all()
    assert blocked.with_blocks([]).free.tolist() == room.free.tolist()


def test_random_blocks_depend_on_the_generator_alone() -> None:
    one, two, other = (
        room_simple().with_random_blocks(np.random.default_rng(seed)).blocks for seed in (1, 1, 2)
    )
    assert one == two != other
    assert len(one) == 5
    assert all(
        0 <= low <= side - 5 for block in one for low, side in zip(block, (50, 50, 25), strict=True)
    )


def test_no_drone_flies_under_furniture() -> None:
    for room in (room_simple(), room_adversarial()):
        free = room.free
        # Below a blocked voxel nothing is free: the rooms have no shelf, lamp or bridge.
        assert not (free[:, :, :-1] & ~free[:, :, 1:]).any()


def test_the_tables_of_the_adversarial_room_reach_to_a_wall() -> None:
    height = 5  # below the boards
    across = room_adversarial().free[:, 25, height]
    assert not across[8:].any()
    assert across[7]
    assert room_simple().free[:, 25, height].sum() > across.sum()


@pytest.mark.parametrize("name", PLANS)
def test_between_joined_voxels_nothing_is_in_the_way(name: str) -> None:
    room = built_in_room(name)
    checker = room.checker()
    free = room.free
    for axis in range(3):
        low = np.argwhere(
            np.logical_and(
                *(np.take(free, range(k, free.shape[axis] - 1 + k), axis) for k in (0, 1))
            )
        )
        # Where nothing is near, nothing can be between.
        near = np.array([cell for cell in low if not _around(free, cell).all()])
        step = 0.05 * np.eye(3)[axis]
        assert all(checker.is_free_at(room.centre(tuple(cell)) + step) for cell in near)


def _around(free: np.ndarray, cell: np.ndarray) -> np.ndarray:
    return free[tuple(slice(max(0, place - 1), place + 3) for place in cell)]


def test_checks_are_counted_once_a_voxel_until_reset() -> None:
    checker = small_room().checker()
    assert checker.is_free((0, 0, 0)) is checker.is_free((0, 0, 0)) is True
    assert checker.is_free((5, 4, 5)) is False
    assert checker.checks == 2
    assert checker.seconds > 0
    checker.reset()
    assert (checker.checks, checker.seconds) == (0, 0.0)


def test_the_margin_is_kept() -> None:
    room = small_room(blocks=False)
    checker = room.checker()
    wall = room.drone.radius + room.drone.margin
    assert checker.is_free_at(np.array([wall + 1e-3, 0.1, 0.1]))
    assert not checker.is_free_at(np.array([wall - 1e-3, 0.1, 0.1]))


def test_the_grid_keeps_nothing_of_mujoco() -> None:
    grid = small_room().grid()
    assert isinstance(grid, GridGraph)
    assert not grid.free.flags.writeable


def test_without_mujoco_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(InputError, match=r"pip install 'phil-search\[rooms\]'"):
        small_room().checker()
