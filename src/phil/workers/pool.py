"""Workers that are hosts in other processes: what is common to processes and a Ray cluster.

A host does one call at a time. While the generator that it runs waits to go on, it is free for
other calls, so a generator never keeps a core idle.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Generator, Iterator
from threading import Condition
from typing import Any, TypeVar

from phil.workers.lost import WorkerLost
from phil.workers.shared import Shared
from phil.workers.workers import Handle, Workers

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")


class Host(ABC):
    """A process somewhere, for as long as it lives."""

    is_busy = False
    is_dead = False
    has_generator = False

    @abstractmethod
    def send(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Let it call a function."""

    @abstractmethod
    def answer(self) -> Any:
        """Wait for the result of the call, or its error; `WorkerLost` if it died."""

    @abstractmethod
    def stop(self) -> None:
        """End it, whatever it is doing."""


class Pool(Workers):
    """Hosts, which are started when there is work, and again after they died.

    Several threads may use them at a time.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._missing = count  # hosts to be started
        self._idle: list[Host] = []
        self._changed = Condition()

    @abstractmethod
    def _start(self) -> None:
        """Start a host, which is added once it can work."""

    def iterate(
        self, function: Callable[[S, T], Iterator[R]], shared: Shared[S], item: T
    ) -> Generator[R, Any, None]:
        """Run a generator in a host that has no other one."""
        host = self._take(lambda host: not host.has_generator, wait=True)
        assert host is not None
        host.has_generator = True
        try:
            more, value = self._ask(host, _begin, function, shared, item)
            while more:
                sent = yield value
                self._take_again(host)
                more, value = self._ask(host, _next, sent)
        finally:
            with self._changed:
                host.has_generator = False
                self._changed.notify_all()

    def _submit(self, wait: bool, function: Callable[..., Any], *arguments: Any) -> Handle | None:
        host = self._take(lambda host: True, wait=wait)
        if host is not None:
            try:
                host.send(function, *arguments)
            except BaseException:
                self._add(host)
                raise
        return host

    def _result(self, handle: Handle) -> Any:
        try:
            return handle.answer()
        finally:
            self._add(handle)

    def _cancel(self, handles: Collection[Handle]) -> None:
        for host in handles:
            host.stop()
            self._add(host)

    def _ask(self, host: Host, function: Callable[..., Any], *arguments: Any) -> Any:
        """The result of a call by a host that was taken, which is then free again."""
        try:
            host.send(function, *arguments)
            return host.answer()
        finally:
            if host.is_busy:  # interrupted while waiting
                host.stop()
            self._add(host)

    def _take(self, suits: Callable[[Host], bool], *, wait: bool) -> Host | None:
        """A free host; None if there is none, unless one is to be waited for."""
        with self._changed:
            while True:
                while self._missing:
                    self._missing -= 1
                    self._start()
                for host in reversed(self._idle):  # those that worked last know most
                    if suits(host):
                        self._idle.remove(host)
                        return host
                if not wait:
                    return None
                self._changed.wait()

    def _take_again(self, host: Host) -> None:
        """Wait for a host until it has done what others asked of it."""
        with self._changed:
            self._changed.wait_for(lambda: host.is_dead or host in self._idle)
            if host.is_dead:
                raise WorkerLost("a worker died while it did other work")
            self._idle.remove(host)

    def _add(self, host: Host) -> None:
        """Let a host take work, or replace it if it is dead."""
        with self._changed:
            if host.is_dead:
                self._missing += 1
            else:
                self._idle.append(host)
            self._changed.notify_all()


_iterator: Any = iter(())  # the generator of this process


def _begin(function: Callable[[S, T], Iterator[R]], shared: Shared[S], item: T) -> tuple[bool, Any]:
    """In a host: begin a generator; returns whether it has a value, and that."""
    global _iterator
    _iterator = function(shared.get(), item)
    return _next(None)


def _next(sent: Any) -> tuple[bool, Any]:
    """In a host: the generator's next value."""
    try:
        return True, next(_iterator) if sent is None else _iterator.send(sent)
    except StopIteration:
        return False, None
