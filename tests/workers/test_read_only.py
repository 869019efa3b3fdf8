"""Arrays that workers share are read-only, and compile no kernel anew."""

from __future__ import annotations

import gc
import pickle
from typing import Any, TypeVar

import numpy as np
from numba import types
from numba.core.dispatcher import Dispatcher

import phil
from phil.workers.local import LocalWorkers
from phil.workers.shared import Here
from tests.learning.small import graph_problems, small_set
from tests.workers.test_same_results import QUICK

S = TypeVar("S")
METHODS = (
    *("astar", "astar(landmarks)", "bfs", "dijkstra", "biastar", "bibfs", "hedge(euclidean)"),
    *(
        "bounded(euclidean, 1.5)",
        "mha(euclidean, zero)",
        "bfws(euclidean)",
        "oracle",
        "wastar(landmarks, 2)",
    ),
)


class Frozen(LocalWorkers):
    """Work in this process on values as other processes see them."""

    is_here = False

    def share(self, value: S) -> Here[S]:
        buffers: list[pickle.PickleBuffer] = []
        pickled = pickle.dumps(value, 5, buffer_callback=buffers.append)
        found: S = pickle.loads(pickled, buffers=[bytes(each.raw()) for each in buffers])
        return Here(found)


def test_no_kernel_is_compiled_for_read_only_arrays() -> None:
    problems = small_set()
    grid: Any = problems.train[0].graph
    free = np.flatnonzero(grid.free).tolist()
    shared = Frozen().share(np.zeros(3))
    assert not shared.get().flags.writeable
    phil.train(problems, settings=QUICK, on=Frozen())
    phil.evaluate(problems, [*METHODS, "phil:forest", "hedge(phil:map)"], on=Frozen())
    phil.evaluate(list(graph_problems(3)), METHODS, on=Frozen())
    pairs = [(free[0], goal) for goal in free[-5:]]
    phil.search_many(grid, pairs, "phil:forest", on=Frozen())
    assert read_only_versions() == []


def read_only_versions() -> list[str]:
    """Kernels of the package that were compiled for an array that is read-only."""
    kernels = [each for each in gc.get_objects() if issubclass(type(each), Dispatcher)]
    return [
        kernel.py_func.__qualname__
        for kernel in kernels
        if kernel.py_func.__module__.startswith("phil.")
        and any(is_read_only(kind) for signature in kernel.overloads for kind in signature)
    ]


def is_read_only(kind: Any) -> bool:
    return isinstance(kind, types.Array) and not kind.mutable
