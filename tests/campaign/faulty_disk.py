"""A disk that fails at a given operation.

Every operation that changes something in a folder is counted: creating, writing to, flushing,
renaming and removing files and folders. At one of them the process is killed, or the disk is full
from then on; of a write, half of the bytes may get through.
"""

from __future__ import annotations

import builtins
import io
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

CHANGING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
WRITE = "write"
REMOVALS = ("unlink", "remove", "rmdir")
NAMED = (*REMOVALS, "mkdir", "rename", "replace")  # with paths


class FaultyDisk:
    """Operations on a folder by this process, from now until it ends.

    `at` counts from 1; with 0 nothing fails. Without an error, the process is killed. On a full
    disk everything but removals fails from there on; a removal that is struck fails alone.
    """

    def __init__(
        self, folder: Path, at: int = 0, *, half: bool = False, error: int | None = None
    ) -> None:
        self.operations: list[str] = []
        self.paths: set[str] = set()  # that were changed
        self._folder = os.path.realpath(folder) + os.sep
        self._at, self._half, self._error = at, half, error
        self._full = False
        for name in NAMED:
            setattr(os, name, partial(self._named, name, getattr(os, name)))
        for name in ("fsync", "fchmod"):
            setattr(os, name, partial(self._described, name, getattr(os, name)))
        os.open = partial(self._os_open, os.open)
        real = io.open
        io.open = builtins.open = partial(self._open, real)

    def meet(self, name: str, path: str, half: Callable[[], object] | None = None) -> None:
        """Count an operation, and fail if it is the one; before that, do half of it."""
        if not (path + os.sep).startswith(self._folder):
            return
        self.operations.append(name)
        self.paths.add(path)
        if len(self.operations) == self._at:
            self._full = name not in REMOVALS
            if self._half and half is not None:
                half()
        elif not self._full or name in REMOVALS:
            return
        if self._error is None:
            os.kill(os.getpid(), signal.SIGKILL)
            signal.pause()
        raise OSError(self._error, os.strerror(self._error or 0), path)

    def _named(self, name: str, real: Callable[..., None], *paths: Any, **options: Any) -> None:
        """An operation on a path; that which a file is renamed to counts."""
        place = paths[1] if name in ("rename", "replace") else paths[0]
        self.meet(name, absolute(place, options.get("dir_fd")))
        real(*paths, **options)

    def _described(self, name: str, real: Callable[..., None], descriptor: int, *more: Any) -> None:
        self.meet(name, _path_of(descriptor))
        real(descriptor, *more)

    def _os_open(
        self, real: Callable[..., int], path: Any, flags: int, *more: Any, **o: Any
    ) -> int:
        if flags & CHANGING:
            self.meet("open", absolute(path))
        return real(path, flags, *more, **o)

    def _open(
        self,
        real: Callable[..., Any],
        file: Any,
        mode: str = "r",
        *more: Any,
        opener: Callable[[str, int], int] | None = None,
        **options: Any,
    ) -> Any:
        if isinstance(file, int) or not set(mode) & set("wax"):
            return real(file, mode, *more, opener=opener, **options)
        if opener is None:
            self.meet("open", absolute(file))
        buffered = io.BufferedWriter(_File(self, file, mode.strip("bt"), opener))
        return buffered if "b" in mode else io.TextIOWrapper(buffered)


class _File(io.FileIO):
    """A file whose writes are counted."""

    def __init__(self, disk: FaultyDisk, file: Any, mode: str, opener: Any) -> None:
        super().__init__(file, mode, opener=opener)
        self._disk = disk

    def write(self, data: Any) -> int:
        def half() -> int:
            return super(_File, self).write(bytes(data)[: len(data) // 2])

        self._disk.meet(WRITE, _path_of(self.fileno()), half)
        return super().write(data)


def _path_of(descriptor: int) -> str:
    return os.readlink(f"/proc/self/fd/{descriptor}")


def absolute(path: Any, folder: int | None = None) -> str:
    """A path in its real folder, perhaps an open one; what is removed may be a link itself."""
    place, name = os.path.split(os.fspath(path))
    base = "" if folder is None else _path_of(folder)
    return os.path.join(base or os.path.realpath(place), name)


def watch_changes(folder: Path) -> set[str]:
    """The paths in a folder that Python itself reports to be changed, from now on."""
    changed: set[str] = set()
    inside = os.path.realpath(folder)

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            places = [] if isinstance(path, int) or not flags & CHANGING else [absolute(path)]
        elif event in ("os.remove", "os.rmdir", "os.mkdir"):
            base = arguments[-1]
            places = [absolute(arguments[0], None if base == -1 else base)]
        elif event in ("os.rename", "os.link", "os.symlink"):
            places = [absolute(arguments[1])]
        else:
            places = []
        changed.update(place for place in places if place.startswith(inside))

    sys.addaudithook(note)
    return changed
