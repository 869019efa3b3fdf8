"""The part `playground`: how soon a page has a search, as its ends are dragged and walls drawn.

A client on this machine does what the page does: it moves an end, or draws a wall, asks for the
search and waits for its last frame. What the browser then takes to draw is not part of this.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from statistics import median
from typing import Any

import numpy as np
from websockets.sync.client import ClientConnection, connect

from phil.errors import InputError
from phil.play.desk import Desk
from phil.play.frames import pack, unpack
from phil.play.guard import Guard
from phil.play.scenes import encode_cells
from phil.play.server import make_app, make_server, open_socket
from phil.problems import Problem
from reproduction.speed.common import Scale

METHODS = ("astar(octile)", "greedy(euclidean)", "dijkstra", "phil:map", "hedge(phil:map)")
STARTING = 60.0  # seconds


def measure(scale: Scale) -> dict[str, Any]:
    """Medians over the moves on one map of each family, by method."""
    repeats = scale.pick(20, 3)
    rows: dict[str, list[dict[str, float]]] = {method: [] for method in METHODS}
    shape: tuple[int, ...] = ()
    with serving() as guard, Client.of(guard) as page:
        for family in scale.families:
            [problem] = scale.tests(family, 1)
            shape = problem.graph.free.shape if problem.graph.is_grid else ()
            page.show(problem)
            for method in METHODS:
                page.search(method)  # compiles and loads what it needs
                rows[method].append(_moves(page, problem, method, repeats))
    return {
        "shape": list(shape),
        "families": len(scale.families),
        "methods": {
            method: {name: median(row[name] for row in found) for name in found[0]}
            for method, found in rows.items()
        },
    }


def _moves(page: Client, problem: Problem, method: str, repeats: int) -> dict[str, float]:
    """Milliseconds from a move to the last frame, and bytes of an expanded node."""
    ends = {"start": problem.start, "goal": problem.goal}
    wall = _free_cell(problem)
    dragged, drawn, size, nodes = [], [], 0, 0
    for number in range(repeats):
        began = time.perf_counter()
        page.send({"type": "ends", **ends})
        done, size = page.search(method)
        dragged.append(time.perf_counter() - began)
        nodes = done["expansions"]
        cells = {"cell": np.array([wall]), "free": np.array([number % 2], np.uint8)}
        began = time.perf_counter()
        page.send({"type": "edit"}, cells)
        page.search(method)
        drawn.append(time.perf_counter() - began)
    return {
        "expansions": nodes,
        "search_ms": done["milliseconds"],
        "drag_ms": 1000 * median(dragged),
        "draw_ms": 1000 * median(drawn),
        "bytes_per_node": size / nodes,
    }


def _free_cell(problem: Problem) -> int:
    """A cell in the middle of the map that is free, and neither start nor goal."""
    nodes = problem.graph.node_ids
    middle = int(nodes[len(nodes) // 2])
    return middle if middle not in (problem.start, problem.goal) else int(nodes[len(nodes) // 3])


class Client:
    """A page without a screen."""

    def __init__(self, talk: ClientConnection) -> None:
        self._talk = talk
        self._request = 0
        self._wait_for("welcome")

    @classmethod
    @contextmanager
    def of(cls, guard: Guard) -> Iterator[Client]:
        """A page of a server."""
        address = f"ws://127.0.0.1:{guard.port}/ws?token={guard.token}"
        with connect(address, max_size=None) as talk:
            # As browsers do: a message does not wait for the answer to the one before.
            talk.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            yield cls(talk)

    def send(self, header: dict[str, Any], columns: Any = None) -> int:
        """Send a message."""
        self._request += 1
        header = {**header, "request": self._request}
        self._talk.send(json.dumps(header) if columns is None else pack(header, columns))
        return self._request

    def show(self, problem: Problem) -> None:
        """Open a problem on a map."""
        grid = problem.graph
        assert grid.is_grid
        source = {"source": "map", "shape": list(grid.shape), "cells": encode_cells(grid.free)}
        ends = {"start": problem.start, "goal": problem.goal}
        self.send({"type": "open", "problem": source, **ends})
        self._wait_for("problem")

    def search(self, method: str) -> tuple[dict[str, Any], int]:
        """Search; how it ended, and the bytes of its trace."""
        request = self.send({"type": "search", "pane": 0, "method": method})
        size = 0
        while True:
            frame = self._frame()
            header, _ = unpack(frame)
            if header.get("request") == request:
                size += len(frame) if header["type"] == "trace" else 0
                if header["type"] == "done":
                    return header, size
            _check(header)

    def _wait_for(self, kind: str) -> None:
        while (header := unpack(self._frame())[0])["type"] != kind:
            _check(header)

    def _frame(self) -> bytes:
        frame = self._talk.recv()
        assert isinstance(frame, bytes)
        return frame


def _check(header: dict[str, Any]) -> None:
    if header["type"] == "error":
        raise InputError(header["text"])


@contextmanager
def serving() -> Iterator[Guard]:
    """A playground in another thread."""
    listener, _ = open_socket("127.0.0.1", 0)
    guard = Guard("127.0.0.1", listener.getsockname()[1])
    ready = threading.Event()
    server = make_server(make_app(Desk(), guard), ready.set)
    thread = threading.Thread(target=partial(server.run, sockets=[listener]), daemon=True)
    thread.start()
    ready.wait(STARTING)
    try:
        yield guard
    finally:
        server.should_exit = True
        thread.join()
