"""Coarse maps: the majority decides, and what has no path is counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.problems.generated import maps as generated
from reproduction.ablations.coarse import BLOCK, coarse_set, coarsen, open_coarse

Map = NDArray[np.bool_]


def blocks(*rows: str) -> Map:
    """A map of whole blocks: `.` is free, `#` is not."""
    free = np.array([[letter == "." for letter in row] for row in rows])
    return np.kron(free, np.ones((BLOCK, BLOCK), bool)).astype(bool)


@given(arrays(bool, st.tuples(st.integers(5, 23), st.integers(5, 23))))
def test_a_cell_is_free_when_at_least_13_of_its_25_are(free: Map) -> None:
    coarse = coarsen(free)
    assert coarse.shape == (free.shape[0] // 5, free.shape[1] // 5)
    for row, column in np.ndindex(coarse.shape):
        block = free[5 * row : 5 * row + 5, 5 * column : 5 * column + 5]
        assert coarse[row, column] == (block.sum() >= 13)


def test_a_map_that_is_smaller_than_a_block() -> None:
    with pytest.raises(InputError, match="no block of 5x5"):
        coarsen(np.ones((4, 30), bool))


def test_maps_without_a_path_are_left_out_and_counted() -> None:
    maps = {
        "open": blocks("..", ".."),
        "start": blocks("..", "#."),
        "goal": blocks(".#", ".."),
        "walled": blocks("#.", ".#"),  # joined by a diagonal move only
    }
    found = coarse_set("mine", {"train": maps, "test": {"1": maps["open"]}})
    assert found.unsolvable == {"train": 3, "test": 0}
    [problem] = found.problems.train
    assert problem.name == "mine/train/open"
    assert isinstance(problem.graph, GridGraph)
    assert problem.graph.connectivity == 4
    assert problem.graph.cell(problem.start) == (1, 0)
    assert problem.graph.cell(problem.goal) == (0, 1)


def test_where_there_are_no_public_maps_they_are_generated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for split in ("train", "validation", "test"):
        monkeypatch.setitem(generated.COUNTS, split, 3)
    found = open_coarse("gaps_and_forest", tmp_path)
    assert found.problems.name == "coarse/generated/gaps_and_forest"
    for split, missing in found.unsolvable.items():
        assert len(found.problems.split(split)) + missing == 3


@pytest.mark.data
def test_the_public_maps() -> None:
    found = open_coarse("gaps_and_forest")
    assert found.problems.name == "coarse/grids/gaps_and_forest"
    assert found.unsolvable == {"train": 155, "validation": 20, "test": 22}
    assert {problem.graph.size for problem in found.problems.all} == {1600}
