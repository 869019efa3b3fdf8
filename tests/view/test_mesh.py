"""The rectangles of obstacles are their surface: every face once, and nothing else."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.typing import NDArray

from phil.view.mesh import DIRECTIONS, coarser, mesh

maps = arrays(bool, array_shapes(min_dims=3, max_dims=3, min_side=1, max_side=6))


def faces_one_by_one(blocked: NDArray[np.bool_], axis: int, side: int) -> set[tuple[int, ...]]:
    """(plane, a, b) of every face, by looking at each cell's neighbour."""
    found = set()
    for place in np.argwhere(blocked):
        beside = place.copy()
        beside[axis] += side
        inside = ((beside >= 0) & (beside < blocked.shape)).all()
        if not (inside and blocked[tuple(beside)]):
            plane = place[axis] + (side > 0)
            found.add((int(plane), *(int(place[other]) for other in range(3) if other != axis)))
    return found


@given(maps)
def test_rectangles_cover_every_face_once(blocked: NDArray[np.bool_]) -> None:
    for (axis, side), rectangles in zip(DIRECTIONS, mesh(blocked), strict=True):
        covered = [
            (plane, i, j)
            for plane, a, b, rows, columns in rectangles.tolist()
            for i in range(a, a + rows)
            for j in range(b, b + columns)
        ]
        assert len(covered) == len(set(covered))
        assert set(covered) == faces_one_by_one(blocked, axis, side)


def test_boxes_are_few_rectangles() -> None:
    blocked = np.zeros((50, 50, 25), bool)
    blocked[10:30, 10:20, :8] = blocked[40:50, 5:45, :18] = blocked[3:8, 30:35, 12:17] = True
    assert [len(rectangles) for rectangles in mesh(blocked)] == [3] * 5
    assert not any(map(len, mesh(np.zeros((3, 4, 5), bool))))


@given(maps, st.integers(1, 4))
def test_coarser_blocks_are_blocked_by_majority(blocked: NDArray[np.bool_], factor: int) -> None:
    blocks = coarser(blocked, factor)
    assert blocks.shape == tuple(-(-side // factor) for side in blocked.shape)
    for place in np.ndindex(blocks.shape):
        cells = blocked[tuple(slice(k * factor, (k + 1) * factor) for k in place)]
        if cells.shape == (factor,) * 3:  # those at the far ends are filled up with their last cell
            assert blocks[place] == (2 * cells.sum() >= cells.size)
