"""Computed features on the disk."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phil.compiled.folder import open_folder
from phil.graphs.features import store
from tests.contracts.format_files import npy

TABLE = np.arange(12.0).reshape(4, 3)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.npy"
    assert store.read(path, (4, 3)) is None
    store.write(path, TABLE)
    read = store.read(path, (4, 3))
    assert read is not None
    assert read.dtype == TABLE.dtype
    np.testing.assert_array_equal(read, TABLE)
    np.testing.assert_array_equal(np.load(path), TABLE)  # others can read it too


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_damaged_file_is_not_read(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "a.npy"
    store.write(path, TABLE)
    whole = path.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    changed = bytes([whole[at] ^ data.draw(st.integers(1, 255))])
    path.write_bytes(whole[:at] + changed + whole[at + 1 :])
    assert store.read(path, (4, 3)) is None
    path.write_bytes(whole[:at])
    assert store.read(path, (4, 3)) is None


@pytest.mark.parametrize(
    "table", [TABLE[:3], TABLE[:, :2], TABLE.ravel(), TABLE.T, TABLE.astype(int), TABLE + 1j]
)
def test_a_table_of_another_shape_is_not_read(tmp_path: Path, table: Any) -> None:
    path = tmp_path / "a.npy"
    store.write(path, table)
    assert store.read(path, (4, 3)) is None


def test_the_table_of_another_graph_is_not_read(tmp_path: Path) -> None:
    """Even if it is whole: somebody has renamed it."""
    store.write(tmp_path / "a.npy", TABLE)
    (tmp_path / "a.npy").rename(tmp_path / "b.npy")
    assert store.read(tmp_path / "b.npy", (4, 3)) is None


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"no array", b"\x93NUMPY\x01\x00\xff\xff", b"\x93NUMPY\1\0\x28\x23" + b"-" * 9000),
        b"\x93NUMPY\1\0\4\0{'((",
        npy(np.full((4, 3), 2**31, np.uint32).view("U1")),
        npy(np.zeros((4, 3), complex)),
    ],
)
def test_a_file_that_holds_no_table_is_not_read(tmp_path: Path, content: bytes) -> None:
    digest = hashlib.sha256(b"a.npy" + content).digest()
    (tmp_path / "a.npy").write_bytes(content + digest)
    assert store.read(tmp_path / "a.npy", (4, 3)) is None


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes and modes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.npy")
    assert store.read(tmp_path / "a.npy", (4, 3)) is None


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes and modes")
def test_compiled_code_can_be_kept_beside_it_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        store.write(tmp_path / "cache" / "features" / "a.npy", TABLE)
    finally:
        os.umask(before)
    assert open_folder(tmp_path / "cache" / "kernels").fault is None


def test_those_used_longest_ago_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / f"{name}.npy" for name in "abc"]
    for age, path in zip((30, 20), paths, strict=False):
        store.write(path, TABLE)
        os.utime(path, (1e9 - age, 1e9 - age))
    store.read(paths[0], (4, 3))  # used now
    monkeypatch.setattr(store, "MOST_BYTES", 2 * paths[0].stat().st_size)
    store.write(paths[2], TABLE)
    assert [path.exists() for path in paths] == [True, False, True]


def test_what_killed_processes_left_makes_room_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = tmp_path / ".a.npy.0123456789abcdef.tmp"
    left.write_bytes(bytes(1000))
    os.utime(left, (1e9, 1e9))
    monkeypatch.setattr(store, "MOST_BYTES", 1000)
    store.write(tmp_path / "b.npy", TABLE)
    assert [path.name for path in tmp_path.iterdir()] == ["b.npy"]


def test_a_table_larger_than_all_room_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MOST_BYTES", 50)
    store.write(tmp_path / "a.npy", TABLE)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_to_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    store.write(tmp_path / "file" / "a.npy", TABLE)
    assert store.read(tmp_path / "file" / "a.npy", (4, 3)) is None
