"""One search of a pane: what was seen of it, and what of that the page is told."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import isfinite
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.play.discovery import discovered
from phil.play.frames import Arrays, pack
from phil.play.protocol import Column
from phil.play.scenes import Scene
from phil.search import Limits, Piece, Result, watched
from phil.search.bidirectional import BidirectionalMethod
from phil.search.method import Solver

COLUMNS: tuple[Column, ...] = ("node", "parent", "g", "h", "key", "calls")
PAUSE = 0.012  # seconds between two frames of a trace: less than a picture of a screen takes
MOST_IN_FRAME = 100_000  # expanded nodes


class Cancelled(Exception):
    """The page no longer wants this search."""


@dataclass(frozen=True)
class Order:
    """What a page asked for: a search of a scene in a pane."""

    scene: Scene
    pane: int
    request: int
    method: Solver
    anytime: bool = False
    limits: Limits = field(default_factory=Limits)
    columns: tuple[Column, ...] = ("node",)

    def header(self, kind: str, **more: Any) -> dict[str, Any]:
        """The header of a frame about this search."""
        return {"type": kind, "pane": self.pane, "request": self.request, **more}


class Run:
    """A search that is watched: sends what it expands while it runs, and keeps it.

    Parameters
    ----------
    order
        What to search.
    send
        Called with frames, in the thread of the search.
    """

    def __init__(self, order: Order, send: Callable[[bytes], None]) -> None:
        self.order = order
        self.result: Result | None = None
        self._send = send
        self._cancelled = Event()
        self._pieces: list[Piece] = []
        self._sent = 0  # expanded nodes
        self._waiting = 0  # pieces that are not sent yet
        self._last = -float("inf")

    def cancel(self) -> None:
        """End the search soon; nothing more is sent."""
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        """Whether the page no longer wants it."""
        return self._cancelled.is_set()

    def see(self, piece: Piece) -> None:
        """Take note of expansions, and send them now and then (see `phil.search.Watcher`)."""
        if self.is_cancelled:
            raise Cancelled
        self._pieces.append(piece)
        self._waiting += 1
        now = time.monotonic()
        if now - self._last >= PAUSE:
            self._last = now
            self._flush()

    def run(self) -> Result:
        """Search.

        Raises
        ------
        Cancelled
            If `cancel` was called meanwhile.
        InputError
            If the method cannot search this problem.
        """
        order, scene = self.order, self.order.scene
        self._send(self.begin())
        with watched(self):
            if order.anytime:
                for result in order.method.anytime(scene.problem, order.limits, trace=True):
                    self._show_better(result)
            else:
                result = order.method.search(scene.problem, order.limits, trace=True)
        if self.is_cancelled:
            raise Cancelled
        if not self._pieces and result.trace is not None and result.trace.size:
            self._pieces, self._waiting = [_unwatched(result)], 1
        self._flush()
        self.result = result
        return result

    def begin(self) -> bytes:
        """The frame that says which search it is."""
        method = self.order.method
        ends = "both" if isinstance(method, BidirectionalMethod) else "one"
        return pack(self.order.header("begin", method=method.text, ends=ends))

    def done(self, least: float | None) -> bytes:
        """The frame that says how it ended; `least` is the least cost, if it is known."""
        result = self.result
        assert result is not None
        over = None
        if least is not None and isfinite(least) and isfinite(result.cost):
            over = result.cost / least if least > 0 else 1.0
        known = least if least is None or isfinite(least) else None
        header = self.order.header("done", **counts(result), least=known, over=over)
        return pack(header, {"path": np.asarray(result.path)})

    def details(self, columns: Sequence[Column], request: int) -> list[bytes]:
        """Frames with columns of all expanded nodes."""
        full = {name: self.column(name) for name in columns}
        size = self.column("node").size
        header = self.order.header("trace") | {"request": request}
        return [
            pack(
                {**header, "first": first},
                {name: column[first : first + MOST_IN_FRAME] for name, column in full.items()},
            )
            for first in range(0, max(1, size), MOST_IN_FRAME)
        ]

    def discovered(self, request: int) -> bytes:
        """The frame that says what the search discovered, and when."""
        problem = self.order.scene.problem
        both = isinstance(self.order.method, BidirectionalMethod) and problem.start != problem.goal
        ends = (problem.start, problem.goal) if both else (problem.start,)
        trace = self.column("node")
        # Nothing is discovered from a goal that ends the search.
        result = self.result
        ended = result is not None and result.solved and not both and trace.size > 0
        expanded = trace[:-1] if ended and trace[-1] == problem.goal else trace
        parents = self.column("parent")[: expanded.size]
        nodes, steps = discovered(self.order.scene.graph, expanded, parents, ends)
        header = self.order.header("discovered") | {"request": request}
        return pack(header, {"node": nodes, "step": steps})

    def column(self, name: Column) -> NDArray[Any]:
        """A column of all expanded nodes."""
        pieces = [getattr(piece, name) for piece in self._pieces]
        return np.concatenate(pieces) if pieces else np.empty(0, np.int32)

    def _flush(self) -> None:
        if self._waiting == 0:
            return
        pieces = self._pieces[-self._waiting :]
        columns: Arrays = {
            str(name): np.concatenate([getattr(piece, name) for piece in pieces])
            for name in self.order.columns
        }
        self._send(pack(self.order.header("trace", first=self._sent), columns))
        self._sent += sum(piece.node.size for piece in pieces)
        self._waiting = 0

    def _show_better(self, result: Result) -> None:
        self._flush()
        if len(result.path):
            header = self.order.header(
                "better",
                expansions=result.expansions,
                cost=result.cost,
                proven=finite(result.proven),
            )
            self._send(pack(header, {"path": np.asarray(result.path)}))


def counts(result: Result) -> dict[str, Any]:
    """The numbers of a result, as `phil solve --json` has them."""
    return {
        "outcome": str(result.outcome),
        "expansions": result.expansions,
        "calls": result.calls,
        "evaluations": result.evaluations,
        "generated": result.generated,
        "reopened": result.reopened,
        "neighbor_calls": result.neighbor_calls,
        "lookahead_calls": result.lookahead_calls,
        "cost": finite(result.cost),
        "length": result.length if len(result.path) else None,
        "lower_bound": finite(result.lower_bound),
        "proven": finite(result.proven),
        "milliseconds": 1000 * result.seconds,
    }


def finite(value: float) -> float | None:
    """A number as JSON has it."""
    return value if isfinite(value) else None


def _unwatched(result: Result) -> Piece:
    """What is known of a search of the user's own, which tells a watcher nothing."""
    assert result.trace is not None
    node = np.asarray(result.trace, np.int32)
    unknown = np.full(node.size, np.nan)
    parent = np.full(node.size, -1, np.int32)
    steps = np.minimum(np.arange(1, node.size + 1), result.calls)
    return Piece(node=node, parent=parent, g=unknown, h=unknown, key=unknown, calls=steps)
