"""Files are written whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.errors import InputError
from phil.files import check_writable, write_atomic

NO_SPACE = OSError(errno.ENOSPC, "No space left on device")


def test_new_content_replaces_the_old(tmp_path: Path) -> None:
    target = tmp_path / "file.json"
    for content in (b"first", b"", b"third"):
        write_atomic(target, content)
        assert target.read_bytes() == content
    assert os.listdir(tmp_path) == ["file.json"]


@given(st.binary(max_size=2000))
def test_any_bytes_come_back(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    target = tmp_path_factory.mktemp("bytes") / "file"
    write_atomic(target, content)
    assert target.read_bytes() == content


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("old", [b"the old content", None])
def test_a_full_disk_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, old: bytes | None
) -> None:
    target = tmp_path / "file.json"
    if old is not None:
        target.write_bytes(old)

    def fail(*_: object) -> None:
        raise NO_SPACE

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(InputError, match="No space left on device") as caught:
        write_atomic(target, b"the new content")
    monkeypatch.undo()
    assert ("the old file is unchanged" in str(caught.value)) == (old is not None)
    assert os.listdir(tmp_path) == ([] if old is None else ["file.json"])
    if old is not None:
        assert target.read_bytes() == old


@pytest.mark.skipif(os.name == "nt", reason="no named pipes")
def test_a_pipe_or_device_is_never_replaced_by_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="not a regular file"):
        write_atomic(pipe, b"content")
    assert pipe.is_fifo()


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none does not exist; create it first"):
        check_writable(tmp_path / "none" / "file.json")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder; give the name of a file"):
        check_writable(tmp_path)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="does not exist"):
        check_writable(tmp_path / "file" / "inside.json")


@pytest.mark.skipif(os.name == "nt" or os.getuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_said(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(InputError, match="Permission denied"):
            check_writable(tmp_path / "file.json")
    finally:
        tmp_path.chmod(0o700)


def test_a_folder_that_takes_no_file_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("tempfile.TemporaryFile", fail)
    with pytest.raises(InputError, match=r"file\.json: Read-only file system"):
        check_writable(tmp_path / "file.json")


def test_checking_leaves_no_trace(tmp_path: Path) -> None:
    check_writable(tmp_path / "file.json")
    assert os.listdir(tmp_path) == []
