"""Queries in chunks for workers: long enough to be worth sending, short enough to end together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.graphs import AnyGraph
from phil.search.answers import Answers, Queried
from phil.search.pairs import pair_ids
from phil.search.result import Result
from phil.workers import Workers
from phil.workers.choice import usable_cores

SECONDS = 0.2  # of work in a chunk; sending one takes some milliseconds
FIRST, MOST = 32, 4096  # queries in the first chunks, and in any
SHARES = 4  # per worker: into so many chunks are queries divided at least, if their number is known


@dataclass(frozen=True)
class Chunk:
    """Some of the queries: `pairs[first]` and the following ones."""

    first: int
    ends: NDArray[np.int64]

    def __str__(self) -> str:
        return f"pairs[{self.first}:{self.first + len(self.ends)}]"


class Pace:
    """How long queries take, as far as is known."""

    def __init__(self) -> None:
        self._queries = 0
        self._seconds = 0.0

    @property
    def size(self) -> int:
        """How many queries a chunk should have."""
        if not self._seconds:
            return FIRST
        return max(1, min(MOST, int(SECONDS * self._queries / self._seconds)))

    def add(self, answers: Answers) -> None:
        """Take note of some queries."""
        self._queries += len(answers.measures)
        self._seconds += float(answers.measures[:, 1].sum())


class Chunks:
    """Divides queries into chunks, by what the ones before took."""

    def __init__(self, pairs: Iterable[Any], workers: int, graph: AnyGraph | None) -> None:
        self.pace = Pace()
        self._pairs = pairs
        self._graph = graph  # whose nodes the pairs have; None if they are ids already
        self._most = MOST
        if isinstance(pairs, Sized):
            self._most = max(1, -(-len(pairs) // (SHARES * workers)))

    def __iter__(self) -> Iterator[Chunk]:
        left, first = iter(self._pairs), 0
        while taken := list(islice(left, min(self.pace.size, self._most))):
            ends = np.array(taken) if self._graph is None else pair_ids(self._graph, taken, first)
            yield Chunk(first, ends)
            first += len(taken)


def in_chunks(pairs: Iterable[Any], workers: int, graph: AnyGraph | None = None) -> Chunks:
    """Queries in chunks: rows of ids, or pairs of nodes of a graph."""
    return Chunks(pairs, workers, graph)


def answered(queried: Queried, workers: Workers, chunks: Chunks) -> Iterator[Result]:
    """The results of queries, in their order."""
    threads = usable_cores() if workers.is_here else 1
    shared = workers.share((queried, threads))
    for answers in workers.map(_answer, shared, chunks, grouped=False):
        chunks.pace.add(answers)
        yield from answers.results(queried.graph)


def _answer(shared: tuple[Queried, int], chunk: Chunk) -> Answers:
    queried, threads = shared
    return Answers.of(queried.answer(chunk.ends, threads, chunk.first))
