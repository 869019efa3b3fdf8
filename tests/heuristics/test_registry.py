"""Heuristics by name, and names that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from phil.errors import InputError
from phil.heuristics import registry
from phil.heuristics.file import write_heuristic
from phil.heuristics.phil import PhilHeuristic
from phil.heuristics.registry import BUILT_IN, load_heuristic, shipped_folder, shipped_names
from phil.search.guide import traits_of
from tests.networks import PRESETS, random_heuristic


@pytest.fixture
def heuristic_file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.safetensors"
    write_heuristic(path, random_heuristic(PRESETS["best"]))
    return path


@pytest.mark.parametrize(
    "name", ["euclidean", "landmarks", "manhattan", "octile", "zero", "oracle"]
)
def test_built_in_heuristics(name: str) -> None:
    assert load_heuristic(name).name == name
    assert load_heuristic(name) is BUILT_IN[name]


def test_a_file(heuristic_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = load_heuristic(str(heuristic_file))
    assert isinstance(loaded, PhilHeuristic)
    assert loaded.name == "mine"
    monkeypatch.chdir(heuristic_file.parent)
    assert load_heuristic("mine.safetensors").name == "mine"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("euclidian", "did you mean 'euclidean'?"),
        ("nothing like it", "euclidean, landmarks, manhattan, obstacles, octile, oracle, "),
        ("none.safetensors", "there is no heuristic file none.safetensors"),
        ("some/folder/none", "there is no heuristic file some/folder/none"),
        ("model.pt", "there is no heuristic file model.pt"),
        ("phil:", "unknown shipped heuristic 'phil:'"),
        ("phil:../phil/shipped/forest", "unknown shipped heuristic"),
        ("x" * 5000, "unknown heuristic"),
        ("nul\0l", "unknown heuristic"),
    ],
)
def test_what_is_none_is_said(name: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load_heuristic(name)
    assert message in str(caught.value)


def test_a_damaged_file_and_a_folder_are_no_heuristics(tmp_path: Path) -> None:
    (tmp_path / "damaged.safetensors").write_bytes(b"damaged")
    with pytest.raises(InputError, match="damaged"):
        load_heuristic(str(tmp_path / "damaged.safetensors"))
    with pytest.raises(InputError, match="cannot read"):
        load_heuristic(str(tmp_path))


def test_shipped_heuristics_are_found_by_their_family(
    heuristic_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = heuristic_file.parent
    monkeypatch.setattr(registry, "shipped_folder", lambda: folder)
    assert shipped_names() == ("phil:mine",)
    assert load_heuristic("phil:mine").name == "phil:mine"
    assert load_heuristic("phil:mine") is load_heuristic("phil:mine")
    with pytest.raises(InputError, match="did you mean 'phil:mine'"):
        load_heuristic("phil:mien")


@pytest.mark.parametrize("name", shipped_names())
def test_a_shipped_heuristic_is_small_and_says_how_it_was_made(name: str) -> None:
    file = shipped_folder() / f"{name.removeprefix('phil:')}.safetensors"
    assert file.stat().st_size < 500_000
    loaded = load_heuristic(name)
    assert isinstance(loaded, PhilHeuristic)
    assert loaded.metadata.training
    assert loaded.metadata.validation


def test_every_built_in_heuristic_is_explained() -> None:
    said = load_heuristic.__doc__ or ""
    for name, heuristic in BUILT_IN.items():
        assert f"`{name}`" in said
        assert traits_of(heuristic).help
