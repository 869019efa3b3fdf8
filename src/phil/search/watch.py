"""Watching a search while it runs: its expansions as they are made, and ending it early."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

WATCHED = 512  # expansions, at most, until the first report
SOON, LATE = 0.002, 0.02  # seconds after which reports become rarer, or more frequent


@dataclass(frozen=True)
class Piece:
    """Consecutive expansions of a search, each as it was when the node was moved to CLOSE.

    Attributes
    ----------
    node
        The expanded nodes.
    parent
        The node that each was reached from; -1 at the start, and at the goal of a search that
        begins there too.
    g, h, key
        The path cost, the heuristic value and the key in OPEN; NaN if there is none, as of the
        value of the start.
    calls
        The calls of the search until the expansion was over.
    """

    node: NDArray[np.int32]
    parent: NDArray[np.int32]
    g: NDArray[np.float64]
    h: NDArray[np.float64]
    key: NDArray[np.float64]
    calls: NDArray[np.int64]


class Watcher(Protocol):
    """What is told of expansions."""

    def see(self, piece: Piece) -> None:
        """Take note of expansions; an exception that it raises ends the search."""
        ...


_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Let a watcher see the searches of this thread that record a trace.

    Examples
    --------
    >>> import phil
    >>> from phil.search import watched
    >>> class Printer:
    ...     def see(self, piece):
    ...         print(piece.node, piece.calls)
    >>> grid = phil.GridGraph([[True] * 3] * 3)
    >>> with watched(Printer()):
    ...     result = phil.search(grid, (2, 0), (0, 2), "euclidean", trace=True)
    [6 4 2] [1 2 2]
    """
    before = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(before)


def current_watcher() -> Watcher | None:
    """The watcher of this thread, if any."""
    return _watcher.get()


def keys(
    weights: NDArray[np.float64],
    g: NDArray[np.float64],
    h: NDArray[np.float64],
    depth: NDArray[Any],
) -> NDArray[np.float64]:
    """The keys of nodes: the weighted sums of their g, h and depth (see `phil.search.open`)."""
    total = np.zeros(g.size)
    for weight, column in zip(weights, (g, h, depth), strict=False):
        if weight != 0.0:  # an infinite value times 0 would be NaN
            total += weight * column
    return total
