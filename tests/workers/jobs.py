"""Work for tests, which other processes import by name."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError


def pick(values: NDArray[np.int64], index: int) -> int:
    return int(values[index])


def slow_at_first(_: None, index: int) -> int:
    time.sleep(0.3 if index == 0 else 0.0)
    return index


def who(_: None, __: int) -> int:
    time.sleep(0.1)
    return os.getpid()


def is_read_only(values: NDArray[np.int64], _: int) -> bool:
    return not values.flags.owndata


def refuse(_: None, index: int) -> int:
    if index == 2:
        raise InputError("number 2 is not allowed")
    return index


class Clumsy:
    """Fails, or kills its process, some times before it succeeds; files count the times."""

    def __init__(self, folder: Path, times: int, deadly: bool) -> None:
        self.folder, self.times, self.deadly = folder, times, deadly


def stumble(clumsy: Clumsy, index: int) -> int:
    if index == 3:
        before = len([*clumsy.folder.iterdir()])
        if before < clumsy.times:
            (clumsy.folder / str(before)).touch()
            if clumsy.deadly:
                os.kill(os.getpid(), signal.SIGKILL)
            raise RuntimeError("stumbled")
    return index


def count_up(first: int, count: int) -> Iterator[int]:
    for k in range(count):
        yield first + k


def fail_midway(_: None, count: int) -> Iterator[int]:
    for k in range(count):
        if k == 2:
            raise KeyError("midway")
        yield k


def die_midway(_: None, count: int) -> Iterator[int]:
    for k in range(count):
        if k == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        yield k


def sleep(_: None, seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def processes_of(values: Any, _: int) -> tuple[int, int]:
    """This process, and where its copy of an array begins."""
    time.sleep(0.1)
    return os.getpid(), values.ctypes.data


def slowly(values: NDArray[np.int64], index: int) -> int:
    time.sleep(0.5)
    return int(values[index])
