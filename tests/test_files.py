"""Files are written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.errors import InputError
from phil.files import STALE, append, check_writable, missing_file, write_atomic, write_together

NO_SPACE = OSError(errno.ENOSPC, "No space left on device")
posix = pytest.mark.skipif(os.name == "nt", reason="permissions and links of POSIX")
LEFT = ".file.json.0123456789abcdef.tmp"  # by a process that was killed


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


def test_a_failure_between_files_that_belong_together_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    second.write_bytes(b"old")
    rename = os.replace

    def fail(source: Path, target: Path) -> None:
        if target == second:
            raise NO_SPACE
        rename(source, target)

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(InputError, match=r"second: No space .*unchanged; .*first was already"):
        write_together({first: b"new", second: b"new"})
    assert (first.read_bytes(), second.read_bytes()) == (b"new", b"old")
    assert len(os.listdir(tmp_path)) == 2


def test_ctrl_c_leaves_no_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomic(tmp_path / "file.json", b"new")
    assert os.listdir(tmp_path) == []


@posix
def test_a_planted_temporary_file_is_never_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even one whose name was guessed is neither followed nor written to."""
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    monkeypatch.setattr("secrets.token_hex", lambda _: "0123456789abcdef")
    (tmp_path / LEFT).symlink_to(victim)
    with pytest.raises(InputError, match="File exists"):
        write_atomic(tmp_path / "file.json", b"new")
    assert victim.read_bytes() == b"mine"


def test_temporary_names_cannot_be_guessed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = set()
    rename = os.replace

    def note(source: Path, target: Path) -> None:
        names.add(Path(source).name)
        rename(source, target)

    monkeypatch.setattr(os, "replace", note)
    for _ in range(3):
        write_atomic(tmp_path / "file.json", b"new")
    assert len(names) == 3
    assert all(not name.startswith(f".file.json.{os.getpid()}") for name in names)


@posix
@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_new_file_has_the_permissions_of_the_umask(tmp_path: Path, mask: int) -> None:
    old = os.umask(mask)
    try:
        write_atomic(tmp_path / "new", b"")
        append(tmp_path / "log", b"")
    finally:
        os.umask(old)
    for name in ("new", "log"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o666 & ~mask


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_a_replaced_file_keeps_its_permissions(tmp_path: Path, mode: int) -> None:
    target = tmp_path / "file"
    target.touch()
    target.chmod(mode)
    write_atomic(target, b"new")
    assert stat.S_IMODE(target.stat().st_mode) == mode


@posix
@pytest.mark.parametrize("there", [True, False], ids=["there", "dangling"])
@pytest.mark.parametrize("relative", [True, False])
def test_a_link_stays_and_its_file_is_written(tmp_path: Path, there: bool, relative: bool) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "near").mkdir()
    target, link = tmp_path / "far" / "file", tmp_path / "near" / "link"
    if there:
        target.write_bytes(b"old")
    link.symlink_to("../far/file" if relative else target)
    again = tmp_path / "again"
    again.symlink_to(link)
    write_atomic(again, b"new")
    assert target.read_bytes() == b"new"
    append(again, b" and more")
    assert target.read_bytes() == b"new and more"
    assert link.is_symlink()
    assert again.is_symlink()
    assert [os.listdir(tmp_path / name) for name in ("far", "near")] == [["file"], ["link"]]


@posix
@pytest.mark.parametrize("write", [write_atomic, append])
def test_links_in_a_circle_are_said(tmp_path: Path, write: Callable[[Path, bytes], None]) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(InputError, match="links form a loop"):
        write(tmp_path / "a", b"new")


@posix
@pytest.mark.parametrize("write", [write_atomic, append])
def test_a_link_planted_by_another_user_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Path, bytes], None]
) -> None:
    victim, shared = tmp_path / "victim", tmp_path / "shared"
    victim.write_bytes(b"mine")
    shared.mkdir()
    link = shared / "file"
    link.symlink_to(victim)
    me = os.geteuid()
    real = Path.stat

    def owned_by_root(path: Path, **options: bool) -> os.stat_result:
        facts = real(path, **options)
        return os.stat_result((*facts[:4], me + 1 if path == shared else me, *facts[5:]))

    monkeypatch.setattr(Path, "stat", owned_by_root)
    monkeypatch.setattr(os, "geteuid", lambda: me + 2)
    shared.chmod(0o1777)
    with pytest.raises(InputError, match=r"file leads through a symbolic link of another user"):
        write(link, b"theirs")
    assert victim.read_bytes() == b"mine"
    shared.chmod(0o755)
    write(link, b" and theirs")
    assert victim.read_bytes().endswith(b" and theirs")


def test_what_killed_processes_left_is_deleted_after_an_hour(tmp_path: Path) -> None:
    """Not what another process may still be writing, nor what only looks alike."""
    others = ["file.json.tmp", ".file.json.tmp", ".other.0123456789abcdef.tmp", ".file.json.x.tmp"]
    fresh = LEFT.replace("0123", "4567")
    for name in [LEFT, fresh, *others]:
        (tmp_path / name).touch()
        if name != fresh:
            old = time.time() - STALE - 1
            os.utime(tmp_path / name, (old, old))
    write_atomic(tmp_path / "file.json", b"new")
    assert sorted(os.listdir(tmp_path)) == sorted([fresh, *others, "file.json"])


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    target = tmp_path / ("n" * 255)
    write_atomic(target, b"new")
    assert target.read_bytes() == b"new"


@posix
def test_the_new_name_is_on_disk_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[str] = []
    real = os.fsync

    def note(descriptor: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        flushed.append("folder" if is_folder else "file")
        assert is_folder == (tmp_path / "file").exists()
        real(descriptor)

    monkeypatch.setattr(os, "fsync", note)
    write_atomic(tmp_path / "file", b"new")
    assert flushed == ["file", "folder"]


@posix
def test_a_folder_that_cannot_be_flushed_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync

    def fail(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "Invalid argument")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fail)
    write_atomic(tmp_path / "file", b"new")
    assert (tmp_path / "file").read_bytes() == b"new"


def test_appending(tmp_path: Path) -> None:
    for word in (b"one ", b"two"):
        append(tmp_path / "log", word)
    assert (tmp_path / "log").read_bytes() == b"one two"
    with pytest.raises(InputError, match=r"cannot write .*log: No such file"):
        append(tmp_path / "none" / "log", b"")


def test_a_missing_file_names_the_nearest_of_its_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("level.map", "level.png", "x.safetensors"):
        (tmp_path / name).touch()
    errors = [str(missing_file(name)) for name in ("levle.map", "levle.gr", "mine.safetensors")]
    assert errors == [
        "there is no file levle.map; did you mean level.map?",
        "there is no file levle.gr",
        "there is no file mine.safetensors",
    ]
    assert str(missing_file("no/such/a.map", "map")) == "there is no map no/such/a.map"
