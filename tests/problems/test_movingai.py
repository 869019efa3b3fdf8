"""Sets of many maps: splits, rules, determinism, and what is said where data is missing."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.graphs.distances import hops_to
from phil.graphs.formats.movingai import write_movingai_map
from phil.graphs.formats.voxels import write_3dmap
from phil.problems import data_files, open_set
from phil.problems.generated import FAMILIES
from phil.problems.generated.spaces import generate_world
from phil.problems.movingai import BOX, MEMBERS, TEST, VALIDATION, find_maps, split_of
from phil.problems.problem import Problem, ProblemSet

FLAT = (
    *("dao/arena", "mazes/maze512-1-0", "dao/orz103d", "mapf/room-64-64-8"),
    *("dao/den520d", "sc1/BigGameHunters"),
)
COUNT = 48
REAL = os.environ.get("PHIL_DATA")
needs_maps = pytest.mark.skipif(
    not REAL or find_maps(Path(REAL)) is None, reason="MovingAI maps not found: set PHIL_DATA"
)


@pytest.fixture(autouse=True)
def no_data_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither `PHIL_DATA` nor the user's real cache."""
    monkeypatch.delenv("PHIL_DATA", raising=False)
    monkeypatch.setattr(data_files, "cache_folder", lambda: tmp_path / "cache")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small maps in the layout of the benchmarks, and the eight families."""
    folder = tmp_path_factory.mktemp("data")
    random = np.random.default_rng(0)
    for name in FLAT:
        path = folder / "maps" / f"{name}.map"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_movingai_map(path, GridGraph(random.random((20, 30)) < 0.85))
    (folder / "maps" / "warframe3d").mkdir()
    for name in ("Simple", "A1", "EC2", "Complex"):
        free = np.ones((60, 24, 20), bool)
        free[random.integers(60, size=9), random.integers(24, size=9), 10] = False
        write_3dmap(folder / "maps" / "warframe3d" / f"{name}.3dmap", GridGraph(free))
    (folder / "grids").mkdir()
    for family in FAMILIES:
        splits = {split: np.ones((4, 9, 9), bool) for split in ("train", "validation", "test")}
        np.savez_compressed(folder / "grids" / f"{family}.npz", allow_pickle=False, **splits)
    return folder


def map_of(problem: Problem) -> str:
    return "/".join(problem.name.split("/")[3:-1])


def check_splits(problems: ProblemSet) -> None:
    """No map is in two splits, and every problem has a path."""
    maps = {split: {map_of(p) for p in problems.split(split)} for split in ("train", "test")}
    maps["validation"] = {map_of(problem) for problem in problems.validation}
    assert all(maps.values())
    assert sum(map(len, maps.values())) == len(set().union(*maps.values()))
    for problem in problems.all:
        assert np.isfinite(hops_to(problem.graph, problem.goal)[problem.start])


def test_no_map_is_in_two_splits(data: Path) -> None:
    assert not VALIDATION & TEST
    check_splits(open_set("maps/movingai", data=data, count=COUNT))


def test_maps_of_the_benchmark_do_not_let_corners_be_cut(data: Path) -> None:
    problems = open_set("maps/movingai", data=data, count=COUNT)
    assert len(problems.train) == len(problems.test) == COUNT
    assert {split_of(map_of(problem)) for problem in problems.test} == {"test"}
    for problem in problems.all:
        assert isinstance(problem.graph, GridGraph)
        assert (problem.graph.connectivity, problem.graph.corners) == (8, "both_free")


def test_all_rules_and_families_occur_in_any(data: Path) -> None:
    problems = open_set("maps/any", data=data, count=COUNT)
    grids = [problem.graph for problem in problems.train if isinstance(problem.graph, GridGraph)]
    rules = Counter((grid.connectivity, grid.corners) for grid in grids)
    assert rules.keys() == {(8, "both_free"), (8, "allow"), (4, "allow")}
    assert {map_of(problem).split("/")[0] for problem in problems.train} >= set(FAMILIES)


@pytest.mark.parametrize("name", MEMBERS)
def test_problems_depend_on_the_seed_alone(data: Path, name: str) -> None:
    def pairs(seed: int) -> list[tuple[str, int, int]]:
        problems = open_set(f"maps/{name}", data=data, seed=seed, count=12)
        return [(problem.name, problem.start, problem.goal) for problem in problems.all]

    assert pairs(0) == pairs(0)
    assert pairs(0) != pairs(1)


def test_boxes_have_obstacles_and_both_rules(data: Path) -> None:
    problems = open_set("maps/voxels", data=data, count=12)
    grids = [problem.graph for problem in problems.all if isinstance(problem.graph, GridGraph)]
    assert {grid.connectivity for grid in grids} == {6, 26}
    for grid in grids:
        assert max(grid.shape) <= BOX
        assert grid.free.any()
        assert not grid.free.all()
    generated = [problem for problem in problems.train if "/generated/" in problem.name]
    assert len(generated) == len(problems.train) // 3
    assert not any("/generated/" in problem.name for problem in problems.test)
    assert {map_of(problem) for problem in problems.test} == {"Complex"}


def test_worlds_are_mostly_free_and_differ() -> None:
    random = np.random.default_rng(0)
    worlds = [generate_world(random) for _ in range(30)]
    assert len({world.shape for world in worlds}) > 10
    assert all(0.1 < world.mean() < 1 for world in worlds)


@pytest.mark.parametrize("name", MEMBERS)
def test_missing_maps_are_an_error_that_says_what_to_do(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"movingai\.com/benchmarks.*PHIL_DATA"):
        open_set(f"maps/{name}", data=tmp_path)


def test_missing_3d_maps_are_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "maps" / "dao").mkdir(parents=True)
    with pytest.raises(InputError, match=r"movingai\.com/benchmarks"):
        open_set("maps/voxels", data=tmp_path, count=3)


@needs_maps
def test_the_real_maps() -> None:
    assert REAL is not None
    problems = open_set("maps/movingai", data=Path(REAL))
    assert len(problems.test) == 260
    check_splits(problems)
    assert {map_of(problem) for problem in problems.test} == TEST
    assert {map_of(problem) for problem in problems.validation} == VALIDATION
