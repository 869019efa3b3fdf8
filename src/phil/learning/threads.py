"""Work that is spread over threads: kernels run without the interpreter's lock."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

THREADS = 2  # as many as there are candidates in training at a time, by default


def in_threads(function: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """The function's result for each item, in order.

    >>> in_threads(abs, [-1, 2])
    [1, 2]
    """
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(function, items))
