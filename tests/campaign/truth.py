"""What is true of a graph, from scipy and from the rules of grids, not from PHIL."""

from __future__ import annotations

from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

Reals = NDArray[np.float64]
Ids = NDArray[np.int64]

MOST_AXES = {4: 1, 8: 2, 6: 1, 18: 2, 26: 3}  # of a move, by connectivity


class Truth:
    """The edges of a graph, each pair of nodes once with its least cost, and its distances."""

    def __init__(self, size: int, source: Ids, target: Ids, cost: Reals) -> None:
        pairs = source * size + target
        order = np.lexsort((cost, pairs))
        self._pairs, first = np.unique(pairs[order], return_index=True)
        self.size = size
        self.costs = cost[order][first]
        self.sources, self.targets = self._pairs // size, self._pairs % size
        self._known: dict[tuple[int, bool], Reals] = {}

    @cached_property
    def _matrix(self) -> csr_array:
        shape = self.size, self.size
        return csr_array((self.costs, (self.sources, self.targets)), shape=shape)

    @cached_property
    def spread(self) -> float:
        """How many times the least cost of an edge, apart from 0, the sum of all is."""
        costs = self.costs[self.costs > 0]
        with np.errstate(over="ignore"):
            return float(costs.sum() / costs.min()) if costs.size else 1.0

    def costs_from(self, start: int) -> Reals:
        """The least costs from a node to all; inf where there is no path."""
        return self._from(start, moves=False)

    def moves_from(self, start: int) -> Reals:
        """The least numbers of moves from a node to all."""
        return self._from(start, moves=True)

    def _from(self, start: int, *, moves: bool) -> Reals:
        if (start, moves) not in self._known:
            found = dijkstra(self._matrix, indices=start, unweighted=moves)
            self._known[start, moves] = found
        return self._known[start, moves]

    def reversed(self) -> Truth:
        """The graph with all its edges turned round."""
        return Truth(self.size, self.targets, self.sources, self.costs)

    def cost_of(self, path: Ids) -> float | None:
        """The cost of a path; None if it has an edge that does not exist."""
        wanted = path[:-1] * self.size + path[1:]
        places = np.searchsorted(self._pairs, wanted)
        if wanted.size and (
            places.max() >= self._pairs.size or (self._pairs[places] != wanted).any()
        ):
            return None
        return float(self.costs[places].sum())


def explicit(size: int, edges: Ids, weights: Reals | None, *, directed: bool) -> Truth:
    """The truth of a list of edges."""
    costs = np.ones(len(edges)) if weights is None else weights
    source, target = edges.T
    if not directed:
        source, target = np.append(source, target), np.append(target, source)
        costs = np.append(costs, costs)
    return Truth(size, source, target, costs)


def on_grid(free: NDArray[np.bool_], connectivity: int, corners: str, diagonal: float) -> Truth:
    """The truth of a map, by the rules in the documentation of `GridGraph`."""
    padded = np.pad(free, 1)

    def moved(offset: tuple[int, ...]) -> NDArray[np.bool_]:
        return padded[
            tuple(slice(1 + o, 1 + o + n) for o, n in zip(offset, free.shape, strict=True))
        ]

    strides = np.cumprod((1, *free.shape[:0:-1]))[::-1]
    nowhere = (0,) * free.ndim
    sources, targets, costs = [], [], []
    for offset in product((-1, 0, 1), repeat=free.ndim):
        axes = np.count_nonzero(offset)
        if not 0 < axes <= MOST_AXES[connectivity]:
            continue
        allowed = free & moved(offset)
        box = product(*[{0, o} for o in offset])
        beside = [moved(part) for part in box if part not in (nowhere, offset)]
        if beside and corners != "allow":
            enough = np.logical_and if corners == "both_free" else np.logical_or
            allowed = allowed & enough.reduce(beside)
        here = np.flatnonzero(allowed)
        sources.append(here)
        targets.append(here + int(np.dot(offset, strides)))
        costs.append(np.full(here.size, (1.0, diagonal, 3**0.5)[axes - 1]))
    return Truth(free.size, *map(np.concatenate, (sources, targets, costs)))
