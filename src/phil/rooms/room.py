"""Room: a MuJoCo scene divided into voxels, checked for collisions in advance or on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.graphs.checks import read_only
from phil.graphs.grid import Cell, GridGraph, grid_moves
from phil.graphs.implicit import ImplicitGraph
from phil.rooms.checker import DRONE, CollisionChecker, Drone
from phil.rooms.scene import RED, Cuboid, add_cuboid

CONNECTIVITY = 6
BLOCK = 5  # voxels along each side of an obstacle
BLOCKS = 5  # obstacles in a room of the paper


@dataclass(frozen=True, eq=False)
class Room:
    """A scene without a drone, divided into voxels.

    A voxel (x, y, z) is free if the drone, with its margin, touches nothing when its centre is at
    the voxel's centre. Drones move between the centres of adjacent voxels, by default across their
    6 faces. With 18 or 26 neighbours, all voxels of the box spanned by a move must be free (corner
    rule `both_free`), so no corners are cut.

    Parameters
    ----------
    name : str
        The name of the room.
    build : callable
        Returns the scene as a new `mujoco.MjSpec`.
    origin : tuple of float
        The lower corner of voxel (0, 0, 0) in metres.
    shape : tuple of int
        The number of voxels along x, y and z.
    voxel : float
        The side of a voxel in metres.
    drone : Drone, optional
        The drone that must fit.
    blocks : tuple of cells, optional
        Additional obstacles of 5 x 5 x 5 voxels, given by their lowest voxel.
    furnished : Room, optional
        If there are blocks, the same room without them.
    known : array of bool, optional
        Which voxels are free, if that has been checked already.
    """

    name: str
    build: Callable[[], Any]
    origin: tuple[float, float, float]
    shape: tuple[int, int, int]
    voxel: float
    drone: Drone = DRONE
    blocks: tuple[tuple[int, int, int], ...] = ()
    furnished: Room | None = None
    known: NDArray[np.bool_] | None = None

    def __repr__(self) -> str:
        size = " x ".join(map(str, self.shape))
        return f"Room({self.name}, {size} voxels of {self.voxel:g} m, {len(self.blocks)} blocks)"

    def with_blocks(self, blocks: Iterable[tuple[int, int, int]]) -> Room:
        """The room with exactly these obstacles."""
        base = self.furnished or self
        return replace(base, blocks=tuple(blocks), furnished=base, known=None)

    def with_random_blocks(self, random: np.random.Generator, count: int = BLOCKS) -> Room:
        """The room with randomly placed obstacles, which may overlap furniture."""
        highest = [max(side - BLOCK, 0) + 1 for side in self.shape]
        cells = random.integers(0, highest, (count, 3))
        return self.with_blocks((int(x), int(y), int(z)) for x, y, z in cells)

    def spec(self) -> Any:
        """The scene as a new `mujoco.MjSpec`, blocks included."""
        spec = self.build()
        for block in self.blocks:
            x, y, z = (
                (start + self.voxel * low, start + self.voxel * min(low + BLOCK, side))
                for start, low, side in zip(self.origin, block, self.shape, strict=True)
            )
            add_cuboid(spec, Cuboid(x, y, z, RED))
        return spec

    def centre(self, cell: Cell) -> NDArray[np.float64]:
        """The centre of a voxel in metres."""
        return np.array(self.origin) + self.voxel * (np.array(cell) + 0.5)

    def checker(self) -> CollisionChecker:
        """A new collision checker for this room."""
        return CollisionChecker(self.spec(), self.drone, self.centre)

    @cached_property
    def free(self) -> NDArray[np.bool_]:
        """Which voxels are free; each is checked in MuJoCo once, and blocks fill whole voxels."""
        if self.known is not None:
            free = self.known.copy()
        elif self.furnished is None:
            checker = self.checker()
            cells = product(*map(range, self.shape))
            free = np.array([checker.is_free(cell) for cell in cells]).reshape(self.shape)
        else:
            free = self.furnished.free.copy()
            for x, y, z in self.blocks:
                free[x : x + BLOCK, y : y + BLOCK, z : z + BLOCK] = False
        return read_only(free)

    def grid(self, connectivity: int = CONNECTIVITY) -> GridGraph:
        """The free voxels as an explicit graph."""
        return GridGraph(self.free, connectivity=connectivity, corners="both_free")

    def implicit(
        self, checker: CollisionChecker, connectivity: int = CONNECTIVITY
    ) -> ImplicitGraph[Cell]:
        """The same graph, with voxels checked for collisions only on demand."""
        spans = _spans(connectivity)
        shape, is_free = self.shape, checker.is_free

        def neighbors(cell: Cell) -> list[Cell]:
            x, y, z = cell
            found = []
            for (right, up, high), between in spans:
                target = x + right, y + up, z + high
                if (
                    0 <= target[0] < shape[0]
                    and 0 <= target[1] < shape[1]
                    and 0 <= target[2] < shape[2]
                    and is_free(target)
                    and all(is_free((x + i, y + j, z + k)) for i, j, k in between)
                ):
                    found.append(target)
            return found

        return ImplicitGraph.on_grid(neighbors, self.shape, connectivity=connectivity)


def _spans(connectivity: int) -> list[tuple[Cell, list[Cell]]]:
    """Each move, with the other voxels of the box it spans."""
    moves = [tuple(move) for move in grid_moves(connectivity, axes=3).offsets.tolist()]
    return [
        (
            move,
            [part for part in product(*({0, step} for step in move)) if any(part) and part != move],
        )
        for move in moves
    ]
