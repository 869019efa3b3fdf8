"""Adding features to a graph by a recipe: each computed once, timed, and refused if too costly."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np

from phil.errors import InputError
from phil.graphs.features import store
from phil.graphs.features.feature import Columns, Table, visits
from phil.graphs.features.registry import Item, canonical, parse_recipe
from phil.graphs.graph import Graph
from phil.memory import check_memory

NUMBER_BYTES = 20  # of a feature, while the table, the columns and the graph's own copy are there


Source = Literal["computed", "cache", "own"]


@dataclass(frozen=True)
class FeatureCost:
    """What a feature cost when it was added to a graph: nothing if it has it of its own."""

    feature: str  # as in the recipe, such as landmarks:16
    seconds: float
    source: Source
    columns: int
    bytes: int


@dataclass(frozen=True)
class _Added:
    graph: Graph
    costs: tuple[FeatureCost, ...]


# Graphs never change, so what was added to one stays right; it is not kept alive for it.
_added: WeakKeyDictionary[Graph, dict[str, _Added]] = WeakKeyDictionary()
_lock = threading.Lock()


def add_features(graph: Graph, recipe: str) -> Graph:
    """Add computed features to a graph.

    Parameters
    ----------
    graph : Graph
        The graph; it stays as it is.
    recipe : str
        Names of features with their numbers, such as ``"degree,landmarks:16"``. A feature that the
        graph has of its own (a group of the same name) is not added again.

    Returns
    -------
    Graph
        The same nodes and edges with the graph's own features and those of the recipe. The same
        graph and recipe give the same object again; an empty recipe gives the graph itself.

    Raises
    ------
    InputError
        If the recipe names no such feature, if the graph cannot have it, or if it would cost more
        than the shortest paths between all pairs of nodes.

    Examples
    --------
    >>> line = Graph.from_edges(3, [(0, 1), (1, 2)])
    >>> more = add_features(line, "degree,landmarks:2")
    >>> more.feature_names
    ('degree', 'to landmark 0', 'to landmark 1')
    >>> more.features[:, 1:].tolist()
    [[2.0, 0.0], [1.0, 1.0], [0.0, 2.0]]
    """
    return _add(graph, recipe).graph


def feature_costs(graph: Graph, recipe: str) -> tuple[FeatureCost, ...]:
    """Tell what each feature of a recipe cost on a graph, and add them if nobody has yet.

    Parameters
    ----------
    graph : Graph
        The graph.
    recipe : str
        See `add_features`.

    Returns
    -------
    tuple of FeatureCost
        In the order of the recipe.

    Examples
    --------
    >>> line = Graph.from_edges(3, [(0, 1), (1, 2)])
    >>> [(cost.feature, cost.columns) for cost in feature_costs(line, "landmarks:2,degree")]
    [('landmarks:2', 2), ('degree', 1)]
    """
    return _add(graph, recipe).costs


def check_cost(graph: Graph, item: Item) -> None:
    """Refuse a feature that costs more than the exact distances of all pairs, which are better."""
    cost = item.feature.operations(graph, item.k)
    # Two passes over the graph are never too costly, not even on a graph of one node.
    all_pairs = max(graph.num_nodes, 2) * visits(graph)
    if cost > all_pairs:
        raise InputError(
            f"the feature {item} takes about {cost:.2g} operations on this graph of "
            f"{graph.num_nodes} nodes, more than the shortest paths between all pairs of nodes "
            f"({all_pairs:.2g}); take {item.feature.instead}"
        )


def _add(graph: Graph, recipe: str) -> _Added:
    if not isinstance(graph, Graph):
        raise InputError(
            f"features are added to a Graph, not to a {type(graph).__name__}, "
            "whose features are the coordinates of its cells or come from callbacks"
        )
    items = parse_recipe(recipe)
    if not items:
        return _Added(graph, ())
    text = canonical(recipe)
    with _lock:  # searches in several threads ask for the same
        known = _added.setdefault(graph, {})
        if text not in known:
            known[text] = _compute(graph, items)
        return known[text]


def _compute(graph: Graph, items: tuple[Item, ...]) -> _Added:
    own = {group.name for group in graph.feature_groups}
    planned = [_planned(graph, item, own) for item in items]
    width = graph.features.shape[1] + sum(len(columns.names) for columns in planned)
    check_memory(
        NUMBER_BYTES * graph.num_nodes * width, f"{width} features of {graph.num_nodes} nodes"
    )
    blocks, costs = [graph.arrays.features], []
    for item, columns in zip(items, planned, strict=True):
        if not columns.names:
            costs.append(FeatureCost(str(item), 0.0, "own", 0, 0))
            continue
        began = time.perf_counter()
        table, source = feature_table(graph, item)
        blocks.append(item.feature.values(table))
        seconds = time.perf_counter() - began
        costs.append(FeatureCost(str(item), seconds, source, len(columns.names), blocks[-1].nbytes))
    return _Added(
        graph.with_features(
            np.concatenate(blocks, axis=1),
            (*graph.feature_names, *(name for columns in planned for name in columns.names)),
            (*graph.feature_groups, *(group for columns in planned for group in columns.groups)),
        ),
        tuple(costs),
    )


def _planned(graph: Graph, item: Item, own: set[str]) -> Columns:
    """The columns to add: none that the graph has, none that it cannot have."""
    columns = item.feature.columns(graph, item.k)
    if any(group.name in own for group in columns.groups):
        return Columns((), ())
    item.feature.check(graph)
    check_cost(graph, item)
    return columns


def feature_table(graph: Graph, item: Item) -> tuple[Table, Source]:
    """What a feature's columns are made of, from the disk if it is kept there."""
    if not item.feature.kept or graph.num_nodes < store.FEWEST_NODES:
        return item.feature.compute(graph, item.k), "computed"
    place = store.place_of(graph, f"{item} version {item.feature.version}")
    table = store.read(place)
    if table is not None:
        return table, "cache"
    table = item.feature.compute(graph, item.k)
    store.write(place, table)
    return table, "computed"
