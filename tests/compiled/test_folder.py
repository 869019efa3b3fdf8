"""Code is never read from a folder that others can write to, and a bad folder stops no search."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from phil.compiled.folder import CodeFolder, open_folder, user_folder

posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such owners and modes")


@pytest.fixture
def folder(tmp_path: Path) -> CodeFolder:
    """A folder with one file, f."""
    opened = open_folder(tmp_path / "cache" / "kernels")
    opened.write("f", b"code")
    return opened


@pytest.fixture
def pretend(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Gives a folder another owner, group or mode, as far as `lstat` says."""
    real = Path.lstat
    changes: dict[Path, dict[str, int]] = {}

    def lstat(path: Path) -> os.stat_result:
        facts, changed = real(path), changes.get(path, {})
        mode = changed.get("mode", stat.S_IMODE(facts.st_mode))
        owner, group = changed.get("owner", facts.st_uid), changed.get("group", facts.st_gid)
        kind = stat.S_IFMT(facts.st_mode)
        return os.stat_result((kind | mode, *facts[1:4], owner, group, *facts[6:]))

    monkeypatch.setattr(Path, "lstat", lstat)
    return lambda path, **changed: changes.update({path: changed})


def no_space(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def assert_refused(path: Path, fault: str) -> None:
    """Nothing is read from a folder, nor written to it, and the fault says why."""
    opened = open_folder(path)
    assert opened.fault is not None
    assert opened.fault.startswith(fault)
    assert opened.read("f") is None
    opened.write("g", b"code")
    assert not (path / "g").exists()


def test_what_is_written_is_read(folder: CodeFolder) -> None:
    folder.write("f", b"second")
    assert folder.read("f") == b"second"
    assert folder.read("g") is None
    assert [path.name for path in folder.path.iterdir()] == ["f"]
    assert folder.fault is None


@posix
@pytest.mark.parametrize("umask", [0, 0o022, 0o077, 0o777])
def test_only_the_user_can_open_what_is_made(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        folder = open_folder(tmp_path / "around" / "cache" / "kernels")
        folder.write("f", b"code")
    finally:
        os.umask(before)
    for path in (folder.path, *folder.path.parents[:2]):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder.path / "f").stat().st_mode) == 0o600 & ~umask


@posix
@pytest.mark.parametrize("part", ["parent", "folder"])
@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o757])
def test_a_folder_that_others_can_write_to_is_refused(
    folder: CodeFolder, part: str, mode: int
) -> None:
    unsafe = folder.path.parent if part == "parent" else folder.path
    unsafe.chmod(mode)
    assert_refused(folder.path, f"{unsafe} is not safe to run code from: others can write to it")


@posix
def test_a_folder_around_it_that_others_can_write_to_is_refused(
    folder: CodeFolder, tmp_path: Path
) -> None:
    tmp_path.chmod(0o777)
    assert_refused(folder.path, f"{tmp_path} is not safe to run code from: others can write to it")
    tmp_path.chmod(0o1777)  # as /tmp is: others cannot rename what is the user's
    assert open_folder(folder.path).read("f") == b"code"


@posix
@pytest.mark.parametrize("up", range(4))
def test_a_folder_of_another_user_is_refused(
    folder: CodeFolder, pretend: Callable[..., None], up: int
) -> None:
    unsafe = (folder.path, *folder.path.parents)[up]
    pretend(unsafe, owner=os.geteuid() + 1)
    assert_refused(
        folder.path, f"{unsafe} is not safe to run code from: it belongs to another user"
    )


@posix
def test_the_folders_of_root_are_read(folder: CodeFolder, pretend: Callable[..., None]) -> None:
    for path in (folder.path, *folder.path.parents):
        pretend(path, owner=0, mode=0o755)
    assert open_folder(folder.path).read("f") == b"code"


@posix
def test_nothing_is_made_in_a_folder_of_another_user(
    tmp_path: Path, pretend: Callable[..., None]
) -> None:
    pretend(tmp_path, owner=os.geteuid() + 1)
    assert_refused(tmp_path / "cache" / "kernels", f"{tmp_path} is not safe")
    assert list(tmp_path.iterdir()) == []


@posix
def test_what_a_link_leads_to_is_checked(folder: CodeFolder, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder.path.parent)
    through = tmp_path / "link" / "kernels"
    assert open_folder(through).read("f") == b"code"
    folder.path.parent.chmod(0o777)
    assert_refused(through, f"{folder.path.parent} is not safe to run code from")


