"""Problems that are read when they are used, from sets that are larger than memory.

A `Store` knows where the problems of a set lie: in a folder of graphs, or in Parquet files. It
numbers them, the training problems first, and says without reading a graph which of them share
one. `LazyProblems` are some of its problems, as a sequence. Graphs stay in a cache of limited size,
and as long as somebody uses them: two problems on the same graph then have the same object.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol, overload
from weakref import WeakValueDictionary

import numpy as np

from phil.arguments import is_whole
from phil.errors import InputError, quoted
from phil.graphs import AnyGraph

if TYPE_CHECKING:
    from phil.problems.problem import Problem

CACHE_BYTES = 2**28  # of graphs that a store keeps
OVERHEAD = 2  # a graph in use takes this many times its own arrays
LABEL_BYTES = 100
OPEN_STORES = 8  # that a process keeps for problems it is sent

Change = Callable[["Problem"], "Problem"]


class Recipe(Protocol):
    """What it takes to open a store, also in another process; a small object with a hash."""

    def __hash__(self) -> int: ...

    def open(self) -> Store:
        """Open the store; raises `InputError` if its files are missing or have changed."""


class Store(ABC):
    """The problems of a set, by number."""

    def __init__(self, name: str, recipe: Recipe, counts: Sequence[int]) -> None:
        self.name = name
        self.recipe = recipe
        self.ends = np.cumsum([0, *counts]).tolist()  # of train, validation and test
        self.graphs = GraphCache()

    @abstractmethod
    def problem(self, number: int) -> Problem:
        """The problem with a number."""

    @abstractmethod
    def graph_of(self, number: int) -> int:
        """The number of a problem's graph."""

    def splits(self) -> Iterator[LazyProblems]:
        """The problems of train, validation and test."""
        for first, last in zip(self.ends, self.ends[1:], strict=False):
            yield LazyProblems(self, range(first, last))


class GraphCache:
    """The graphs that were used last, up to a number of bytes, and all that are still in use."""

    def __init__(self, most: int = CACHE_BYTES) -> None:
        self.most = most
        self.reads = 0  # how often a graph was read
        self.bytes = 0  # of the graphs that are kept
        self._kept: OrderedDict[Hashable, tuple[AnyGraph, int]] = OrderedDict()
        self._used: WeakValueDictionary[Hashable, AnyGraph] = WeakValueDictionary()
        self._lock = threading.RLock()

    def __len__(self) -> int:
        """How many graphs are in memory."""
        return len(self._used)

    def get(self, key: Hashable, read: Callable[[], AnyGraph]) -> AnyGraph:
        """The graph with a key, read if it is not there."""
        with self._lock:
            graph = self._used.get(key)
            if graph is None:
                graph = read()
                self.reads += 1
                self._used[key] = graph
            # What is derived from a graph makes it grow after it was read.
            size = graph_bytes(graph)
            self.bytes += size - self._kept.pop(key, (graph, 0))[1]
            self._kept[key] = graph, size
            while self.bytes > self.most and len(self._kept) > 1:
                self.bytes -= self._kept.popitem(last=False)[1][1]
            return graph


def graph_bytes(graph: AnyGraph) -> int:
    """About how much memory a graph takes, with what is derived from it for searches."""
    own = sum(value.nbytes for value in vars(graph).values() if isinstance(value, np.ndarray))
    labels = None if graph.is_grid else graph.labels
    return OVERHEAD * own + LABEL_BYTES * len(labels or ())


class LazyProblems(Sequence["Problem"]):
    """Problems of a store, read when they are used.

    A slice is lazy, too. A pickle says where the problems lie, and another process reads them.
    """

    def __init__(
        self, store: Store, numbers: Sequence[int], changes: tuple[Change, ...] = ()
    ) -> None:
        self.store = store
        self.numbers = numbers
        self._changes = changes  # made to every problem when it is used

    def __repr__(self) -> str:
        return f"<{len(self)} problem{'s' * (len(self) != 1)} of {quoted(self.store.name)}>"

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, place: int) -> Problem: ...
    @overload
    def __getitem__(self, place: slice) -> LazyProblems: ...
    def __getitem__(self, place: int | slice) -> Problem | LazyProblems:
        if isinstance(place, slice):
            return LazyProblems(self.store, self.numbers[place], self._changes)
        if not is_whole(place):
            raise TypeError(f"problems are numbered by integers or slices, not {quoted(place)}")
        return self._problem(self.numbers[place])

    def __iter__(self) -> Iterator[Problem]:
        return map(self._problem, self.numbers)

    def _problem(self, number: int) -> Problem:
        problem = self.store.problem(number)
        for change in self._changes:
            problem = change(problem)
        return problem

    def map(self, change: Change) -> LazyProblems:
        """The problems, each changed by a function when it is used."""
        return LazyProblems(self.store, self.numbers, (*self._changes, change))

    def __add__(self, others: Sequence[Problem]) -> Any:
        if isinstance(others, LazyProblems) and others._origin == self._origin:
            numbers = _joined(self.numbers, others.numbers)
            return LazyProblems(self.store, numbers, self._changes)
        from phil.problems.problem import Problems

        return Problems((*self, *others))

    @property
    def _origin(self) -> tuple[object, ...]:
        return self.store, self._changes

    def __reduce__(self) -> tuple[Any, ...]:
        return _sent, (self.store.recipe, self.store.ends, self.numbers, self._changes)


def _joined(first: Sequence[int], last: Sequence[int]) -> Sequence[int]:
    """Some numbers and then others; still a range if the latter follow the former."""
    if isinstance(first, range) and isinstance(last, range) and first.step == last.step == 1:
        if not first or not last:
            return first or last
        if first.stop == last.start:
            return range(first.start, last.stop)
    return (*first, *last)


def by_graph(problems: Sequence[Problem]) -> list[list[int]]:
    """The places of problems that share a graph; of lazy ones, none is read.

    >>> import phil
    >>> one, other = phil.GridGraph([[True] * 2]), phil.GridGraph([[True] * 3])
    >>> by_graph([phil.Problem(graph, 0, 1) for graph in (one, other, one)])
    [[0, 2], [1]]
    """
    if isinstance(problems, LazyProblems):
        keys: Iterable[int] = map(problems.store.graph_of, problems.numbers)
    else:
        keys = (id(problem.graph) for problem in problems)
    places: dict[int, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key, []).append(place)
    return list(places.values())


@lru_cache(OPEN_STORES)
def _store(recipe: Recipe) -> Store:
    return recipe.open()


def _sent(
    recipe: Recipe, ends: list[int], numbers: Sequence[int], changes: tuple[Change, ...]
) -> LazyProblems:
    """Problems that come from another process."""
    store = _store(recipe)
    if store.ends != ends:
        raise InputError(f"{store.name} has other problems than where it was opened first")
    return LazyProblems(store, numbers, changes)
