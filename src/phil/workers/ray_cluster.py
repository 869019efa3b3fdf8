"""Work on a Ray cluster: the only module that knows Ray.

Calls are never repeated by Ray itself: who repeats them, here as elsewhere, is `Workers`, which
also says that a worker was lost.
"""

from __future__ import annotations

import logging
import os
import socket
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Generic, TypeVar

from phil.errors import InputError, one_line
from phil.workers.lost import WorkerLost
from phil.workers.pool import Host, Pool
from phil.workers.shared import kept
from phil.workers.workers import Handle

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # of a cluster that is started here
try:
    import ray
    from ray import exceptions
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy
except ModuleNotFoundError as error:
    raise InputError("work on Ray needs it: pip install 'phil-search[ray]'") from error

S = TypeVar("S")
T = TypeVar("T")

CLIENT_PORT = "10001"  # of Ray Client, which has no object store to share graphs by
PATIENCE = 10.0  # seconds
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


class RayCluster(Pool):
    """The cores of a Ray cluster, one actor each.

    Actors stay until the end, with all that they have imported and read. They reserve no cores:
    those that wait for work would keep other programs from theirs.
    """

    def __init__(self, address: str | None = None) -> None:
        self._connected_here = not ray.is_initialized()
        if self._connected_here:
            _connect(address)
        super().__init__(max(1, sum(_cores().values())))
        self._actors: Any = ray.remote(num_cpus=0, max_restarts=0)(_Host)
        self._all: list[_Actor] = []

    def share(self, value: S) -> InStore[S]:
        """Put a value into the object store."""
        with _room():
            try:
                return InStore(ray.put(value))
            except TypeError as error:
                raise InputError(f"this cannot be sent to workers: {one_line(error)}") from error

    def close(self) -> None:
        """End the actors and disconnect; a cluster that was started here ends."""
        for actor in self._all:
            actor.stop()
        if self._connected_here:
            ray.shutdown()

    def _start(self) -> None:
        self._all = [actor for actor in self._all if not actor.is_dead]
        taken = Counter(actor.node for actor in self._all)
        for node, cores in _cores().items():
            if taken[node] < cores:
                # Elsewhere, if that machine was lost just now.
                where = NodeAffinitySchedulingStrategy(node, soft=True)
                actor = _Actor(self._actors.options(scheduling_strategy=where).remote(), node)
                self._all.append(actor)
                self._add(actor)
                return

    def _wait(self, handles: Collection[Handle]) -> Collection[Handle]:
        calls = {actor.call: actor for actor in handles}
        done, _ = ray.wait([*calls], num_returns=1)
        return [calls[call] for call in done]


class _Actor(Host):
    """An actor of this run, and the machine that it was started on."""

    call: Any  # its result, while it is busy

    def __init__(self, actor: Any, node: str) -> None:
        self._actor = actor
        self.node = node

    def send(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Let it call a function."""
        with _room():
            self.call = self._actor.do.remote(function, *arguments)
        self.is_busy = True

    def answer(self) -> Any:
        """Wait for the result of the call, or its error; `WorkerLost` if the actor died."""
        try:
            with _translated():
                result = ray.get(self.call)
        except WorkerLost:
            self.stop()  # if only the result was lost, its core must not stay taken
            raise
        except Exception:
            self.is_busy = False
            raise
        finally:
            self.call = None  # so that the store need not keep it
        self.is_busy = False
        return result

    def stop(self) -> None:
        """End it, whatever it is doing."""
        self.is_dead, self.is_busy = True, False
        with suppress(Exception):  # the cluster may be gone
            ray.kill(self._actor)


class _Host:
    """What runs on the cluster."""

    def do(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function."""
        return function(*arguments)


def _cores() -> dict[str, int]:
    """The machines of the cluster, and how many cores each has."""
    nodes: Any = ray.nodes  # without types
    return {
        node["NodeID"]: int(node["Resources"].get("CPU", 0)) for node in nodes() if node["Alive"]
    }


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
