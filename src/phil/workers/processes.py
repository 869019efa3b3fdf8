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
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection, get_context, parent_process
from typing import Any, TypeVar

from phil.workers.lost import WorkerLost
from phil.workers.pool import Host, Pool
from phil.workers.shared_file import InFile, SharedFolder
from phil.workers.workers import Handle

S = TypeVar("S")

# Read by BLAS, torch and Numba when they are first imported: a worker uses one core.
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")}


class Processes(Pool):
    """Processes of one thread each."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self._folder = SharedFolder()
        self._all: list[_Process] = []

    def share(self, value: S) -> InFile[S]:
        """Write a value to a file that all processes map."""
        return self._folder.put(value)

    def close(self) -> None:
        """Stop the processes."""
        for process in self._all:
            process.stop()
        self._folder.delete()

    def _start(self) -> None:
        process = _Process()
        self._all = [process, *(other for other in self._all if not other.is_dead)]
        self._add(process)

    def _wait(self, handles: Collection[Handle]) -> Collection[Handle]:
        ready = connection.wait([process.pipe for process in handles])
        return [process for process in handles if process.pipe in ready]


class _Process(Host):
    """A process that is started when it has something to do."""

    def __init__(self) -> None:
        self._process: Any = None
        self._pipe: connection.Connection | None = None

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
        if self._pipe is not None and not self.is_dead:
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
        self.is_dead, self.is_busy = True, False
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
