"""Free memory, and a check to make before a large allocation."""

from __future__ import annotations

import os
from pathlib import Path

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
