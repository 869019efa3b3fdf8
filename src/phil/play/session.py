"""One page: its open problem, its panes, and the answers to what it asks."""

from __future__ import annotations

import asyncio
import tempfile
import traceback
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from pydantic import TypeAdapter, ValidationError

from phil.errors import InputError
from phil.evaluation.optimal import least_costs
from phil.graphs.distances import costs_to
from phil.graphs.formats import write_graph
from phil.heuristics.file import LearnedHeuristic
from phil.play import protocol
from phil.play.commands import equivalent, file_name
from phil.play.desk import Desk
from phil.play.dropped import DropBox, safe_name, told
from phil.play.film import film
from phil.play.frames import Arrays, header_of, pack, unpack
from phil.play.methods import page_method
from phil.play.pictures import problem_frame
from phil.play.protocol import PANES, FromPage, State
from phil.play.runs import Cancelled, Order, Run, finite
from phil.play.scenes import Library, Scene
from phil.problems.problem import Problem
from phil.search import Limits, Result
from phil.search.guide import Heuristic

QUIET = 0.1  # seconds without a change, after which it is worth finding the least cost
KEPT = 8  # dropped heuristics
WHOSE = ("pane", "request")  # what errors repeat of a message
MIME = {"gif": "image/gif", "mp4": "video/mp4", "npz": "application/octet-stream"}

_messages: TypeAdapter[Any] = TypeAdapter(FromPage)

T = TypeVar("T")
Send = Callable[[bytes, Run | None], None]


@dataclass
class Pane:
    """What a pane does now, what it does next, and its last search that was finished."""

    now: Run | None = None
    next: Run | None = None
    last: Run | None = None


