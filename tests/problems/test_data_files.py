"""Whatever a file of graphs holds: a problem set, or one clear error that names the file."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phil.errors import InputError
from phil.problems import open_set
from phil.problems.data_files import read_arrays
from phil.problems.registry import SOURCES
from tests.contracts.format_files import bomb, doubled, encrypted, lying_bomb, objects, zipped
from tests.problems.graph_files import biology_arrays, citation_arrays, road_arrays, save

SETS: dict[str, Callable[[], dict[str, Any]]] = {
    "citations/cora": citation_arrays,
    "biology/ppi": lambda: biology_arrays(
        4, graph_split=np.array([0, 0, 1, 2]), feature_name=np.array(["a", "b"])
    ),
    "biology/molhiv": lambda: biology_arrays(4, split=np.arange(4) % 3, edge_attr=np.ones((16, 1))),
    "roads/mine": lambda: road_arrays(osm_id=np.arange(4)),
}
STRANGE: dict[str, Any] = {
    "a number": np.array(3),
    "a negative number": np.array(-1),
    "nothing": np.zeros(0),
    "no rows": np.zeros((0, 2), np.int64),
    "a line": np.arange(5),
    "fractions": np.linspace(0, 1, 10).reshape(5, 2),
    "not numbers": np.array(["x", "y"]),
    "not a number": np.full((4, 2), np.nan),
    "a cube": np.zeros((2, 2, 2), np.int64),
    "large": np.full((2, 3), 2**62),
    "many": np.array(10**12),
    "negative": np.full((2, 5), -1),
}


def check(name: str, path: Path) -> None:
    source, member = name.split("/")
    data = path.parent.parent
    assert import_module(SOURCES[source]).SOURCE.info(member, data).name == name
    try:
        open_set(name, data=data, count=2)
    except InputError as error:
        said = str(error)
    else:
        return
    assert path.stem in said


def place(folder: Path, name: str) -> Path:
    source, member = name.split("/")
    return folder / ("roads" if source == "roads" else "graphs") / f"{member}.npz"


@pytest.mark.parametrize("name", SETS)
def test_strange_arrays(tmp_path: Path, name: str) -> None:
    arrays = SETS[name]()
    for key in arrays:
        for strange in STRANGE.values():
            check(name, save(place(tmp_path, name), **{**arrays, key: strange}))


@pytest.mark.parametrize("name", SETS)
@settings(max_examples=40)
@given(st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.binary(min_size=1, max_size=3))))
def test_strange_bytes(name: str, changes: list[tuple[float, bytes]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = place(Path(folder), name)
        path.parent.mkdir()
        np.savez(path, allow_pickle=False, **SETS[name]())
        content = bytearray(path.read_bytes())
        for at, new in changes:
            first = int(at * len(content))
            content[first : first + len(new)] = new
        path.write_bytes(content)
        check(name, path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (encrypted(), "encrypted"),
        (doubled(), "'edge_index' appears twice"),
        (lying_bomb(), "Bad CRC"),
        (zipped(edge_index=b"\x93NUMPY\1\0\x28\x23" + b"-" * 9000), "plain array"),
        (zipped(edge_index=objects()), r"integers of shape \(2, E\)"),
        (bomb("(2, 1000000000000)"), "needs 16000 GB|bytes for shape"),
    ],
)
def test_archives_that_lie_are_refused(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "graphs.npz"
    path.write_bytes(content)
    with pytest.raises(InputError, match=words) as caught:
        read_arrays(path, ["edge_index"])
    assert str(caught.value).isprintable()
    assert str(path) in str(caught.value)


def test_booleans_of_any_bytes_are_read_as_0_and_1(tmp_path: Path) -> None:
    path = tmp_path / "maps.npz"
    np.savez(path, train=np.array([[[0, 1], [2, 255]]], np.uint8).view(bool))
    assert read_arrays(path, ["train"])["train"].view(np.uint8).tolist() == [[[0, 1], [1, 1]]]
