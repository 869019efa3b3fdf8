"""A user's own folder of maps."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from phil.errors import InputError
from phil.heuristics.geometric import Euclidean
from phil.problems.folder import _shuffled_split, open_folder
from phil.problems.problem import Problem
from phil.search import search

OPEN = np.ones((3, 4), bool)


def save(path: Path, free: NDArray[np.bool_] = OPEN) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(free * np.uint8(255)).save(path, "png")


def names(problems: tuple[Problem, ...], folder: Path) -> list[str]:
    return [problem.name.removeprefix(f"{folder}/") for problem in problems]


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


@given(st.sets(st.text("abc", min_size=1), min_size=1, max_size=40))
def test_every_file_is_in_one_split(stems: set[str]) -> None:
    files = [Path(f"{stem}.png") for stem in stems]
    splits = _shuffled_split(files)
    assert sorted(chain(*splits.values())) == sorted(files)
    assert splits == _shuffled_split(files[::-1])
    assert splits["train"]
    assert bool(splits["validation"]) == (len(files) > 1)
    assert bool(splits["test"]) == (len(files) > 2)


def test_maps_of_different_sizes(tmp_path: Path) -> None:
    save(tmp_path / "train" / "a.png", np.ones((1, 9), bool))
    save(tmp_path / "train" / "b.png", np.ones((1, 1), bool))
    wide, single = open_folder(tmp_path).train
    assert (wide.start, wide.goal) == (0, 8)
    result = search(single.graph, single.start, single.goal, Euclidean)
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
    with pytest.raises(InputError, match="holds no maps"):
        open_folder(tmp_path)
    (tmp_path / "train").mkdir()
    with pytest.raises(InputError, match="holds no maps"):
        open_folder(tmp_path)


def test_maps_beside_split_folders(tmp_path: Path) -> None:
    save(tmp_path / "train" / "a.png")
    save(tmp_path / "b.png")
    with pytest.raises(InputError, match=r"both maps \(b\.png\) and a folder train"):
        open_folder(tmp_path)


def test_a_bad_map_is_named(tmp_path: Path) -> None:
    save(tmp_path / "train" / "a.png")
    (tmp_path / "train" / "b.png").write_bytes(b"no picture")
    with pytest.raises(InputError, match=r"train/b\.png is neither a PNG"):
        open_folder(tmp_path)
    save(tmp_path / "train" / "b.png", ~OPEN)
    with pytest.raises(InputError, match=r"train/b\.png: every cell is blocked"):
        open_folder(tmp_path)


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*gone: No such file"):
        open_folder(tmp_path / "gone")
