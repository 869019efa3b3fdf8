"""Code is never read from a folder that others can write to, and a bad folder stops no search."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from phil.compiled.folder import CodeFolder, open_folder, user_folder


@pytest.fixture
def folder(tmp_path: Path) -> CodeFolder:
    return open_folder(tmp_path / "cache" / "kernels")


def no_space(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_what_is_written_is_read(folder: CodeFolder) -> None:
    folder.write("f", b"first")
    folder.write("f", b"second")
    assert folder.read("f") == b"second"
    assert folder.read("g") is None
    assert [path.name for path in folder.path.iterdir()] == ["f"]
    assert folder.fault is None


def test_only_the_user_can_write_to_a_new_folder(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        folder = open_folder(tmp_path / "new" / "cache" / "kernels")
        folder.write("f", b"code")
    finally:
        os.umask(before)
    for path in (folder.path.parent, folder.path, folder.path / "f"):
        assert not path.stat().st_mode & 0o022


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
@pytest.mark.parametrize("part", ["parent", "folder"])
@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o757])
def test_a_folder_that_others_can_write_to_is_refused(
    folder: CodeFolder, part: str, mode: int
) -> None:
    folder.write("f", b"code")
    unsafe = folder.path.parent if part == "parent" else folder.path
    unsafe.chmod(mode)
    again = open_folder(folder.path)
    assert again.read("f") is None
    assert again.fault is not None
    assert again.fault.startswith(f"{unsafe} is not safe to run code from: others can write to it")
    again.write("g", b"code")
    assert not (folder.path / "g").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_a_group_may_write_only_if_it_is_the_users_own(
    folder: CodeFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write("f", b"code")
    folder.path.chmod(0o775)
    owner = folder.path.stat().st_uid
    facts = os.stat_result((0o775, 0, 0, 0, owner, owner + 1, 0, 0, 0, 0))
    private = os.stat_result((0o775, 0, 0, 0, owner, owner, 0, 0, 0, 0))
    monkeypatch.setattr(Path, "stat", lambda _, **__: private)
    assert open_folder(folder.path).read("f") == b"code"
    monkeypatch.setattr(Path, "stat", lambda _, **__: facts)
    assert open_folder(folder.path).read("f") is None


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_the_group_of_root_is_no_private_one(
    folder: CodeFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write("f", b"code")
    facts = os.stat_result((0o775, 0, 0, 0, 1000, 0, 0, 0, 0, 0))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(Path, "stat", lambda _, **__: facts)
    assert open_folder(folder.path).read("f") is None


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such owners")
def test_a_folder_or_file_of_another_user_is_refused(
    folder: CodeFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write("f", b"code")
    facts = os.stat_result((0o755, 0, 0, 0, os.geteuid() + 1, 0, 0, 0, 0, 0))
    with monkeypatch.context() as patch:
        patch.setattr(os, "fstat", lambda _: facts)
        assert folder.read("f") is None
    assert folder.read("f") == b"code"
    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", lambda _, **__: facts)
        again = open_folder(folder.path)
    assert again.read("f") is None
    assert again.fault is not None
    assert again.fault.endswith("it belongs to another user")


def test_a_full_disk_ends_the_writing(folder: CodeFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write("f", b"code")
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", no_space)
        folder.write("g", b"code")
    assert folder.fault == f"{folder.path} cannot be written to (No space left on device)"
    folder.write("h", b"code")
    assert [path.name for path in folder.path.iterdir()] == ["f"]
    assert folder.read("f") == b"code"


def test_what_a_folder_that_is_read_only_holds_is_used(
    folder: CodeFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write("f", b"code")
    monkeypatch.setattr(os, "access", lambda *_: False)  # an administrator may write everywhere
    again = open_folder(folder.path)
    assert again.fault == f"{folder.path} cannot be written to"
    assert again.read("f") == b"code"
    again.write("g", b"code")
    assert [path.name for path in folder.path.iterdir()] == ["f"]


def test_a_folder_that_cannot_be_made_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    folder = open_folder(tmp_path / "file" / "kernels")
    assert folder.read("f") is None
    assert folder.fault is not None
    assert folder.fault.startswith(f"{folder.path} cannot be written to (")


def test_without_a_home_there_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PHIL_CACHE", raising=False)
    # What platformdirs answers where neither HOME nor the user database names a home.
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name: f"~/.cache/{name}")
    folder = user_folder.__wrapped__()
    assert folder.read("f") is None
    assert folder.fault is not None
    assert "no home folder" in folder.fault
    assert list(tmp_path.iterdir()) == []
