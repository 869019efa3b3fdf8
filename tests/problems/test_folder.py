"""A user's own folder of maps or graphs."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.heuristics.classical import euclidean
from phil.problems.folder import open_folder
from phil.problems.problem import Problem, ProblemSet
from phil.search import search

OPEN = np.ones((3, 4), bool)


def save(path: Path, free: NDArray[np.bool_] = OPEN) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(free * np.uint8(255)).save(path, "png")


def names(problems: Sequence[Problem], folder: Path) -> list[str]:
    return [problem.name.removeprefix(f"{folder}/") for problem in problems]


def ends(problems: ProblemSet) -> list[tuple[int, int]]:
    return [(problem.start, problem.goal) for problem in problems.all]


def test_split_folders_are_the_splits(tmp_path: Path) -> None:
    for name in ("train/b.png", "train/a.PNG", "validation/c.png", "test/d.png"):
        save(tmp_path / name)
    np.save(tmp_path / "test" / "e.npy", OPEN)
    (tmp_path / "train" / "notes.txt").write_text("not a map")
    (tmp_path / "train" / ".hidden.png").write_text("not a map")
    problems = open_folder(tmp_path)
    assert problems.name == str(tmp_path)
    assert names(problems.train, tmp_path) == ["train/a.PNG", "train/b.png"]
    assert names(problems.validation, tmp_path) == ["validation/c.png"]
    assert names(problems.test, tmp_path) == ["test/d.png", "test/e.npy"]


def test_a_missing_split_folder_is_an_empty_split(tmp_path: Path) -> None:
    save(tmp_path / "test" / "a.png")
    problems = open_folder(tmp_path)
    assert (len(problems.train), len(problems.validation), len(problems.test)) == (0, 0, 1)


def test_a_flat_folder_is_split_80_10_10(tmp_path: Path) -> None:
    for number in range(20):
        save(tmp_path / f"{number}.png")
    problems = open_folder(tmp_path)
    assert (len(problems.train), len(problems.validation), len(problems.test)) == (16, 2, 2)
    assert sorted(names(problems.all, tmp_path)) == sorted(f"{number}.png" for number in range(20))
    again = open_folder(tmp_path, seed=5)
    assert names(again.all, tmp_path) == names(problems.all, tmp_path)


def test_maps_of_different_sizes(tmp_path: Path) -> None:
    save(tmp_path / "train" / "a.png", np.ones((1, 9), bool))
    save(tmp_path / "train" / "b.png", np.ones((1, 1), bool))
    wide, single = open_folder(tmp_path).train
    assert (wide.start, wide.goal) == (0, 8)
    result = search(single.graph, single.start, single.goal, euclidean)
    assert (result.solved, result.expansions) == (True, 1)


def test_random_pairs(tmp_path: Path) -> None:
    blocked_corner = OPEN.copy()
    blocked_corner[-1, 0] = False
    save(tmp_path / "a.png", blocked_corner)
    with pytest.raises(InputError, match=r"a\.png: the bottom-left.*--pairs random"):
        open_folder(tmp_path)
    problem = open_folder(tmp_path, pairs="random", seed=1).train[0]
    assert problem.start != problem.goal


def test_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no maps or graphs"):
        open_folder(tmp_path)
    (tmp_path / "train").mkdir()
    with pytest.raises(InputError, match="holds no maps or graphs"):
        open_folder(tmp_path)


def test_maps_beside_split_folders(tmp_path: Path) -> None:
    save(tmp_path / "train" / "a.png")
    save(tmp_path / "b.png")
    with pytest.raises(InputError, match=r"both maps or graphs \(b\.png\) and a folder train"):
        open_folder(tmp_path)


def test_a_bad_map_is_named(tmp_path: Path) -> None:
    save(tmp_path / "train" / "a.png")
    (tmp_path / "train" / "b.png").write_bytes(b"no picture")
    with pytest.raises(InputError, match=r"train/b\.png does not have a known format"):
        open_folder(tmp_path)
    save(tmp_path / "train" / "b.png", ~OPEN)
    with pytest.raises(InputError, match=r"train/b\.png: every cell is blocked"):
        open_folder(tmp_path)


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*gone: No such file"):
        open_folder(tmp_path / "gone")


EDGES = "p sp 4 3\na 1 2 5\na 2 3 5\na 3 4 5\n"
PLACES = "p aux sp co 4\nv 1 0 0\nv 2 1 0\nv 3 2 0\nv 4 3 0\n"
GRID = "type octile\nheight 2\nwidth 3\nmap\n...\n.@.\n"


def test_graph_files_have_random_pairs(tmp_path: Path) -> None:
    for number in range(10):
        (tmp_path / f"{number}.gr").write_text(EDGES)
        (tmp_path / f"{number}.co").write_text(PLACES)
    (tmp_path / "packed.gr.gz").write_bytes(gzip.compress(EDGES.encode()))
    problems = open_folder(tmp_path)
    assert {problem.name.split("/")[-2] for problem in problems.all} == {
        *(f"{number}.gr" for number in range(10)),
        "packed.gr.gz",
    }
    # At least as many as of a single graph, equally many of every graph.
    assert (len(problems.train), len(problems.validation), len(problems.test)) == (603, 60, 100)
    assert len({id(problem.graph) for problem in problems.train}) == 9
    assert ends(open_folder(tmp_path)) == ends(problems) != ends(open_folder(tmp_path, seed=1))


def test_what_belongs_to_a_graph_is_no_graph(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("source,target\nx,y\n")
    (tmp_path / "a.nodes.csv").write_text("id,x,y\nx,0,0\ny,1,0\nz,2,0\n")
    (tmp_path / "b.csv").write_text("source,target\nx,y\n")
    (tmp_path / "nodes.csv").write_text("id\nx\ny\nz\nw\n")
    (tmp_path / "a.scen").write_text("version 1\n")
    problems = open_folder(tmp_path)
    sizes = {problem.name.split("/")[-2]: problem.graph.size for problem in problems.all}
    assert sizes == {"a.csv": 3, "b.csv": 4}


def test_the_picture_of_a_ros_map_is_no_map_of_its_own(tmp_path: Path) -> None:
    save(tmp_path / "room.png")
    (tmp_path / "room.yaml").write_text(
        "image: room.png\nresolution: 0.05\norigin: [0.0, 0.0, 0.0]\nnegate: 0\n"
        "occupied_thresh: 0.65\nfree_thresh: 0.196\n"
    )
    [problem] = open_folder(tmp_path).all
    assert problem.name == f"{tmp_path}/room.yaml"


def test_a_count_of_random_pairs_is_for_all_graphs_together(tmp_path: Path) -> None:
    for number in range(12):
        (tmp_path / f"{number}.map").write_text(GRID)
    one_each = open_folder(tmp_path, pairs="random")
    assert len(one_each.all) == 12
    more = open_folder(tmp_path, pairs="random", count=25)
    assert (len(more.train), len(more.validation), len(more.test)) == (25, 2, 25)
    graphs = [problem.graph for problem in more.train[:10]]
    assert len({id(graph) for graph in graphs}) == 10  # in turn
    assert ends(more)[:10] == ends(one_each)[:10]
    with pytest.raises(InputError, match="use --count only with --pairs random"):
        open_folder(tmp_path, count=3)
    with pytest.raises(InputError, match="--count must be at least 1, not 0"):
        open_folder(tmp_path, pairs="random", count=0)


def test_maps_of_any_format_keep_their_rules(tmp_path: Path) -> None:
    save(tmp_path / "train" / "a.png")
    (tmp_path / "train" / "b.map").write_text(GRID)
    first, second = open_folder(tmp_path).train
    assert isinstance(first.graph, GridGraph)
    assert isinstance(second.graph, GridGraph)
    assert (first.graph.corners, second.graph.corners) == ("allow", "both_free")


def test_one_kind_in_a_folder(tmp_path: Path) -> None:
    save(tmp_path / "a.png")
    (tmp_path / "b.gr").write_text(EDGES)
    with pytest.raises(InputError, match=r"keep one kind in a folder"):
        open_folder(tmp_path)


def test_graphs_have_no_corners(tmp_path: Path) -> None:
    (tmp_path / "b.gr").write_text(EDGES)
    with pytest.raises(InputError, match=r"b\.gr is not a 2D map.*--pairs random"):
        open_folder(tmp_path, pairs="corners")


def test_files_that_open_alone_are_found_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "friends.edges").write_text("alice bob\nbob carol\n")
    (tmp_path / "more.edgelist").write_text("0 1\n1 2\n")
    (tmp_path / "notes.txt").write_text("two words\n")
    problems = open_folder(tmp_path)
    files = {problem.name.split("/")[-2] for problem in problems.all}
    assert files == {"friends.edges", "more.edgelist"}
