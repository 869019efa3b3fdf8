"""The starts and goals of many searches, as ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError, quoted
from phil.graphs import AnyGraph
from phil.graphs.given import known_part

Node = Any  # an id, a cell of a grid, a label, or a node of a networkx graph


def pair_ids(
    graph: AnyGraph, pairs: Sequence[tuple[Node, Node]], first: int = 0
) -> NDArray[np.int64]:
    """The ids of starts and goals, one row per pair; the first one is `pairs[first]`."""
    ids = _all_ids(graph, pairs)
    if ids is None:  # one by one, which names the first one that is wrong
        ids = np.array([_checked(graph, *given) for given in enumerate(pairs, first)], np.int64)
    return ids.reshape(-1, 2)


def _all_ids(graph: AnyGraph, pairs: Sequence[tuple[Node, Node]]) -> NDArray[np.int64] | None:
    """The ids of all pairs at once; None if any is wrong, or if they are of different kinds."""
    if known_part(graph) is not graph:  # their integers may be nodes of its own
        return None
    try:
        if set(map(len, pairs)) != {2}:
            return None
        given: NDArray[Any] = np.asarray(pairs)
        if given.dtype.kind not in "iu":  # such as 1.7, which would become 1
            return None
        ids: NDArray[np.int64] = given.astype(np.int64)
        if graph.is_grid and isinstance(pairs[0][0], tuple):
            ids = np.ravel_multi_index(tuple(np.moveaxis(ids, 2, 0)), graph.shape)
        elif ids.ndim != 2:
            return None
    except (TypeError, ValueError, LookupError, OverflowError):
        return None
    known = bool(((ids >= 0) & (ids < graph.size)).all())
    if not known or (graph.is_grid and not graph.free.reshape(-1)[ids].all()):
        return None
    return ids


def _checked(graph: AnyGraph, position: int, pair: tuple[Node, Node]) -> tuple[int, int]:
    try:
        start, goal = pair
    except (TypeError, ValueError):
        raise InputError(f"pairs[{position}] must be (start, goal), not {quoted(pair)}") from None
    try:
        _, source, target = graph.between(start, goal)
    except InputError as error:
        raise InputError(f"pairs[{position}]: {error}") from error
    return source, target
