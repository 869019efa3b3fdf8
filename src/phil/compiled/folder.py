"""The user's folder of compiled code.

Compiled code is executed, and is stored as Numba's pickles, so nothing is read that others could
have written. Whatever is wrong with the folder, searches work: code is then compiled in memory, by
every process again.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import platformdirs

from phil.compiled.sources import own_hash

MODE = 0o755  # less the umask: readable by all, as an image warmed by its administrator needs


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
            with open(self.path / name, "rb") as file:
                return None if _distrusted(os.fstat(file.fileno())) else file.read()
        except OSError:
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
            with contextlib.suppress(OSError):
                temporary.unlink()


@cache
def user_folder() -> CodeFolder:
    """The folder for this package's kernels: in `PHIL_CACHE` or in the user's cache folder."""
    base = Path(os.environ.get("PHIL_CACHE") or platformdirs.user_cache_dir("phil"))
    path = base / f"kernels-{own_hash()}"
    if base.parts[:1] == ("~",):  # neither HOME nor the user database names a home
        return CodeFolder(path, False, f"{base} does not exist: this user has no home folder")
    return open_folder(path)


def open_folder(path: Path) -> CodeFolder:
    """A folder of compiled code, made if need be, and what is wrong with it."""
    fault = None
    try:
        path.parent.mkdir(MODE, parents=True, exist_ok=True)
        path.mkdir(MODE, exist_ok=True)
    except OSError as error:
        fault = _not_writable(path, error)
    try:
        for folder in (path.parent, path):
            if why := _distrusted(folder.stat()):
                return CodeFolder(path, False, f"{folder} is not safe to run code from: {why}")
    except OSError:
        return CodeFolder(path, False, fault)
    if not os.access(path, os.W_OK):
        fault = _not_writable(path)
    return CodeFolder(path, True, fault)


def _distrusted(facts: os.stat_result) -> str | None:
    """Why a file or folder could hold another user's code; None if it could not."""
    if not hasattr(os, "geteuid"):  # Windows: the user's folders are protected by default
        return None
    user = os.geteuid()
    if facts.st_uid not in (0, user):
        return "it belongs to another user"
    # Where every user has a private group, its number is the user's, and a umask of 002 is usual.
    # (Group 0 is not private: in some containers, all users belong to it.)
    private = facts.st_gid == user
    if facts.st_mode & stat.S_IWOTH or (facts.st_mode & stat.S_IWGRP and not private):
        return "others can write to it (chmod go-w makes it safe)"
    return None


def _not_writable(path: Path, error: OSError | None = None) -> str:
    reason = f" ({error.strerror})" if error is not None and error.strerror else ""
    return f"{path} cannot be written to{reason}"


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, MODE & 0o666)
