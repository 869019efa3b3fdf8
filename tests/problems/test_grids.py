"""The public maps: where they are looked for, how they are read, and what they are."""

from __future__ import annotations

import time
import zipfile
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.problems import data_files, open_set
from phil.problems.download.maps import check_split, make_manifest, read_manifest, split_sums
from phil.problems.generated import FAMILIES
from phil.problems.grids import find_family, read_family, repeated_maps

RANDOM = np.random.default_rng(0)


def random_maps(count: int) -> NDArray[np.bool_]:
    maps = RANDOM.random((count, 5, 6)) < 0.7
    maps[:, -1, 0] = maps[:, 0, -1] = True
    return maps


def save_npz(path: Path, **arrays: NDArray[np.generic]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, allow_pickle=False, **arrays)
    return path


def save_png(folder: Path, number: int, levels: NDArray[np.uint8]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    Image.fromarray(levels).save(folder / f"{number}.png")


@pytest.fixture(autouse=True)
def no_data_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Neither `PHIL_DATA` nor the user's real cache; returns the cache that is used instead."""
    monkeypatch.delenv("PHIL_DATA", raising=False)
    monkeypatch.setattr(data_files, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


def test_an_npz_file_gives_problems_from_corner_to_corner(tmp_path: Path) -> None:
    train, test = random_maps(3), random_maps(2)
    save_npz(tmp_path / "grids" / "forest.npz", train=train, test=test)
    problems = open_set("grids/forest", data=tmp_path)
    assert problems.name == "grids/forest"
    assert [problem.name for problem in problems.all] == [
        *(f"grids/forest/train/{number}" for number in (0, 1, 2)),
        *(f"grids/forest/test/{number}" for number in (900, 901)),
    ]
    for problem, free in zip(problems.all, np.concatenate([train, test]), strict=True):
        assert isinstance(problem.graph, GridGraph)
        np.testing.assert_array_equal(problem.graph.free, free)
        assert problem.graph.cell(problem.start) == (4, 0)
        assert problem.graph.cell(problem.goal) == (0, 5)


@pytest.mark.parametrize("root", ["", "motion_planning_datasets", "unpacked/datasets-ba1f087"])
def test_the_repository_is_found_and_only_its_splits_are_read(tmp_path: Path, root: str) -> None:
    maps = random_maps(4)
    levels = np.where(maps, 200, 100).astype(np.uint8)  # grey levels as the authors' code rounds
    family = tmp_path / root / "mazes"
    for place, number, picture in zip(
        ("train", "train", "validation", "test"), (11, 2, 800, 999), levels, strict=True
    ):
        save_png(family / place, number, picture)
    save_png(family / "train", 600, levels[0])
    splits = read_family("mazes", tmp_path)
    assert {split: list(found) for split, found in splits.items()} == {
        "train": [2, 11],
        "validation": [800],
        "test": [999],
    }
    np.testing.assert_array_equal(splits["train"][11], maps[0])
    np.testing.assert_array_equal(splits["test"][999], maps[3])


def test_the_order_of_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_data_of_the_machine: Path
) -> None:
    cached = save_npz(no_data_of_the_machine / "grids" / "forest.npz", train=random_maps(1))
    assert find_family("forest") == cached
    monkeypatch.setenv("PHIL_DATA", str(tmp_path / "named"))
    assert find_family("forest") == cached
    named = save_npz(tmp_path / "named" / "forest.npz", train=random_maps(1))
    assert find_family("forest") == named
    assert find_family("forest", tmp_path / "given") is None
    given = save_npz(tmp_path / "given" / "grids" / "forest.npz", train=random_maps(1))
    assert find_family("forest", tmp_path / "given") == given


def test_missing_data_says_where_it_was_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PHIL_DATA", str(tmp_path / "named"))
    with pytest.raises(InputError) as raised:
        open_set("grids/forest")
    for words in ("forest", str(tmp_path / "named"), str(tmp_path / "cache"), "--download"):
        assert words in str(raised.value)


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 cut off"])
def test_a_damaged_npz_file(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "forest.npz").write_bytes(content)
    with pytest.raises(InputError, match=r"forest\.npz"):
        open_set("grids/forest", data=tmp_path)


def test_a_cut_npz_file(tmp_path: Path) -> None:
    path = save_npz(tmp_path / "forest.npz", train=random_maps(3))
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(InputError, match=r"forest\.npz"):
        open_set("grids/forest", data=tmp_path)


@pytest.mark.parametrize("offset", [0, 0.2, 0.5, 0.9])
def test_an_npz_file_with_changed_bytes(tmp_path: Path, offset: float) -> None:
    path = save_npz(tmp_path / "forest.npz", train=random_maps(30))
    with zipfile.ZipFile(path) as archive:
        member = archive.infolist()[0]
        start = member.header_offset + 30 + len(member.filename) + 20  # 20: zip64 sizes
    content = bytearray(path.read_bytes())
    content[start + int(offset * member.compress_size)] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"forest\.npz"):
        open_set("grids/forest", data=tmp_path)


