"""The public 32 x 32 planning sets, on files written in their format."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.graphs.distances import hops_to
from phil.problems import list_sets, open_set
from phil.problems.problem import ProblemSet

SIDE = 12


def write(
    path: Path,
    counts: tuple[int, int, int] = (3, 2, 2),
    changes: Mapping[str, NDArray[Any] | None] | None = None,
) -> None:
    """A file with so many maps by split; `changes` replaces arrays by name (None: leaves out)."""
    random = np.random.default_rng(5)
    arrays: dict[str, NDArray[Any]] = {}
    for split, count in enumerate(counts):
        free = (random.random((count, SIDE, SIDE)) < 0.8).astype(np.float32)
        goals = np.zeros((count, 1, SIDE, SIDE), np.float32)
        for number in range(count):
            # The goal is a free cell with some free cells around it.
            free[number, 3:6, 3:6] = 1.0
            goals[number, 0, 4, 4] = 1.0
        first = 4 * split
        arrays[f"arr_{first}"], arrays[f"arr_{first + 1}"] = free, goals
        arrays[f"arr_{first + 2}"] = np.zeros((count, 8, 1, SIDE, SIDE), np.float32)
        arrays[f"arr_{first + 3}"] = np.zeros((count, 1, SIDE, SIDE), np.float32)
    named = arrays | dict(changes or {})
    kept = {name: array for name, array in named.items() if array is not None}
    np.savez_compressed(path, allow_pickle=False, **kept)


def facts(problems: ProblemSet) -> list[tuple[str, int, int]]:
    return [(problem.name, problem.start, problem.goal) for problem in problems.all]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write(tmp_path / "mazes_032_moore_c8.npz")
    return tmp_path


def test_three_problems_for_every_map(data: Path) -> None:
    problems = open_set("planning/mazes", data=data)
    assert [len(problems.split(s)) for s in ("train", "validation", "test")] == [9, 6, 6]
    assert problems.test[5].name == "planning/mazes/test/1/2"
    for problem in problems.all:
        grid = problem.graph
        assert isinstance(grid, GridGraph)
        assert (grid.shape, grid.diagonal_cost, grid.corners) == ((SIDE, SIDE), 1.0, "allow")
        assert grid.cell(problem.goal) == (4, 4)


def test_starts_lie_in_their_band_of_distances(data: Path) -> None:
    for number, problem in enumerate(open_set("planning/mazes", data=data).all):
        distances = hops_to(problem.graph, problem.goal)
        joined = distances[np.isfinite(distances)]
        low, high = ((55, 70), (70, 85), (85, 100))[number % 3]
        assert np.percentile(joined, low) <= distances[problem.start] <= np.percentile(joined, high)


def test_starts_depend_on_the_seed_alone(data: Path, tmp_path: Path) -> None:
    first = facts(open_set("planning/mazes", data=data))
    assert facts(open_set("planning/mazes", data=data)) == first
    assert facts(open_set("planning/mazes", data=data, seed=1)) != first
    # A map keeps its starts, whatever other maps there are.
    write(tmp_path / "forest_032_moore_c8.npz", (3, 1, 1))
    fewer = open_set("planning/forest", data=tmp_path)
    assert [start for _, start, _ in facts(fewer)[:9]] == [start for _, start, _ in first[:9]]


@pytest.mark.parametrize("folder", ["", "planning_datasets_032", "maps/planning_datasets_032"])
def test_where_files_are_looked_for(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    path = tmp_path / folder / "forest_032_moore_c8.npz"
    write(path)
    info = {info.name: info for info in list_sets(tmp_path)}["planning/forest"]
    assert (info.found, info.where, info.shape) == (True, str(path), (SIDE, SIDE))
    assert info.counts == {"train": 9, "validation": 6, "test": 6}


def test_without_the_file_it_says_where_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"forest_032.*planning-datasets.*PHIL_DATA"):
        open_set("planning/forest", data=tmp_path)
    assert not {info.name: info for info in list_sets(tmp_path)}["planning/forest"].found


def test_pairs_are_their_own(data: Path) -> None:
    with pytest.raises(InputError, match="fixed starts and goals"):
        open_set("planning/mazes", data=data, pairs="random")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"arr_4": None}, "lacks arr_4"),
        ({"arr_0": np.zeros((3, SIDE), np.float32)}, "train maps must be an array"),
        ({"arr_0": np.full((3, SIDE, SIDE), "1")}, "train maps must be numbers"),
        (
            {"arr_9": np.zeros((2, 1, SIDE, SIDE), np.float32)},
            "does not have exactly one goal",
        ),
    ],
)
def test_a_damaged_file(
    tmp_path: Path, changes: Mapping[str, NDArray[Any] | None], reason: str
) -> None:
    write(tmp_path / "mazes_032_moore_c8.npz", changes=changes)
    with pytest.raises(InputError, match=reason):
        open_set("planning/mazes", data=tmp_path)
    info = {info.name: info for info in list_sets(tmp_path)}["planning/mazes"]
    assert not info.found
    assert reason in info.where


def test_a_goal_that_too_few_cells_can_reach(tmp_path: Path) -> None:
    free = np.zeros((3, SIDE, SIDE), np.float32)
    free[:, 4, 4:6] = 1.0
    write(tmp_path / "mazes_032_moore_c8.npz", changes={"arr_0": free})
    with pytest.raises(InputError, match="planning/mazes/train/0: too few cells can reach"):
        open_set("planning/mazes", data=tmp_path)


def test_no_npz_at_all(tmp_path: Path) -> None:
    (tmp_path / "mazes_032_moore_c8.npz").write_bytes(b"damaged")
    with pytest.raises(InputError, match="cannot read"):
        open_set("planning/mazes", data=tmp_path)
