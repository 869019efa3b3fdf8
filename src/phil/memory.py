"""Free memory, a check to make before a large allocation, and files that are used as memory."""

from __future__ import annotations

import mmap
import os
from io import BufferedReader
from pathlib import Path
from typing import Any

from phil.errors import InputError

SMALL = 2**26  # bytes; less is granted without asking the system
GIGABYTE = 10**9

# Limit, usage, and the field of `memory.stat` that counts reclaimable pages: cgroups v2 and v1.
CONTAINER_FILES = (
    ("memory.max", "memory.current", "memory.stat", "inactive_file"),
    (
        "memory/memory.limit_in_bytes",
        "memory/memory.usage_in_bytes",
        "memory/memory.stat",
        "total_inactive_file",
    ),
)


def check_memory(need: int, what: str) -> None:
    """Raise `InputError` if `what` needs more bytes than are free.

    >>> check_memory(10**15, "a map of 10000000 x 10000000 cells")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    phil.errors.InputError: a map of 10000000 x 10000000 cells needs 1000000 GB of memory, ...
    """
    if need < SMALL:
        return
    free = available_bytes()
    if free is not None and need > free:
        raise InputError(
            f"{what} needs {_gigabytes(need)} GB of memory, {_gigabytes(free)} GB are free; "
            "make it smaller, close other programs, or use a machine with more memory"
        )


def _gigabytes(count: int) -> str:
    return f"{count / GIGABYTE:.1f}" if count < 10 * GIGABYTE else f"{count / GIGABYTE:.0f}"


def available_bytes() -> int | None:
    """The memory that this process can still use within its container; None if unknown.

    On systems that do not report free memory, all of the machine's memory counts as free.
    """
    known = [count for count in (_system_bytes(), _container_bytes()) if count is not None]
    return min(known, default=None)


def _system_bytes() -> int | None:
    free = _field(Path("/proc/meminfo"), "MemAvailable:")
    if free is not None:
        return 1024 * free
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # not supported by this system
        return None


def _container_bytes(root: Path = Path("/sys/fs/cgroup")) -> int | None:
    for limit_file, usage_file, statistics, reclaimable in CONTAINER_FILES:
        limit, usage = _number(root / limit_file), _number(root / usage_file)
        if limit is not None and usage is not None:
            return max(0, limit - usage + (_field(root / statistics, reclaimable) or 0))
    return None


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):  # no such file, or "max": no limit
        return None


def _field(path: Path, name: str) -> int | None:
    try:
        rows = (line.split() for line in path.read_text().splitlines())
        return next((int(row[1]) for row in rows if row[0] == name), None)
    except (OSError, ValueError, IndexError):
        return None


class MappedFile(mmap.mmap):
    """A file that is mapped into memory, for reading only, and never changed by who writes it.

    Graphs keep arrays that lie in one, if they have the type that kernels read. All others they
    copy, even read-only maps: those may change with the arrays of which they are views.
    """

    path: str
    identity: tuple[int, int]  # of the file that is mapped, whichever has its name now

    @classmethod
    def of(cls, stream: BufferedReader) -> MappedFile:
        """Map all of an open file."""
        mapped = cls(stream.fileno(), 0, access=mmap.ACCESS_READ)
        mapped.path = os.path.abspath(stream.name)
        mapped.identity = file_identity(os.fstat(stream.fileno()))
        return mapped


def file_identity(facts: os.stat_result) -> tuple[int, int]:
    """What tells a file from all others, however it is named."""
    return facts.st_dev, facts.st_ino


def mapped_file(array: Any) -> MappedFile | None:
    """The file that an array lies in, if it is mapped."""
    owner = array
    while (below := getattr(owner, "base", None)) is not None:
        owner = below
    found = owner.obj if isinstance(owner, memoryview) else owner
    return found if isinstance(found, MappedFile) else None
