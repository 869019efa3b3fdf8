"""How many items a worker is sent at a time: enough to be worth it, few enough to end together."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from phil.workers.shared import Shared

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")

SECONDS = 0.1  # of work in a group; sending one takes about a millisecond
MOST = 64  # items in a group
SHARES = 2  # per worker: into so many groups is what is left divided at least


class Pace:
    """The size of groups, by what the groups before took."""

    def __init__(self) -> None:
        self.size = 1

    def next_size(self, left: int | None, workers: int) -> int:
        """The size of the next group of `left` items, if their number is known."""
        if left is None:
            return self.size
        return max(1, min(self.size, left // (SHARES * workers)))

    def note(self, count: int, seconds: float) -> None:
        """Take note of a group; groups grow step by step, since items may differ."""
        fitting = int(SECONDS * count / max(seconds, 1e-9))
        self.size = max(1, min(fitting, 2 * count, MOST))


class OneByOne(Pace):
    """Groups of one item each."""

    def note(self, count: int, seconds: float) -> None:
        """They stay what they are."""


def do_each(
    function: Callable[[S, T], R], shared: Shared[S], items: Sequence[T]
) -> tuple[list[R], float]:
    """In a worker: the results of a group of items, and the seconds that they took."""
    value = shared.get()
    began = time.perf_counter()
    results = [function(value, item) for item in items]
    return results, time.perf_counter() - began