class Session:
    """The server's side of one page.

    Parameters
    ----------
    desk
        What is given.
    send
        Takes frames, in any thread; with the search that a frame is about, if it is about one: it
        need not be sent any more once that is cancelled.
    threads
        Where searches run.
    """

    def __init__(self, desk: Desk, send: Send, threads: Executor) -> None:
        self._desk = desk
        self._send = send
        self._threads = threads
        self._library = Library(desk.given, desk.given_name)
        self._box = DropBox()
        self._own: dict[str, Heuristic] = dict(desk.heuristics)
        self._dropped: list[str] = []  # names of heuristics
        self._scene: Scene | None = None
        self._panes = [Pane() for _ in range(PANES)]
        self._prepared: dict[str, object] = {}  # by method: the graph that it was last run on
        self._least: tuple[object, float] | None = None  # of a problem
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def welcome(self) -> None:
        """Greet the page."""
        self._say(self._desk.welcome())

    def close(self) -> None:
        """End everything that runs, and remove dropped files."""
        self._closed = True
        for pane in self._panes:
            for run in (pane.now, pane.next):
                if run is not None:
                    run.cancel()
        for task in self._tasks:
            task.cancel()
        self._box.close()

    async def receive(self, data: str | bytes) -> None:
        """Do what a message of the page says; whatever is wrong with it becomes an answer."""
        known: dict[str, Any] = {}
        try:
            header, columns = (header_of(data), {}) if isinstance(data, str) else unpack(data)
            known = {each: header[each] for each in WHOSE if type(header.get(each)) is int}
            await self._answer(_message(header), columns)
        except InputError as error:
            self._say({"type": "error", "text": str(error), **known})
        except Exception as error:
            traceback.print_exc()
            self._say({"type": "error", "text": f"this failed: {error!r}", **known})

    async def _answer(self, message: Any, columns: Arrays) -> None:
        match message:
            case protocol.Open():
                ends, free = (message.start, message.goal), columns.get("free")
                opened = partial(self._library.open, message.problem, *ends, free)
                await self._open(opened, message.request)
            case protocol.Edit():
                self._edit(message, columns)
            case protocol.Ends():
                self._change(self._open_scene.between(message.start, message.goal), message.request)
            case protocol.Search():
                self._search(message)
            case protocol.Cancel():
                self._stop(self._panes[message.pane])
            case protocol.Details():
                for frame in self._last(message.pane).details(message.columns, message.request):
                    self._send(frame, None)
            case protocol.Discovered():
                run = self._last(message.pane)
                self._send(await self._in_thread(run.discovered, message.request), None)
            case protocol.Distances():
                await self._distances(message)
            case protocol.Labels():
                self._labels(message)
            case protocol.File():
                await self._file(message, columns)
            case protocol.Command():
                self._command(message)
            case protocol.Save():
                data = await self._in_thread(saved, self._open_scene)
                self._download(message.request, file_name(self._open_scene), data)
            case protocol.Film():
                await self._film(message)

    async def _open(self, opened: Callable[[], Scene], request: int) -> None:
        scene, frame = await self._in_thread(_shown, opened, request)
        for pane in self._panes:
            self._stop(pane)
            pane.last = None
        self._scene = scene
        self._send(frame, None)

    def _edit(self, message: protocol.Edit, columns: Arrays) -> None:
        cells, free = columns.get("cell"), columns.get("free")
        if cells is None or free is None:
            cells, free = np.empty(0, np.int32), np.empty(0, np.uint8)
        scene = self._open_scene.edited(cells, free, message.connectivity, message.corners)
        self._change(scene, message.request)

    def _change(self, scene: Scene, request: int) -> None:
        """Continue with another form of the same scene."""
        self._scene = scene
        ends = {"start": scene.problem.start, "goal": scene.problem.goal}
        self._say({"type": "ready", "request": request, **ends})

    def _search(self, message: protocol.Search) -> None:
        order = Order(
            self._open_scene,
            message.pane,
            message.request,
            page_method(message.method, self._own, message.bound),
            message.anytime,
            Limits(message.limit, self._desk.seconds),
            tuple(message.columns),
        )
        pane = self._panes[message.pane]
        self._stop(pane)
        # A search may send frames until it is cancelled; they are then dropped with it.
        run = Run(order, lambda frame: self._send(frame, run))
        pane.next = run
        if pane.now is None:
            self._start(self._work(pane))

    def _stop(self, pane: Pane) -> None:
        """Cancel what a pane does and will do."""
        if pane.now is not None:
            pane.now.cancel()
        if pane.next is not None:
            self._say(pane.next.order.header("cancelled"))
            pane.next = None

    async def _work(self, pane: Pane) -> None:
        """Do the searches of a pane, one after the other."""
        while pane.next is not None:
            pane.now, pane.next = pane.next, None
            run, order = pane.now, pane.now.order
            try:
                result = await self._in_thread(self._run, run)
                self._finish(pane, run, result)
            except Cancelled:
                self._say(order.header("cancelled"))
            except InputError as error:
                self._say(order.header("error", text=str(error)))
            except Exception as error:
                traceback.print_exc()
                self._say(order.header("error", text=f"this failed: {error!r}"))
            finally:
                pane.now = None

    def _run(self, run: Run) -> Result:
        """Search in this thread; what is done once for a graph is not part of its time."""
        order = run.order
        name = f"{order.method.text} {order.method.bound}"
        if self._prepared.get(name) is not order.scene.graph:
            order.method.search(order.scene.problem, Limits(expansions=2))
            self._prepared[name] = order.scene.graph
        return run.run()

    def _finish(self, pane: Pane, run: Run, result: Result) -> None:
        if run.is_cancelled:  # when it was over, but before that was known here
            raise Cancelled
        scene = run.order.scene
        least = self._known_least(scene.problem)
        if least is None and result.solved and run.order.method.promise([scene.graph]) == 1.0:
            least = result.cost
            self._least = scene.problem, least
            self._say_least(scene.problem, least)
        pane.last = run
        self._send(run.done(least), run)
        if least is None:
            self._start(self._find_least(scene.problem))

    def _known_least(self, problem: Problem) -> float | None:
        return self._least[1] if self._least is not None and self._least[0] is problem else None

    async def _find_least(self, problem: Problem) -> None:
        """Say the least cost of a problem, unless the next one is there before."""
        await asyncio.sleep(QUIET)
        if self._is_shown(problem) and self._known_least(problem) is None:
            [cost] = await self._in_thread(least_costs, [problem])
            if self._is_shown(problem) and self._known_least(problem) is None:
                self._least = problem, cost
                self._say_least(problem, cost)

    def _is_shown(self, problem: Problem) -> bool:
        return self._scene is not None and self._scene.problem is problem

    def _say_least(self, problem: Problem, cost: float) -> None:
        ends = {"start": problem.start, "goal": problem.goal}
        self._say({"type": "least", **ends, "cost": finite(cost)})

    async def _distances(self, message: protocol.Distances) -> None:
        problem = self._open_scene.problem
        distance = await self._in_thread(costs_to, problem.graph, problem.goal)
        self._least = problem, float(distance[problem.start])
        self._say({"type": "distances", "request": message.request}, {"distance": distance})

    def _labels(self, message: protocol.Labels) -> None:
        graph = self._open_scene.graph
        for node in message.nodes:
            graph.check_node(node, "node")
        labels = [str(graph.user_node(node)) for node in message.nodes]
        self._say({"type": "labels", "request": message.request, "labels": labels})

    async def _file(self, message: protocol.File, columns: Arrays) -> None:
        data = columns.get("bytes")
        if data is None:
            raise InputError("a file without bytes")
        name = safe_name(message.name)
        found = await self._in_thread(self._box.read, message.name, data.tobytes())
        if found is None:
            self._say({"type": "kept", "request": message.request, "name": name})
        elif isinstance(found, State):
            state = found.model_dump(exclude_none=True)
            self._say({"type": "state", "request": message.request, "state": state})
        elif isinstance(found, LearnedHeuristic):
            self._keep_heuristic(name, found)
            self._say(
                {"type": "heuristic", "request": message.request, "name": name, "help": repr(found)}
            )
        else:
            source = self._library.keep(name, found)
            await self._open(lambda: self._library.open(source), message.request)

    def _keep_heuristic(self, name: str, heuristic: LearnedHeuristic) -> None:
        """Let methods of this page name a dropped heuristic; only the last few are kept."""
        self._dropped = [*(each for each in self._dropped if each != name), name][-KEPT:]
        kept = {each: self._own[each] for each in self._dropped if each in self._own}
        self._own = {**self._desk.heuristics, **kept, name: heuristic}
        self._prepared.clear()

    def _command(self, message: protocol.Command) -> None:
        page_method(message.method, self._own, message.bound)
        given = self._desk.given_name if self._desk.given_is_file else ""
        lines = equivalent(
            self._open_scene, given, message.method, message.bound, message.anytime, message.limit
        )
        self._say({"type": "command", "pane": message.pane, "request": message.request, **lines})

    async def _film(self, message: protocol.Film) -> None:
        runs = [pane.last for pane in self._panes if pane.last is not None]
        if not runs:
            raise InputError("there is no race to film yet; let the panes search first")
        share = partial(self._progress, message.request)
        make = partial(film, runs, message.format, message.seconds, message.width, share)
        self._start(self._deliver_film(message, make))

    async def _deliver_film(self, message: protocol.Film, make: Callable[[], bytes]) -> None:
        try:
            data = await self._in_thread(make)
        except InputError as error:
            self._say({"type": "error", "text": str(error), "request": message.request})
        else:
            self._download(message.request, f"race.{message.format}", data)

    def _progress(self, request: int, share: float) -> None:
        if self._closed:
            raise Cancelled  # nobody waits for the film
        self._say({"type": "progress", "request": request, "share": share})

    def _download(self, request: int, name: str, data: bytes) -> None:
        mime = MIME[name.rpartition(".")[2]]
        header = {"type": "saved", "request": request, "name": name, "mime": mime}
        self._say(header, {"bytes": np.frombuffer(data, np.uint8)})

    @property
    def _open_scene(self) -> Scene:
        if self._scene is None:
            raise InputError("no problem is open yet")
        return self._scene

    def _last(self, pane: int) -> Run:
        run = self._panes[pane].last
        if run is None:
            raise InputError("this pane has not searched yet")
        return run

    def _say(self, header: Mapping[str, Any], columns: Arrays | None = None) -> None:
        self._send(pack(header, columns), None)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _in_thread(self, function: Callable[..., T], *arguments: Any) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, function, *arguments)


def saved(scene: Scene) -> bytes:
    """The map or graph of a scene as a file."""
    with tempfile.TemporaryDirectory(prefix="phil-play-") as folder:
        path = Path(folder) / file_name(scene)
        write_graph(path, scene.graph)
        return path.read_bytes()


def _shown(opened: Callable[[], Scene], request: int) -> tuple[Scene, bytes]:
    scene = opened()
    return scene, problem_frame(scene, request)


def _message(header: Mapping[str, Any]) -> Any:
    try:
        return _messages.validate_python(header)
    except ValidationError as error:
        raise InputError(f"a message is damaged: {told(error)}") from error
