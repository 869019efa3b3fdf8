"""Adding the features of a recipe to a graph: cached, timed, and rejected if too expensive."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Literal, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from phil.arguments import TEXT, takes
from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.graphs.checks import GRAPH
from phil.graphs.features import store
from phil.graphs.features.feature import Columns, Table, visits
from phil.graphs.features.registry import FEATURES, Item, canonical, parse_recipe
from phil.memory import check_memory

G = TypeVar("G", bound=AnyGraph)

NUMBER_BYTES = 20  # peak memory per value: the table, the columns and the graph's copy

Source = Literal["computed", "cache", "own"]


@dataclass(frozen=True)
class FeatureCost:
    """What it cost to add a feature to a graph; nothing if the graph already had it."""

    feature: str  # as in the recipe, such as landmarks:16
    seconds: float
    source: Source
    columns: int
    bytes: int


@dataclass(frozen=True)
class _Added:
    graph: AnyGraph | None  # None if nothing was added: a weak key must not be kept alive
    costs: tuple[FeatureCost, ...]


# Graphs are immutable, so cached results stay valid; the weak keys do not keep graphs alive.
_added: WeakKeyDictionary[AnyGraph, dict[str, _Added]] = WeakKeyDictionary()
_lock = threading.Lock()


@takes(graph=GRAPH, recipe=TEXT)
def add_features(graph: G, recipe: str) -> G:
    """Add computed features to a graph or map.

    Parameters
    ----------
    graph : Graph or GridGraph
        The graph, or what `phil.search` takes for one; it is not modified.
    recipe : str
        Names of features with their sizes, such as ``"degree,landmarks:16"``. A feature that the
        graph already has (a feature group of the same name) is not added again.

    Returns
    -------
    Graph or GridGraph
        The same nodes and edges with the graph's own features followed by those of the recipe. The
        same graph and recipe return the same object; an empty recipe returns the graph itself.

    Raises
    ------
    InputError
        If the recipe names an unknown feature, if the feature does not apply to the graph, or if it
        would cost more than computing the shortest paths between all pairs of nodes.

    Examples
    --------
    >>> from phil.graphs import Graph
    >>> line = Graph.from_edges(3, [(0, 1), (1, 2)])
    >>> more = add_features(line, "degree,landmarks:2")
    >>> more.feature_names
    ('degree', 'to landmark 0', 'to landmark 1')
    >>> more.features[:, 1:].tolist()
    [[2.0, 0.0], [1.0, 1.0], [0.0, 2.0]]
    """
    found = _add(graph, recipe).graph
    if found is None:
        return graph
    assert isinstance(found, type(graph))
    return found


@takes(graph=GRAPH, recipe=TEXT)
def feature_costs(graph: AnyGraph, recipe: str) -> tuple[FeatureCost, ...]:
    """Report what each feature of a recipe cost on a graph, computing those not yet added.

    Parameters
    ----------
    graph : Graph or GridGraph
        The graph.
    recipe : str
        See `add_features`.

    Returns
    -------
    tuple of FeatureCost
        In the order of the recipe.

    Examples
    --------
    >>> from phil.graphs import Graph
    >>> line = Graph.from_edges(3, [(0, 1), (1, 2)])
    >>> [(cost.feature, cost.columns) for cost in feature_costs(line, "landmarks:2,degree")]
    [('landmarks:2', 2), ('degree', 1)]
    """
    return _add(graph, recipe).costs


def check_cost(graph: AnyGraph, item: Item) -> None:
    """Reject a feature that costs more than all-pairs shortest paths, which would be better."""
    cost = item.feature.operations(graph, item.k)
    # Two passes over the graph are always affordable, even on a graph of one node.
    all_pairs = max(graph.num_nodes, 2) * visits(graph)
    if cost > all_pairs:
        raise InputError(
            f"the feature {item} takes about {cost:.2g} operations on this graph of "
            f"{graph.num_nodes} nodes, more than the shortest paths between all pairs of nodes "
            f"({all_pairs:.2g}); use {item.feature.instead}"
        )


def _add(graph: AnyGraph, recipe: str) -> _Added:
    with _lock:  # searches in several threads request the same features
        known = _added.setdefault(graph, {})
        if recipe not in known:  # as it is written, since every search of a graph asks for it
            text, items = canonical(recipe), parse_recipe(recipe)
            if text not in known:
                known[text] = _compute(graph, items) if items else _Added(None, ())
            known[recipe] = known[text]
        return known[recipe]


def _compute(graph: AnyGraph, items: tuple[Item, ...]) -> _Added:
    own = {group.name for group in graph.feature_groups}
    planned = [_planned(graph, item, own) for item in items]
    width = len(graph.feature_names) + sum(len(columns.names) for columns in planned)
    check_memory(NUMBER_BYTES * graph.size * width, f"{width} features of {graph.size} nodes")
    # A grid computes its coordinates, which are its first features and group.
    names, groups = graph.feature_names[graph.axes :], graph.feature_groups[graph.is_grid :]
    blocks, costs = [graph.arrays.features] if names else [], []
    for item, columns in zip(items, planned, strict=True):
        if not columns.names:
            costs.append(FeatureCost(str(item), 0.0, "own", 0, 0))
            continue
        began = time.perf_counter()
        table, source = feature_table(graph, item)
        blocks.append(item.feature.values(table))
        seconds = time.perf_counter() - began
        costs.append(FeatureCost(str(item), seconds, source, len(columns.names), blocks[-1].nbytes))
    if not blocks:
        return _Added(None, tuple(costs))
    return _Added(
        graph.with_features(
            np.concatenate(blocks, axis=1),
            (*names, *(name for columns in planned for name in columns.names)),
            (*groups, *(group for columns in planned for group in columns.groups)),
        ),
        tuple(costs),
    )


def _planned(graph: AnyGraph, item: Item, own: set[str]) -> Columns:
    """The columns to add; empty if the graph already has the feature."""
    if graph.is_grid and not item.feature.on_grids:
        if item.feature.name in own:
            return Columns((), ())
        able = [name for name, each in FEATURES.items() if each.on_grids]
        raise InputError(
            f"the feature {item} is for general graphs; on maps, use {' or '.join(able)}"
        )
    columns = item.feature.columns(graph, item.k)
    if any(group.name in own for group in columns.groups):
        return Columns((), ())
    item.feature.check(graph)
    check_cost(graph, item)
    return columns


def feature_table(graph: AnyGraph, item: Item) -> tuple[Table, Source]:
    """The table of a feature, read from the disk cache if possible."""
    if not item.feature.kept or graph.num_nodes < store.FEWEST_NODES:
        return item.feature.compute(graph, item.k), "computed"
    place = store.place_of(graph, f"{item} version {item.feature.version}")
    columns = item.feature.columns(graph, item.k)
    table = store.read(place, (graph.size, len(columns.names)))
    if table is not None:
        return table, "cache"
    table = item.feature.compute(graph, item.k)
    store.write(place, table)
    return table, "computed"
