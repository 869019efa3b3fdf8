"""Work on a Ray cluster: the only module that knows Ray.

Tasks are never repeated by Ray itself: who repeats them, here as elsewhere, is `Workers`, which
also says that a worker was lost.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Generic, TypeVar

from phil.errors import InputError, one_line
from phil.workers.lost import WorkerLost
from phil.workers.shared import Shared, kept
from phil.workers.workers import Handle, Workers

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # of a cluster that is started here
try:
    import ray
    from ray import exceptions
except ModuleNotFoundError as error:
    raise InputError("work on Ray needs it: pip install 'phil-search[ray]'") from error

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")

CLIENT_PORT = "10001"  # of Ray Client, which has no object store to share graphs by
PATIENCE = 10.0  # seconds
QUEUED = 2  # tasks per worker, so that none waits for its next one
LOST = (
    exceptions.WorkerCrashedError,
    exceptions.NodeDiedError,
    exceptions.LocalRayletDiedError,
    exceptions.OutOfMemoryError,
    exceptions.ObjectLostError,
    exceptions.RayActorError,
    exceptions.OwnerDiedError,
)
FULL = (exceptions.ObjectStoreFullError, exceptions.OutOfDiskError)


class InStore(Generic[T]):
    """A value in Ray's object store: once per machine, used where it lies."""

    def __init__(self, reference: Any) -> None:
        self._reference = reference

    def get(self) -> T:
        """The value; arrays lie in the store."""
        value: T = kept.get(self._reference.hex(), lambda: ray.get(self._reference))
        return value


class RayCluster(Workers):
    """The cores of a Ray cluster, one worker each."""

    def __init__(self, address: str | None = None) -> None:
        self._connected_here = not ray.is_initialized()
        if self._connected_here:
            _connect(address)
        resources: Any = ray.cluster_resources  # without types
        self.count = max(1, int(resources().get("CPU", 1)))
        options: dict[str, Any] = {"num_cpus": 1, "max_retries": 0}
        self._call: Any = ray.remote(**options)(_call)
        self._host: Any = ray.remote(num_cpus=1, max_restarts=0)(_Host)
        self._idle: list[Any] = []

    @property
    def _window(self) -> int:
        return QUEUED * self.count

    def share(self, value: S) -> InStore[S]:
        """Put a value into the object store."""
        with _room():
            try:
                return InStore(ray.put(value))
            except TypeError as error:
                raise InputError(f"this cannot be sent to workers: {one_line(error)}") from error

    def iterate(
        self, function: Callable[[S, T], Iterator[R]], shared: Shared[S], item: T
    ) -> Generator[R, None, None]:
        """Run a generator in an actor, which the next one may use again."""
        host = self._idle.pop() if self._idle else self._host.remote()
        is_idle = False
        try:
            call = host.begin.remote(function, shared, item)
            while True:
                with _translated():
                    more, value = ray.get(call)
                if not more:
                    is_idle = True
                    return
                yield value
                call = host.next.remote()
        finally:
            if is_idle:
                self._idle.append(host)
            else:
                ray.kill(host)

    def close(self) -> None:
        """Disconnect; a cluster that was started here ends."""
        self._end_idle()
        if self._connected_here:
            ray.shutdown()

    def _end_idle(self) -> None:
        """End actors that wait for another generator: each occupies a core."""
        while self._idle:
            with suppress(Exception):  # the cluster may be gone
                ray.kill(self._idle.pop())

    def _submit(self, function: Callable[[S, T], R], shared: Shared[S], item: T) -> Handle:
        self._end_idle()
        with _room():
            return self._call.remote(function, shared, item)

    def _wait(self, handles: Collection[Handle]) -> Collection[Handle]:
        done, _ = ray.wait([*handles], num_returns=1)
        # Those that are done as well, without waiting for them.
        more, _ = ray.wait([*handles], num_returns=len(handles), timeout=0)
        return more or done

    def _result(self, handle: Handle) -> Any:
        with _translated():
            return ray.get(handle)

    def _cancel(self, handles: Collection[Handle]) -> None:
        with suppress(Exception):  # some may be done by now, or the cluster be gone
            for handle in handles:
                ray.cancel(handle, force=True)
            # Until their workers have ended, others could be given to them.
            ray.wait([*handles], num_returns=len(handles), timeout=PATIENCE)


def _connect(address: str | None) -> None:
    try:
        if address is not None and address != "auto":
            _reach(address)
        ray.init(address, log_to_driver=False, logging_level=logging.ERROR, include_dashboard=False)
    except (ConnectionError, ValueError, RuntimeError, OSError) as error:
        where = "the Ray cluster" if address is None else f"a Ray cluster at {address}"
        raise InputError(
            f"cannot connect to {where}: {one_line(error)}; start one with ray start --head"
        ) from error


def _reach(address: str) -> None:
    """Raise an error at once if nothing answers at an address, for which Ray waits minutes."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise ValueError("an address is HOST:PORT, such as 10.0.0.1:6379")
    if port == CLIENT_PORT:
        raise ValueError("this is the port of Ray Client; use the cluster's own, such as 6379")
    socket.create_connection((host, int(port)), timeout=PATIENCE).close()


def _call(function: Callable[[S, T], R], shared: Shared[S], item: T) -> R:
    return function(shared.get(), item)


class _Host:
    """An actor with a generator."""

    _iterator: Iterator[Any]

    def begin(
        self, function: Callable[[Any, Any], Iterator[Any]], shared: Shared[Any], item: Any
    ) -> tuple[bool, Any]:
        """Begin a generator; returns its first value, as `next` does."""
        self._iterator = function(shared.get(), item)
        return self.next()

    def next(self) -> tuple[bool, Any]:
        """The generator's next value, if there is one."""
        for value in self._iterator:
            return True, value
        return False, None


@contextmanager
def _translated() -> Iterator[None]:
    """Errors of the work as they were raised, and `WorkerLost` for workers that died."""
    try:
        yield
    except LOST as error:
        raise WorkerLost(_why(error)) from error
    except exceptions.RayTaskError as error:
        cause = error.cause
        if isinstance(cause, LOST):
            raise WorkerLost(_why(cause)) from error
        if isinstance(cause, Exception):
            raise cause from None
        raise


@contextmanager
def _room() -> Iterator[None]:
    try:
        yield
    except FULL as error:
        raise InputError(
            f"Ray's object store is full ({one_line(error)}): start the cluster with more "
            "--object-store-memory, or use smaller chunks"
        ) from error


def _why(error: Exception) -> str:
    if isinstance(error, exceptions.NodeDiedError):
        return "a machine of the Ray cluster was lost"
    if isinstance(error, exceptions.OutOfMemoryError):
        return "Ray ended a worker because its machine ran out of memory"
    return "a Ray worker died"
