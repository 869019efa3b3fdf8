"""Work in other processes of this machine.

Each process has a pipe of its own, whose other end only it holds: if it is killed, even in the
middle of an answer, its pipe ends, and it is known which item it worked on. (A process that is
killed while it answers leaves `concurrent.futures.ProcessPoolExecutor` waiting for ever.)
"""

from __future__ import annotations

import os
import signal
import threading
import traceback
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection, get_context, parent_process
from queue import LifoQueue
from typing import Any, TypeVar

from phil.workers.lost import WorkerLost
from phil.workers.shared import Shared
from phil.workers.shared_file import InFile, SharedFolder
from phil.workers.workers import Handle, Workers

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")
Call = tuple[Callable[..., Any], tuple[Any, ...]]

# Read by BLAS, torch and Numba when they are first imported: a worker uses one core.
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")}


class Processes(Workers):
    """Processes of one thread each."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._folder = SharedFolder()
        self._all = [_Process() for _ in range(count)]
        self._idle: LifoQueue[_Process] = LifoQueue()
        for process in self._all:
            self._idle.put(process)

    def share(self, value: S) -> InFile[S]:
        """Write a value to a file that all processes map."""
        return self._folder.put(value)

    def iterate(
        self, function: Callable[[S, T], Iterator[R]], shared: Shared[S], item: T
    ) -> Generator[R, None, None]:
        """Run a generator in a process that does nothing else meanwhile."""
        process = self._idle.get()
        try:
            process.send(_begin, function, shared, item)
            while True:
                more, value = process.answer()
                if not more:
                    return
                yield value
                process.send(_next)
        finally:
            if process.is_busy:  # interrupted while waiting
                process.stop()
            self._idle.put(process)

    def close(self) -> None:
        """Stop the processes."""
        for process in self._all:
            process.stop()
        self._folder.delete()

    def _submit(self, function: Callable[[S, T], R], shared: Shared[S], item: T) -> Handle:
        process = self._idle.get()
        try:
            process.send(_call, function, shared, item)
        except BaseException:
            self._idle.put(process)
            raise
        return process

    def _wait(self, handles: Collection[Handle]) -> Collection[Handle]:
        ready = connection.wait([process.pipe for process in handles])
        return [process for process in handles if process.pipe in ready]

    def _result(self, handle: Handle) -> Any:
        try:
            return handle.answer()
        finally:
            self._idle.put(handle)

    def _cancel(self, handles: Collection[Handle]) -> None:
        for process in handles:
            process.stop()
            self._idle.put(process)


class _Process:
    """A process that is started when there is work for it, and again after it died."""

    def __init__(self) -> None:
        self._process: Any = None
        self._pipe: connection.Connection | None = None
        self.is_busy = False

    @property
    def pipe(self) -> connection.Connection:
        """Where its answers come from."""
        assert self._pipe is not None, "it was given no work"
        return self._pipe

    def send(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Let it call a function."""
        if self._pipe is None:
            self._start()
        # If it has died, that shows when its answer is due.
        with suppress(BrokenPipeError, ConnectionResetError):
            self.pipe.send((function, arguments))
        self.is_busy = True

    def answer(self) -> Any:
        """Wait for the result of the call, or its error; `WorkerLost` if the process died."""
        try:
            error, result = self.pipe.recv()
        except (EOFError, OSError) as lost:
            raise WorkerLost(f"a worker process {self._end()}") from lost
        self.is_busy = False
        if error is not None:
            raise error
        return result

    def stop(self) -> None:
        """End it, whatever it is doing."""
        if self._pipe is not None:
            self._process.kill()
            self._end()

    def _start(self) -> None:
        # A forked process would inherit the locks of this one's threads, but not the threads.
        context = get_context("spawn")
        self._pipe, there = context.Pipe()
        self._process = context.Process(target=_serve, args=(there,), name="phil-worker")
        with _one_thread():
            self._process.start()
        there.close()  # so that the pipe ends with the process

    def _end(self) -> str:
        """Tidy up after it; says how it ended."""
        self._process.join()
        self.pipe.close()
        code = self._process.exitcode
        self._pipe, self.is_busy = None, False
        return f"was killed by signal {-code}" if code < 0 else f"died with exit code {code}"


def _serve(pipe: connection.Connection) -> None:
    """In a worker: answer calls until the parent ends or closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()
    while True:
        answer: tuple[Exception | None, Any]
        try:
            function, arguments = pipe.recv()
            answer = None, function(*arguments)
        except EOFError:
            return
        except Exception as error:
            error.add_note(f"in a worker:\n{traceback.format_exc()}")
            answer = error, None
        try:
            pipe.send(answer)
        except BrokenPipeError:
            return
        except Exception as error:  # it cannot be pickled
            pipe.send((RuntimeError(f"cannot send {answer!r}: {error}"), None))


def _follow(parent: Any) -> None:
    """End when the parent does, even if it was killed."""
    parent.join()
    os._exit(1)


def _call(function: Callable[[S, T], R], shared: Shared[S], item: T) -> R:
    return function(shared.get(), item)


_iterator: Iterator[Any] = iter(())  # the generator that runs in this process


def _begin(function: Callable[[S, T], Iterator[R]], shared: Shared[S], item: T) -> tuple[bool, Any]:
    global _iterator
    _iterator = function(shared.get(), item)
    return _next()


def _next() -> tuple[bool, Any]:
    for value in _iterator:
        return True, value
    return False, None


@contextmanager
def _one_thread() -> Iterator[None]:
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(ONE_THREAD)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
