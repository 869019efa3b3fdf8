"""Workers by name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from phil.arguments import TEXT, of_type, takes
from phil.errors import InputError, shortened
from phil.workers.local import LocalWorkers
from phil.workers.workers import Workers

LOCAL = "local"
FORMS = "local, processes, processes:N, ray or ray://ADDRESS"
ON = TEXT | of_type("workers", Workers)

_PROCESSES = re.compile(r"processes(:(?P<count>\d+))?")
_RAY = re.compile(r"ray(://(?P<address>.+))?")


@contextmanager
@takes(on=ON)
def open_workers(on: str | Workers = LOCAL) -> Iterator[Workers]:
    """Open the workers that a name stands for, and stop them at the end.

    Several calls can use the same workers, which then start once: give them as `on=` to
    `phil.search_many`, `phil.evaluate` or `phil.train`.

    Parameters
    ----------
    on : str or Workers, optional
        "local", this process (the default); "processes", one process per core, or "processes:4";
        "ray", a Ray cluster: the one that this machine belongs to, or else a new one on this
        machine alone; or "ray://ADDRESS", the cluster at an address such as "10.0.0.1:6379". Open
        workers are used as they are, and stay open.

    Yields
    ------
    Workers

    Raises
    ------
    InputError
        If the name is none of these, Ray is not installed, or there is no such cluster.

    Notes
    -----
    A script that uses processes must do so under `if __name__ == "__main__":`, because each process
    imports it.

    Examples
    --------
    >>> import phil
    >>> grid = phil.GridGraph([[True] * 9] * 9)
    >>> with phil.open_workers("local") as workers:
    ...     results = phil.search_many(grid, [((0, 0), (8, 8))], "euclidean", on=workers)
    >>> results[0].length
    8
    """
    if isinstance(on, Workers):
        yield on
        return
    with _made(on) as workers:
        yield workers


def _made(on: str) -> Workers:
    if on == LOCAL:
        return LocalWorkers()
    if processes := _PROCESSES.fullmatch(on):
        from phil.workers.processes import Processes

        count = usable_cores() if processes["count"] is None else int(processes["count"])
        if count < 1:
            raise InputError(f"on={shortened(on)}: there must be at least one process")
        return Processes(count)
    if ray := _RAY.fullmatch(on):
        from phil.workers.ray_cluster import RayCluster

        return RayCluster(ray["address"])
    raise InputError(f"work cannot run on {shortened(on)}; write {FORMS}")


def usable_cores() -> int:
    """The number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1
