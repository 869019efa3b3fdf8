"""What every conversion ends with: directed edges with costs, and the graph they make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.feature_group import FeatureGroup
from phil.graphs.graph import Graph
from phil.graphs.projection import project


def graph_of(
    num_nodes: int,
    source: NDArray[np.int64],
    target: NDArray[np.int64],
    costs: NDArray[np.float64] | None,
    *,
    directed: bool | None = None,
    edge_features: NDArray[Any] | None = None,
    **described: Any,
) -> Graph:
    """A graph of directed edges; not given, `directed` is whether one has no reverse."""
    if num_nodes < 1:
        raise InputError("a graph needs at least one node")
    outside = (source < 0) | (source >= num_nodes)
    if outside.any():
        edge = int(np.argmax(outside))
        raise InputError(f"edge {edge} begins at {source[edge]}: ids must be in 0..{num_nodes - 1}")
    if edge_features is not None and len(edge_features) != source.size:
        raise InputError(f"edge features: {len(edge_features)} given for {source.size} edges")
    if costs is not None and (costs == 1).all():
        costs = None
    if directed is None:
        directed = not is_symmetric(source, target, costs)
    order = np.argsort(source, kind="stable")
    return Graph(
        np.concatenate([[0], np.cumsum(np.bincount(source, minlength=num_nodes))]),
        target[order],
        weights=None if costs is None else costs[order],
        edge_features=None if edge_features is None else edge_features[order],
        directed=directed,
        **described,
    )


def read_costs(
    values: Sequence[Any] | NDArray[Any], edge: Callable[[int], str], what: str
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Costs of edges, and which are there (None says that one is not); or why they cannot be."""
    try:
        array = np.asarray(values)
    except ValueError:  # of sequences of different lengths
        array = np.empty(len(values), object)
        array[:] = values
    there = np.ones(len(array), bool)
    if array.ndim == 1 and array.dtype.kind in "biuf":
        costs = array.astype(np.float64)
    else:
        costs = np.zeros(len(array))
        for number, value in enumerate(values):
            if value is None:
                there[number] = False
                continue
            try:
                if isinstance(value, str | bytes | complex):  # of which float() takes some
                    raise TypeError
                costs[number] = float(value)
            except (TypeError, ValueError, OverflowError):
                raise InputError(f"{edge(number)}: {what} is {value!r}, no number") from None
    bad = ~(np.isfinite(costs) & (costs >= 0))
    if bad.any():
        number = int(np.argmax(bad))
        raise InputError(
            f"{edge(number)}: {what} is {values[number]}; costs must be finite and not negative"
        )
    return costs, there


def is_symmetric(
    source: NDArray[np.int64], target: NDArray[np.int64], costs: NDArray[np.float64] | None
) -> bool:
    """Whether every edge has its reverse, as often and at the same cost."""
    weights = np.ones(source.size) if costs is None else costs
    forth = np.lexsort((weights, target, source))
    back = np.lexsort((weights, source, target))
    return (
        np.array_equal(source[forth], target[back])
        and np.array_equal(target[forth], source[back])
        and np.array_equal(weights[forth], weights[back])
    )


def as_rows(array: NDArray[Any]) -> NDArray[Any]:
    """One number or row per node, as rows."""
    return array[:, None] if array.ndim == 1 else array


def features_of(places: NDArray[Any] | None, geographic: bool = False) -> dict[str, Any]:
    """Coordinates as features, for graphs that have no others."""
    if places is None or places.ndim != 2:
        return {}
    width = places.shape[1]
    return {
        "features": project(places, geographic=True) if geographic else places,
        "feature_names": tuple("xyz"[:width]),
        "feature_groups": [FeatureGroup("coordinates", width, alike=True)],
    }