@posix
def test_a_link_is_followed_once(folder: CodeFolder, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(folder.path.parent)
    opened = open_folder(link / "kernels")
    link.unlink()
    open_folder(tmp_path / "other" / "kernels").write("f", b"other code")
    link.symlink_to(tmp_path / "other")
    assert opened.read("f") == b"code"


def test_links_in_a_circle_are_no_folder(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "link")
    assert_refused(tmp_path / "link" / "kernels", f"{tmp_path / 'link' / 'kernels'} cannot be")


@posix
@pytest.mark.parametrize(("user", "group"), [(1000, 1000), (1000, 1001), (1000, 0), (0, 0)])
def test_a_group_may_write_only_if_it_is_the_users_own(
    folder: CodeFolder,
    pretend: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    user: int,
    group: int,
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    for path in (folder.path, *folder.path.parents):
        pretend(path, owner=user, group=group, mode=0o775 if path == folder.path else 0o755)
    if group == user != 0:  # in some containers, all users belong to the group of root
        assert open_folder(folder.path).trusted
    else:
        assert_refused(folder.path, f"{folder.path} is not safe to run code from")


@posix
def test_a_file_of_another_user_is_refused(
    folder: CodeFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = os.stat_result((0o100644, 0, 0, 0, os.geteuid() + 1, 0, 0, 0, 0, 0))
    with monkeypatch.context() as patch:
        patch.setattr(os, "fstat", lambda _: facts)
        assert folder.read("f") is None
    assert folder.read("f") == b"code"


@posix
def test_a_file_that_others_can_write_to_is_refused(folder: CodeFolder) -> None:
    (folder.path / "f").chmod(0o602)
    assert folder.read("f") is None


@posix
def test_what_is_no_file_is_refused_and_replaced(folder: CodeFolder, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(b"other code")
    (folder.path / "link").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(folder.path / "pipe")  # waits for a writer if it is opened as a file is
    (folder.path / "folder" / "inside").mkdir(parents=True)
    for name in ("link", "pipe", "folder"):
        assert folder.read(name) is None
        folder.write(name, b"code")
        assert folder.read(name) == b"code"
    assert (tmp_path / "elsewhere").read_bytes() == b"other code"


class FullDisk:
    """A file on a disk without room."""

    def __init__(self, step: str, *arguments: Any, **options: Any) -> None:
        self._step = step
        self._file = open(*arguments, **options)  # noqa: SIM115
        self._fail("open")

    def _fail(self, step: str) -> None:
        if step == self._step:
            self._file.close()
            no_space()

    def __enter__(self) -> FullDisk:
        return self

    def write(self, data: bytes) -> None:
        self._file.write(data[:2])
        self._fail("write")

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._fail("close")


@pytest.mark.parametrize("step", ["open", "write", "close", "replace"])
def test_a_full_disk_ends_the_writing(
    folder: CodeFolder, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    with monkeypatch.context() as patch:
        if step == "replace":
            patch.setattr(os, "replace", no_space)
        else:
            patch.setattr("phil.compiled.folder.open", partial(FullDisk, step), raising=False)
        folder.write("g", b"code")
    assert folder.fault == f"{folder.path} cannot be written to (No space left on device)"
    folder.write("h", b"code")
    assert [path.name for path in folder.path.iterdir()] == ["f"]
    assert folder.read("f") == b"code"


def test_a_disk_too_full_for_a_folder_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "mkdir", no_space)
    assert_refused(tmp_path / "cache" / "kernels", f"{tmp_path / 'cache' / 'kernels'} cannot be")


def test_an_interrupted_write_leaves_nothing(
    folder: CodeFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        folder.write("g", b"code")
    assert [path.name for path in folder.path.iterdir()] == ["f"]


def test_what_a_folder_that_is_read_only_holds_is_used(
    folder: CodeFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_what_was_not_used_for_long_is_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PHIL_CACHE", str(tmp_path))
    own = user_folder.__wrapped__().path
    ages = {"kernels-old": 91, "kernels-other": 80, "features": 400, "kernels-file": 400}
    for name in ("kernels-old", "kernels-other", "features"):
        (tmp_path / name).mkdir()
    for name in ("kernels-old/f", "kernels-file"):
        (tmp_path / name).touch()
    ages |= {f"{own.name}/f": 400, f"{own.name}/f.12.tmp": 2, f"{own.name}/g.34.tmp": 0}
    for name in (f"{own.name}/f", f"{own.name}/f.12.tmp", f"{own.name}/g.34.tmp"):
        (tmp_path / name).touch()
    (tmp_path / "kernels-link").symlink_to(tmp_path / "features")
    for name, days in (*ages.items(), (own.name, 200), (".", 400)):
        age(tmp_path / name, days)
    user_folder.__wrapped__()
    assert {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")} == {
        *("kernels-other", "kernels-file", "kernels-link", "features"),
        *(own.name, f"{own.name}/f", f"{own.name}/g.34.tmp"),
    }
    # It is in use: another version of PHIL must not delete it.
    assert time.time() - own.stat().st_mtime < 3600


def age(path: Path, days: float) -> None:
    then = time.time() - days * 24 * 60 * 60
    os.utime(path, (then, then))
