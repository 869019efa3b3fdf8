"""Whether the edges of an undirected graph are stored identically at both ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError

BLOCK = 2**16  # edges at a time: what is computed of them stays in the processor's cache


def is_symmetric(
    source: NDArray[np.int64], target: NDArray[np.int64], *values: NDArray[Any]
) -> bool:
    """Whether every edge has a matching reverse edge, with the same values.

    >>> is_symmetric(np.array([0, 1]), np.array([1, 0]), np.array([2.0, 3.0]))
    False
    """
    forth = np.lexsort((*values, target, source))
    back = np.lexsort((*values, source, target))
    return (
        np.array_equal(source[forth], target[back])
        and np.array_equal(target[forth], source[back])
        and all(np.array_equal(value[forth], value[back]) for value in values)
    )


def check_symmetric(
    source: NDArray[np.int64], target: NDArray[np.int32], weights: NDArray[np.float64] | None
) -> None:
    """Reject an undirected graph whose edges are not stored identically at both ends."""
    costs = np.ones(source.size) if weights is None else weights
    forth = np.lexsort((costs, target, source))
    back = np.lexsort((costs, source, target))
    same = (source[forth] == target[back]) & (target[forth] == source[back])
    if not same.all():
        first = int(np.argmin(same))
        # Of the first pair that differs in the sorted lists, the lesser is the one missing.
        left, right = min(
            (int(source[forth][first]), int(target[forth][first])),
            (int(target[back][first]), int(source[back][first])),
        )
        raise InputError(
            f"the graph is declared undirected, but an edge between {left} and {right} is stored "
            "at only one end; add its reverse or pass directed=True"
        )
    if not np.array_equal(costs[forth], costs[back]):
        first = int(np.argmin(costs[forth] == costs[back]))
        raise InputError(
            f"the graph is declared undirected, but edge {source[forth][first]} - "
            f"{target[forth][first]} has different weights in its two directions; pass "
            "directed=True"
        )


def check_balanced(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], weights: NDArray[np.float64] | None
) -> None:
    """Likewise in one pass and a fixed amount of memory, for graphs that are too large to sort.

    A hash of the two ends and the weight of an edge is added where it leads to a greater node, and
    subtracted where it leads to a lesser one. What is left of 64 bits is 0 if the graph is
    symmetric, and otherwise as good as never.
    """
    total = np.uint64(0)
    with np.errstate(over="ignore"):
        for begin, source in sources_in_blocks(indptr):
            place = slice(begin, begin + source.size)
            target = indices[place].astype(np.int64)
            low, high = np.minimum(source, target), np.maximum(source, target)
            mixed = _mixed(low << 32 | high)
            if weights is not None:
                mixed = _mixed(mixed.view(np.int64) ^ (weights[place] + 0.0).view(np.int64))
            sign = np.sign(target - source)
            total += np.sum(mixed * sign.view(np.uint64), dtype=np.uint64)
    if total:
        raise InputError(
            "the graph is declared undirected, but not all of its edges are stored at both ends, "
            "with the same weight; store them so, or declare directed=True"
        )


def _mixed(values: NDArray[np.int64]) -> NDArray[np.uint64]:
    """A hash of each value, as in SplitMix64."""
    mixed = values.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(30)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def count_self_loops(indptr: NDArray[np.int64], indices: NDArray[np.int32]) -> int:
    """The number of edges from a node to itself."""
    return sum(
        int(np.count_nonzero(indices[begin : begin + source.size] == source))
        for begin, source in sources_in_blocks(indptr)
    )


def sources_in_blocks(indptr: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """The source nodes of a block of edges after the other, each with the number of its first edge.

    >>> [(begin, source.tolist()) for begin, source in sources_in_blocks(np.array([0, 2, 2, 3]))]
    [(0, [0, 0, 2])]
    """
    for begin in range(0, int(indptr[-1]), BLOCK):
        end = min(begin + BLOCK, int(indptr[-1]))
        first = int(np.searchsorted(indptr, begin, "right")) - 1
        last = int(np.searchsorted(indptr, end, "left"))
        ends = np.clip(indptr[first : last + 1], begin, end)
        yield begin, np.repeat(np.arange(first, last), ends[1:] - ends[:-1])
