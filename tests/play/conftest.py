"""A playground that is served for real, and a client that talks to it as a page does."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from websockets.sync.client import connect

from phil.play.desk import Desk
from phil.play.frames import pack, unpack
from phil.play.guard import Guard
from phil.play.server import make_app, make_server, open_socket

Header = dict[str, Any]
Columns = dict[str, NDArray[Any]]
WAIT = 60.0  # seconds: the first search may have to be compiled


@dataclass
class Page:
    """The client of a playground, as a page is."""

    socket: Any
    welcome: Header = field(default_factory=dict)
    request: int = 0

    def send(self, kind: str, arrays: Columns | None = None, **fields: Any) -> int:
        """Send a message; returns its request."""
        self.request += 1
        header = {"type": kind, "request": self.request, **fields}
        self.socket.send(json.dumps(header) if arrays is None else pack(header, arrays))
        return self.request

    def receive(self) -> tuple[Header, Columns]:
        """The next frame."""
        return unpack(self.socket.recv(timeout=WAIT))

    def until(self, *kinds: str, request: int | None = None) -> tuple[Header, Columns]:
        """The next frame of these kinds; an error that was not expected fails."""
        while True:
            header, columns = self.receive()
            mine = request is None or header.get("request") == request
            if header["type"] in kinds and mine:
                return header, columns
            assert header["type"] != "error", header

    def ask(self, kind: str, answer: str, **fields: Any) -> tuple[Header, Columns]:
        """Send a message, and wait for the answer of a kind."""
        return self.until(answer, request=self.send(kind, **fields))

    def open(self, source: str, **fields: Any) -> tuple[Header, Columns]:
        """Open a problem."""
        return self.ask("open", "problem", problem={"source": source, **fields})

    def draw(self, *rows: str, **fields: Any) -> tuple[Header, Columns]:
        """Open a map that is drawn in rows of text, with blocked cells as #."""
        free = np.array([[cell != "#" for cell in row] for row in rows])
        source = {"source": "map", "shape": list(free.shape)}
        columns = {"free": free.reshape(-1).astype(np.uint8)}
        request = self.send("open", columns, problem=source, **fields)
        return self.until("problem", request=request)

    def search(self, method: str, pane: int = 0, **fields: Any) -> tuple[Header, Columns]:
        """Search, and wait for the end; the columns are those of the whole trace, and the path."""
        request = self.send("search", pane=pane, method=method, **fields)
        pieces: list[Columns] = []
        while True:
            header, columns = self.until("trace", "done", request=request)
            if header["type"] == "done":
                break
            assert header["first"] == sum(piece["node"].size for piece in pieces)
            pieces.append(columns)
        names = pieces[0] if pieces else {}
        joined = {name: np.concatenate([piece[name] for piece in pieces]) for name in names}
        return header, {**joined, **columns}


@dataclass(frozen=True)
class Served:
    """A running playground."""

    guard: Guard

    @contextmanager
    def page(self, **options: Any) -> Iterator[Page]:
        """A page that is connected and has been welcomed."""
        address = f"ws://127.0.0.1:{self.guard.port}/ws?token={self.guard.token}"
        with connect(address, max_size=None, **options) as socket:
            page = Page(socket)
            page.welcome, _ = page.receive()
            yield page


Serve = Callable[[Desk], Served]


@pytest.fixture(scope="module")
def serve() -> Iterator[Serve]:
    """Serves what is on a desk, until the tests of the module are over."""
    with ExitStack() as running:

        def start(desk: Desk) -> Served:
            return running.enter_context(serving(desk))

        yield start


@contextmanager
def serving(desk: Desk) -> Iterator[Served]:
    """A playground in a thread of its own."""
    listener, _ = open_socket("127.0.0.1", 0)
    guard = Guard("127.0.0.1", listener.getsockname()[1])
    ready = threading.Event()
    server = make_server(make_app(desk, guard), ready.set)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    assert ready.wait(WAIT)
    try:
        yield Served(guard)
    finally:
        server.should_exit = True
        thread.join(WAIT)


@pytest.fixture(scope="module")
def served(serve: Serve) -> Served:
    """A playground that was started without arguments."""
    return serve(Desk())


@pytest.fixture
def page(served: Served) -> Iterator[Page]:
    """A page of it."""
    with served.page() as connected:
        yield connected
