"""The playground's server: the page, its files and the WebSocket, for one person on one machine."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from importlib import resources
from typing import Any

from phil.errors import InputError
from phil.play.desk import MOST_BYTES, Desk
from phil.play.guard import HEADERS, Guard
from phil.play.runs import Run
from phil.play.session import Session

try:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse, Response
    from starlette.routing import BaseRoute, Route, WebSocketRoute
    from starlette.websockets import WebSocket, WebSocketDisconnect
except ImportError as error:
    raise InputError(
        'the playground needs Starlette and uvicorn: pip install "phil-search[play]"'
    ) from error

PORTS = 20  # tried in order, if the first ones are taken
MOST_PAGES = 8  # at a time
THREADS = 8
REFUSED, UNKNOWN = 403, 404  # of HTTP
POLICY_VIOLATION, FULL = 1008, 1013  # of WebSockets
TYPES = {"js": "text/javascript", "css": "text/css", "html": "text/html", "svg": "image/svg+xml"}


def make_app(desk: Desk, guard: Guard) -> Starlette:
    """The application that serves a playground.

    Parameters
    ----------
    desk
        What is shown.
    guard
        Who may see it.
    """
    threads = ThreadPoolExecutor(THREADS, thread_name_prefix="phil-play")
    pages: set[Session] = set()

    async def page(request: Request) -> Response:
        if not guard.knows(request.query_params.get("token")):
            return _refused(
                "This address lacks the token of the playground, or has that of another one: "
                "open the address that phil play printed."
            )
        return _file("index.html")

    async def part(request: Request) -> Response:
        return _file(str(request.path_params["name"]))

    async def talk(socket: WebSocket) -> None:
        if guard.refuses(_headers(socket)) or not guard.knows(socket.query_params.get("token")):
            await socket.close(POLICY_VIOLATION)
            return
        await socket.accept()
        if len(pages) >= MOST_PAGES:
            await socket.close(FULL, "too many pages of this playground are open; close some")
            return
        await _serve_page(socket, desk, threads, pages)

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        yield
        for session in tuple(pages):
            session.close()
        threads.shutdown(wait=False, cancel_futures=True)

    routes: list[BaseRoute] = [
        Route("/", _guarded(guard, page)),
        Route("/page/{name}", _guarded(guard, part)),
        WebSocketRoute("/ws", talk),
    ]
    return Starlette(routes=routes, lifespan=life)


async def _serve_page(
    socket: WebSocket, desk: Desk, threads: ThreadPoolExecutor, pages: set[Session]
) -> None:
    """Answer one page until it is closed."""
    loop = asyncio.get_running_loop()
    frames: asyncio.Queue[tuple[bytes, Run | None]] = asyncio.Queue()

    def send(frame: bytes, run: Run | None) -> None:
        with suppress(RuntimeError):  # the server is being stopped
            loop.call_soon_threadsafe(frames.put_nowait, (frame, run))

    async def deliver() -> None:
        while True:
            frame, run = await frames.get()
            if run is None or not run.is_cancelled:
                await socket.send_bytes(frame)

    session = Session(desk, send, threads)
    pages.add(session)
    delivery = loop.create_task(deliver())
    try:
        session.welcome()
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                break
            data = message.get("bytes")
            await session.receive(message.get("text", "") if data is None else data)
    except WebSocketDisconnect:
        pass
    finally:
        pages.discard(session)
        delivery.cancel()
        session.close()


def _guarded(
    guard: Guard, answer: Callable[[Request], Awaitable[Response]]
) -> Callable[[Request], Awaitable[Response]]:
    """The same answer with safe headers, for requests that are not refused."""

    async def guarded(request: Request) -> Response:
        reason = guard.refuses(_headers(request))
        response = await answer(request) if reason is None else _refused(f"Refused: {reason}.")
        response.headers.update(HEADERS)
        return response

    return guarded


def _headers(connection: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in connection.headers.items()}


def _refused(reason: str) -> Response:
    return PlainTextResponse(reason, REFUSED)


def _file(name: str) -> Response:
    """A file of the page; no name leads out of its folder, which is listed."""
    found = {each.name: each for each in (resources.files("phil.play") / "page").iterdir()}
    kind = TYPES.get(name.rpartition(".")[2])
    if name not in found or kind is None:
        return PlainTextResponse(f"there is no file {name[:100]!r}", UNKNOWN)
    return Response(found[name].read_bytes(), media_type=kind)


def open_socket(host: str, port: int) -> tuple[socket.socket, list[int]]:
    """A socket on the first port that is free, and the taken ones before it.

    Parameters
    ----------
    host
        Where to listen.
    port
        The first port to try; 0 for any.

    Raises
    ------
    InputError
        If no port is free, or there is no such host.
    """
    taken: list[int] = []
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in [port] if port == 0 else range(port, min(port + PORTS, 2**16)):
        # By its protocol, asyncio knows that frames must not wait for each other (TCP_NODELAY).
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, number))
            listener.listen()
        except OSError as error:
            listener.close()
            if isinstance(error, socket.gaierror) or number == 0:
                raise InputError(f"--host {host}: {error.strerror or error}") from error
            taken.append(number)
        else:
            return listener, taken
    raise InputError(
        f"no port of {host} from {port} to {taken[-1]} could be opened; choose another --port"
    )


def make_server(app: Starlette, ready: Callable[[], None]) -> uvicorn.Server:
    """A server of an application; `ready` is called once pages can be opened."""
    config = uvicorn.Config(
        app,
        log_level="critical",
        ws_max_size=MOST_BYTES,
        ws_per_message_deflate=False,  # on one machine, packing takes longer than sending
        timeout_graceful_shutdown=0,
        server_header=False,
        date_header=False,
    )
    return _Server(config, ready)


class _Server(uvicorn.Server):
    """Says when it is ready, and leaves signals to the program."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        self._ready()
