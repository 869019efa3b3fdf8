"""Computed features on the disk."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phil.graphs.features import store

TABLE = np.arange(12.0).reshape(4, 3)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.npy"
    assert store.read(path) is None
    store.write(path, TABLE)
    read = store.read(path)
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
    assert store.read(path) is None
    path.write_bytes(whole[:at])
    assert store.read(path) is None


def test_those_used_longest_ago_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / f"{name}.npy" for name in "abc"]
    for age, path in zip((30, 20), paths, strict=False):
        store.write(path, TABLE)
        os.utime(path, (1e9 - age, 1e9 - age))
    store.read(paths[0])  # used now
    monkeypatch.setattr(store, "MOST_BYTES", 2 * paths[0].stat().st_size)
    store.write(paths[2], TABLE)
    assert [path.exists() for path in paths] == [True, False, True]


def test_a_table_larger_than_all_room_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MOST_BYTES", 50)
    store.write(tmp_path / "a.npy", TABLE)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_to_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    store.write(tmp_path / "file" / "a.npy", TABLE)
    assert store.read(tmp_path / "file" / "a.npy") is None
