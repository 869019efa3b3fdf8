"""Work that is spread over threads: kernels run without the interpreter's lock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from phil.workers import Workers, open_workers
from phil.workers.threads import Threads

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


@contextmanager
def workers_on(on: str | Workers, threads: int) -> Iterator[Workers]:
    """The workers of `on`; in this process, so many threads."""
    with open_workers(on) as workers:
        if not workers.is_here:
            yield workers
            return
    with Threads(threads) as here:
        yield here
