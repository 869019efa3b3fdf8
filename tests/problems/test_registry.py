"""Problem sets by name."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from phil.errors import InputError
from phil.graphs import Graph, GridGraph
from phil.problems import (
    ProblemSet,
    SetOptions,
    list_sets,
    open_set,
    register_problem_set,
    registry,
    single_graph_set,
)
from phil.problems.generated import FAMILIES, generate_maps
from phil.problems.registry import SOURCES, download_sets, set_names


def save_family(path: Path, count: int = 2) -> None:
    maps = np.ones((count, 3, 4), bool)
    np.savez_compressed(path, allow_pickle=False, train=maps, validation=maps, test=maps)


def test_a_public_family(tmp_path: Path) -> None:
    save_family(tmp_path / "mazes.npz")
    problems = open_set("grids/mazes", data=tmp_path)
    assert problems.name == "grids/mazes"
    assert len(problems.all) == 6


def test_a_generated_family() -> None:
    problems = open_set("generated/alternating_gaps", seed=3)
    assert (len(problems.train), len(problems.validation), len(problems.test)) == (600, 100, 100)
    last = problems.test[-1]
    assert last.name == "generated/alternating_gaps/test/99"
    assert isinstance(last.graph, GridGraph)
    maps = generate_maps("alternating_gaps", 100, 3, "test")
    np.testing.assert_array_equal(last.graph.free, maps[99])
    assert last.graph.cell(last.start) == (200, 0)
    assert last.graph.cell(last.goal) == (0, 200)


def test_all_families_together(tmp_path: Path) -> None:
    for count, family in enumerate(FAMILIES, start=2 * len(FAMILIES)):
        save_family(tmp_path / f"{family}.npz", count)
    problems = open_set("grids/all", data=tmp_path)
    assert problems.name == "grids/all"
    assert len(problems.train) == len(problems.test) == 2 * len(FAMILIES)
    # In turn, so that any first part of them has all families.
    assert [problem.name for problem in problems.train[: len(FAMILIES)]] == [
        f"grids/{family}/train/0" for family in FAMILIES
    ]
    [info] = [info for info in list_sets(tmp_path) if info.name == "grids/all"]
    assert info.counts == {split: 2 * len(FAMILIES) for split in ("train", "validation", "test")}


def test_all_families_need_every_one(tmp_path: Path) -> None:
    save_family(tmp_path / "mazes.npz")
    [info] = [info for info in list_sets(tmp_path) if info.name == "grids/all"]
    assert not info.found
    assert "grids/forest" in info.where
    with pytest.raises(InputError, match="public maps of"):
        open_set("grids/all", data=tmp_path)


def test_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").mkdir()
    Image.fromarray(np.full((3, 4), 255, np.uint8)).save(tmp_path / "mine" / "a.png")
    monkeypatch.chdir(tmp_path)
    assert open_set("mine").all[0].name == "mine/a.png"
    assert open_set(str(tmp_path / "mine")).all[0].graph.size == 12


def test_pairs_and_seed_apply_to_every_source(tmp_path: Path) -> None:
    save_family(tmp_path / "mazes.npz", 40)
    (tmp_path / "mine").mkdir()
    for number in range(20):
        Image.fromarray(np.full((3, 4), 255, np.uint8)).save(tmp_path / "mine" / f"{number}.png")
    for name in ("grids/mazes", str(tmp_path / "mine")):
        pairs = [
            [
                (problem.start, problem.goal)
                for problem in open_set(name, data=tmp_path, pairs="random", seed=seed).all
            ]
            for seed in (0, 0, 1)
        ]
        assert pairs[0] == pairs[1] != pairs[2]
        assert len(set(pairs[0])) > 1


def test_random_pairs_of_generated_maps() -> None:
    problem = open_set("generated/forest", pairs="random", count=1).train[0]
    assert (problem.start, problem.goal) != (200 * 201, 200)


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("grids/forrest", "grids/forest"),
        ("generated/maze", "generated/mazes"),
        ("grid/mazes", "grids/mazes"),
    ],
)
def test_an_unknown_name_gets_the_nearest(name: str, nearest: str) -> None:
    with pytest.raises(InputError, match=f"did you mean '{nearest}'.*folder of maps"):
        open_set(name)


@pytest.mark.parametrize("name", ["", "qqqq", "generated/qqqq"])
def test_a_name_like_no_other(name: str) -> None:
    with pytest.raises(InputError, match="unknown problem set"):
        open_set(name)


@pytest.mark.parametrize(
    "name", ["city.graphml", "no/such/folder", "my_maps/", "maps/level.map", "./forest", "a.npz.gz"]
)
def test_a_missing_file_is_called_one(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=f"^there is no file or folder {name} ") as raised:
        open_set(name)
    assert len(str(raised.value)) < 120  # no list of names


def test_a_missing_file_may_have_been_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "level.map").touch()
    with pytest.raises(
        InputError, match=r"no file or folder maps/levle\.map; did you mean maps/level"
    ):
        open_set("maps/levle.map")
    with pytest.raises(InputError, match="there is no file of pairs pairs/none"):
        open_set("generated/forest", pairs="pairs/none")


def test_a_map_file(tmp_path: Path) -> None:
    path = tmp_path / "map.png"
    Image.fromarray(np.full((3, 4), 255, np.uint8)).save(path)
    problems = open_set(str(path))
    assert (len(problems.train), len(problems.validation), len(problems.test)) == (600, 60, 100)
    assert problems.test[0].name == f"{path}/test/0"
    [corners] = open_set(str(path), pairs="corners").all
    assert (corners.start, corners.goal) == (8, 3)
    few = open_set(str(path), count=7)
    assert (len(few.train), len(few.validation), len(few.test)) == (7, 1, 7)
    assert [(problem.start, problem.goal) for problem in few.test] == [
        (problem.start, problem.goal) for problem in problems.test[:7]
    ]


def test_a_file_that_is_no_graph(tmp_path: Path) -> None:
    (tmp_path / "map.png").write_bytes(b"")
    with pytest.raises(InputError, match=r"map\.png is an empty file"):
        open_set(str(tmp_path / "map.png"))


def test_a_file_of_pairs_is_for_one_graph(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    for number in range(2):
        Image.fromarray(np.full((3, 4), 255, np.uint8)).save(tmp_path / "mine" / f"{number}.png")
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("0,0,2,3\n")
    with pytest.raises(InputError, match="has 2 graphs, but a file of pairs applies to one"):
        open_set(str(tmp_path / "mine"), pairs=str(pairs))
    (tmp_path / "mine" / "1.png").unlink()
    [problem] = open_set(str(tmp_path / "mine"), pairs=str(pairs)).all
    assert (problem.start, problem.goal, problem.name) == (0, 11, "pairs.csv:1")
    [same] = open_set(str(tmp_path / "mine" / "0.png"), pairs=str(pairs)).all
    assert (same.start, same.goal) == (0, 11)
    with pytest.raises(InputError, match="unknown choice of pairs 'randon'; did you mean 'random'"):
        open_set(str(tmp_path / "mine"), pairs="randon")


def test_a_count_of_random_pairs(tmp_path: Path) -> None:
    save_family(tmp_path / "mazes.npz", 4)
    problems = open_set("grids/mazes", data=tmp_path, pairs="random", count=6)
    assert (len(problems.train), len(problems.validation), len(problems.test)) == (6, 1, 6)
    with pytest.raises(InputError, match="--count"):
        open_set("grids/mazes", data=tmp_path, count=6)
    with pytest.raises(InputError, match="remove --count"):
        open_set("planning/mazes", data=tmp_path, count=6)


def test_the_list_of_sets(tmp_path: Path) -> None:
    save_family(tmp_path / "mazes.npz")
    (tmp_path / "forest.npz").write_bytes(b"damaged")
    pictures = tmp_path / "repository" / "single_bugtrap" / "test"
    pictures.mkdir(parents=True)
    for number in (900, 901):
        Image.fromarray(np.full((7, 8), 255, np.uint8)).save(pictures / f"{number}.png")
    sets = {info.name: info for info in list_sets(tmp_path)}
    maps = [
        *(f"grids/{family}" for family in (*FAMILIES, "all")),
        *(f"maps/{name}" for name in ("movingai", "any", "voxels")),
        *(f"generated/{family}" for family in (*FAMILIES, "all")),
        *(f"planning/{family}" for family in FAMILIES),
    ]
    assert list(sets)[: len(maps)] == maps
    assert list(sets) == list(set_names(tmp_path))
    mazes = sets["grids/mazes"]
    assert (mazes.found, mazes.where, mazes.shape) == (True, str(tmp_path / "mazes.npz"), (3, 4))
    assert mazes.counts == {"train": 2, "validation": 2, "test": 2}
    bugtrap = sets["grids/single_bugtrap"]
    assert (bugtrap.found, bugtrap.shape) == (True, (7, 8))
    assert bugtrap.counts == {"train": 0, "validation": 0, "test": 2}
    assert not sets["grids/forest"].found
    assert "forest.npz" in sets["grids/forest"].where
    missing = sets["grids/shifting_gaps"]
    assert (missing.found, missing.where) == (False, f"not in {tmp_path}")
    assert sets["generated/forest"].counts == {"train": 600, "validation": 100, "test": 100}


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> list[SetOptions]:
    """A set `mine/ring`, known for one test; what it was opened with."""
    monkeypatch.setattr(registry, "_registered", {})
    asked: list[SetOptions] = []

    def ring(options: SetOptions) -> ProblemSet:
        asked.append(options)
        graph = Graph.from_edges(9, [(node, (node + 1) % 9) for node in range(9)])
        return single_graph_set("mine/ring", graph, seed=options.seed, count=options.count)

    register_problem_set("mine/ring", ring)
    return asked


def test_a_registered_set_is_opened_and_listed(
    registered: list[SetOptions], tmp_path: Path
) -> None:
    problems = open_set("mine/ring", data=tmp_path, seed=3, count=5)
    assert repr(problems) == "ProblemSet('mine/ring', train=5, validation=1, test=5)"
    assert registered == [SetOptions(tmp_path, "random", 3, 5)]
    assert list_sets(tmp_path)[-1].name == "mine/ring"
    with pytest.raises(InputError, match="did you mean 'mine/ring'"):
        open_set("mine/rings")


@pytest.mark.parametrize("name", ["ring", "mine/", "/ring", "grids/ring"])
def test_names_that_cannot_be_registered(name: str) -> None:
    with pytest.raises(InputError, match=r"named SOURCE/SET|is built in"):
        register_problem_set(name, lambda options: ProblemSet(name))


def test_each_source_is_named_as_the_registry_names_it() -> None:
    for name, module in SOURCES.items():
        assert import_module(module).SOURCE.name == name


def test_sets_without_a_download_are_refused() -> None:
    for name in ("generated/mazes", "nowhere/mine"):
        with pytest.raises(InputError, match=f"{name} cannot be downloaded; sets of grids, cit"):
            download_sets([name])
