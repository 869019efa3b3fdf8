"""The user's folder of compiled code.

Compiled code is executed, and is stored as Numba's pickles, so nothing is read that others could
have written: neither the folder nor one around it may be theirs, or open to them. Whatever is wrong
with the folder, searches work: code is then compiled in memory, by every process again.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import stat
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import platformdirs

from phil.compiled.sources import own_hash

PRIVATE = 0o700  # of folders that are made here; an administrator may open them to readers
MOST_BYTES = 2**26  # of a file; what is larger is not whole
DAY = 24 * 60 * 60
UNUSED = 90 * DAY  # after which the code of another version is deleted
# Neither a link nor a pipe, which could be waited for in vain. Windows has neither flag.
OPENING = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass
class CodeFolder:
    """A folder with one file per compiled function."""

    path: Path
    trusted: bool
    fault: str | None  # why no code can be added

    def read(self, name: str) -> bytes | None:
        """The content of a file, unless it is missing or could be somebody else's."""
        if not self.trusted:
            return None
        try:
            with open(self.path / name, "rb", opener=_open_file) as file:
                facts = os.fstat(file.fileno())
                own = stat.S_ISREG(facts.st_mode) and not _distrusted(facts)
                return file.read(MOST_BYTES) if own else None
        except IsADirectoryError:
            self.delete(name)  # no file could be renamed to it
        except OSError:
            pass
        return None

    def write(self, name: str, data: bytes) -> None:
        """Add a file; the first failure becomes the fault, and nothing is written after it."""
        if self.fault is not None:
            return
        # Processes that compile the same function at once each rename a whole file of their own.
        temporary = self.path / f"{name}.{secrets.token_hex(8)}.tmp"
        try:
            with open(temporary, "xb", opener=_open_private) as file:
                file.write(data)
            os.replace(temporary, self.path / name)
        except OSError as error:
            self.fault = _not_writable(self.path, error)
        finally:  # also if it is interrupted
            with contextlib.suppress(OSError):
                temporary.unlink()

    def delete(self, name: str) -> None:
        """Delete what is damaged, if possible, so that no process reads it again."""
        path = self.path / name
        with contextlib.suppress(OSError):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()


@cache
def user_folder() -> CodeFolder:
    """The folder for this package's kernels: in `PHIL_CACHE` or in the user's cache folder."""
    base = Path(os.environ.get("PHIL_CACHE") or platformdirs.user_cache_dir("phil"))
    path = base / f"kernels-{own_hash()}"
    if base.parts[:1] == ("~",):  # neither HOME nor the user database names a home
        return CodeFolder(path, False, f"{base} does not exist: this user has no home folder")
    folder = open_folder(path)
    if folder.fault is None:
        with contextlib.suppress(OSError):  # another process may tidy up as well
            _tidy(folder.path)
    return folder


def open_folder(path: Path) -> CodeFolder:
    """A folder of compiled code, made if need be, and what is wrong with it."""
    try:
        # Whoever can change a link chooses among folders that are safe, and only until now.
        path = path.resolve()
        for folder in (*reversed(path.parents), path):
            make_private(folder)
            if why := _unsafe(folder, around=folder not in (path.parent, path)):
                return CodeFolder(path, False, f"{folder} is not safe to run code from: {why}")
    except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError before Python 3.13
        return CodeFolder(path, False, _not_writable(path, error))
    return CodeFolder(path, True, None if os.access(path, os.W_OK) else _not_writable(path))


def make_private(folder: Path) -> None:
    """Make a folder that only the user can open, whatever the umask, unless it exists."""
    if not folder.exists():
        with contextlib.suppress(FileExistsError):  # another process may make it as well
            folder.mkdir(PRIVATE)
            folder.chmod(PRIVATE)


def _unsafe(folder: Path, around: bool) -> str | None:
    facts = folder.lstat()
    if not stat.S_ISDIR(facts.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    # In a folder like /tmp, others can add files, but neither rename nor replace ours.
    shared = around and facts.st_mode & stat.S_ISVTX
    return _distrusted(facts, ignored=stat.S_IWGRP | stat.S_IWOTH if shared else 0)


def _distrusted(facts: os.stat_result, ignored: int = 0) -> str | None:
    """Why a file or folder could hold another user's code; None if it could not."""
    if not hasattr(os, "geteuid"):  # Windows: the user's folders are protected by default
        return None
    user, mode = os.geteuid(), facts.st_mode & ~ignored
    if facts.st_uid not in (0, user):
        return "it belongs to another user"
    # Where every user has a private group, its number is the user's, and a umask of 002 is usual.
    # (Group 0 is not private: in some containers, all users belong to it.)
    private = facts.st_gid == user != 0
    if mode & stat.S_IWOTH or (mode & stat.S_IWGRP and not private):
        return "others can write to it (chmod go-w makes it safe)"
    return None


def _tidy(folder: Path) -> None:
    """Mark a folder as used, and delete what is not; at most once a day.

    Several versions of PHIL may be in use side by side, each with a folder of its own.
    """
    now = time.time()
    if now - folder.stat().st_mtime < DAY:
        return
    os.utime(folder)
    for other in folder.parent.glob("kernels-*"):
        if now - other.lstat().st_mtime > UNUSED:
            shutil.rmtree(other, ignore_errors=True)
    for left in folder.glob("*.tmp"):  # by a process that was killed
        if now - left.lstat().st_mtime > DAY:
            left.unlink(missing_ok=True)


def _not_writable(path: Path, error: Exception | None = None) -> str:
    reason = getattr(error, "strerror", None)
    return f"{path} cannot be written to" + (f" ({reason})" if reason else "")


def _open_file(path: str, flags: int) -> int:
    return os.open(path, flags | OPENING)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, PRIVATE & 0o666)