def test_an_npz_file_of_something_else(tmp_path: Path) -> None:
    save_npz(tmp_path / "forest.npz", train=np.ones((3, 3)))
    with pytest.raises(InputError, match="'train' must hold boolean maps"):
        open_set("grids/forest", data=tmp_path)
    with open(tmp_path / "forest.npz", "wb") as stream:
        np.save(stream, random_maps(1))
    with pytest.raises(InputError, match="cannot read"):
        open_set("grids/forest", data=tmp_path)
    with zipfile.ZipFile(tmp_path / "forest.npz", "w") as archive:
        archive.writestr("train.npy", b"no array")
    with pytest.raises(InputError, match="cannot read"):
        open_set("grids/forest", data=tmp_path)
    save_npz(tmp_path / "forest.npz", other=np.ones((3, 3)))
    with pytest.raises(InputError, match="holds no map of the public splits"):
        open_set("grids/forest", data=tmp_path)


def test_a_damaged_png_is_named(tmp_path: Path) -> None:
    (tmp_path / "forest" / "test").mkdir(parents=True)
    (tmp_path / "forest" / "test" / "900.png").write_bytes(b"no picture")
    with pytest.raises(InputError, match=r"900\.png is a damaged or truncated PNG"):
        open_set("grids/forest", data=tmp_path)


def test_repeated_maps_are_found_by_content(tmp_path: Path) -> None:
    train, validation, test = random_maps(3), random_maps(1), random_maps(3)
    test[0], test[2], train[2] = train[0], validation[0], train[0]
    save_npz(tmp_path / "forest.npz", train=train, validation=validation, test=test)
    assert repeated_maps(open_set("grids/forest", data=tmp_path)) == {
        "grids/forest/test/900": ("grids/forest/train/0", "grids/forest/train/2"),
        "grids/forest/test/902": ("grids/forest/validation/800",),
    }


def test_a_map_that_is_not_the_public_one_is_named() -> None:
    maps = dict(enumerate(random_maps(3), start=900))
    known = split_sums(maps)
    check_split("forest/test", maps, known)
    changed = maps | {901: ~maps[901]}
    with pytest.raises(InputError, match="forest/test/901 is not the public map"):
        check_split("forest/test", changed, known)
    with pytest.raises(InputError, match="forest/test has 2 of its 3 maps"):
        check_split("forest/test", {900: maps[900], 901: maps[901]}, known)


def test_a_sum_depends_on_the_shape() -> None:
    flat, tall = (np.ones(shape, bool) for shape in ((2, 8), (8, 2)))
    assert split_sums({0: flat}) != split_sums({0: tall})


def test_the_manifest_knows_all_families() -> None:
    manifest = read_manifest()
    assert set(manifest) == set(FAMILIES)
    for splits in manifest.values():
        assert {split: len(sums["maps"]) // 8 for split, sums in splits.items()} == {
            "train": 600,
            "validation": 100,
            "test": 100,
        }


@pytest.mark.parametrize("family", FAMILIES)
def test_the_public_maps_are_those_of_the_manifest(public_grids: Path, family: str) -> None:
    found = make_manifest({family: read_family(family, public_grids)})
    assert found[family] == read_manifest()[family]


@pytest.mark.parametrize(
    ("family", "repeats"),
    [("alternating_gaps", 100), ("shifting_gaps", 100), ("single_bugtrap", 29), ("mazes", 4)],
)
def test_public_test_maps_repeat(public_grids: Path, family: str, repeats: int) -> None:
    problems = open_set(f"grids/{family}", data=public_grids)
    splits = read_family(family, public_grids)
    known = {free.tobytes() for split in ("train", "validation") for free in splits[split].values()}
    assert sorted(repeated_maps(problems)) == [
        f"grids/{family}/test/{number}"
        for number, free in splits["test"].items()
        if free.tobytes() in known
    ]
    assert len(repeated_maps(problems)) == repeats


def test_a_public_family_opens_within_two_seconds(public_grids: Path) -> None:
    started = time.process_time()
    problems = open_set("grids/forest", data=public_grids)
    assert time.process_time() - started < 2
    assert [len(problems.split(split)) for split in ("train", "validation", "test", "all")] == [
        600,
        100,
        100,
        800,
    ]
