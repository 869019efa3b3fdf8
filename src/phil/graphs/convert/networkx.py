"""Conversion from and to networkx graphs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from phil.arguments import FLAG, HASHABLE, NOTHING, TEXT, each, takes, with_attributes
from phil.errors import InputError
from phil.graphs.convert.arrays import as_rows, features_of, graph_of, read_costs
from phil.graphs.graph import FeatureGroup, Graph
from phil.graphs.symmetry import is_symmetric

# As in networkx: the name of an edge attribute, or a function of two nodes and the edge's data.
Weight: TypeAlias = str | Callable[[Any, Any, Any], Any] | None

Coordinates: TypeAlias = str | Sequence[str] | None  # the names of node attributes

LONGITUDE_LATITUDE = "epsg:4326"  # how OSMnx marks degrees in `G.graph["crs"]`


NETWORK = with_attributes("a networkx graph", "adjacency", "nodes", "is_directed")
NAME = HASHABLE  # of an attribute: networkx takes any value that can be a key
NAMES = each(NAME, "a sequence of attributes") | NOTHING


@takes(network=NETWORK, weight=NAME, features=NAMES, coordinates=TEXT | NAMES, geographic=FLAG)
def from_networkx(
    network: Any,
    *,
    weight: Weight = "weight",
    features: Sequence[str] | None = None,
    coordinates: Coordinates = None,
    geographic: bool | None = None,
) -> Graph:
    """Convert any kind of networkx graph.

    Parameters
    ----------
    network : networkx graph
        The graph to convert. Node k of the result is the k-th node of `list(network)`.
    weight : str, callable or None, optional
        The edge attribute that holds the weights: where it is missing, the weight is 1; where it is
        None, there is no edge. Or, as in networkx, a function of two nodes and their edge data (in
        a multigraph, a dictionary of all parallel edges) that returns the cost. An undirected graph
        whose costs differ by direction becomes directed. With None, every edge costs 1.
    features : sequence of str, optional
        Names of node attributes, each a number or a sequence of numbers.
    coordinates : str or sequence of str, optional
        The node attributes that hold x and y (and z), or a single one that holds them all. By
        default "x" and "y", else "pos", if all nodes have them. Without `features`, the
        coordinates are also the features, in metres if geographic.
    geographic : bool, optional
        Whether the coordinates are longitude and latitude. By default determined from the graph's
        "crs", as written by OSMnx.

    Returns
    -------
    Graph
        Its labels are the nodes as strings. `phil.search` takes starts and goals as ids or as nodes
        of the network (integers are ids), and `result.nodes` are nodes of the network.

    Raises
    ------
    InputError
        If a cost is negative or not a number, or if a named attribute is missing.

    Examples
    --------
    >>> import networkx
    >>> network = networkx.Graph()
    >>> network.add_node("home", x=0.0, y=0.0)
    >>> network.add_node("work", x=3.0, y=4.0)
    >>> network.add_edge("home", "work", length=5.5)
    >>> graph = from_networkx(network, weight="length")
    >>> graph, graph.labels, graph.weights.tolist(), graph.feature_names
    (Graph(nodes=2, edges=1, features=2, undirected), ('home', 'work'), [5.5, 5.5], ('x', 'y'))
    """
    nodes = list(network)
    source, target, given = _edges(network, nodes, weight)
    directed = network.is_directed()
    costs = None
    if given is not None:
        costs, there = read_costs(
            given,
            lambda edge: f"edge ({nodes[source[edge]]!r}, {nodes[target[edge]]!r})",
            f"weight {weight!r}" if isinstance(weight, str) else "the weight",
        )
        if not there.all():
            source, target, costs = source[there], target[there], costs[there]
        if callable(weight) and not directed:
            directed = not is_symmetric(source, target, costs)
    data = [of_node for _, of_node in network.nodes(data=True)]
    places, by_custom = _find_coordinates(nodes, data, coordinates)
    if geographic is None:
        crs = str(network.graph.get("crs", "")).lower()
        geographic = by_custom and crs == LONGITUDE_LATITUDE
    columns = {
        name: _node_attribute(nodes, data, name) for name in (() if features is None else features)
    }
    graph = graph_of(
        len(nodes),
        source,
        target,
        costs,
        directed=directed,
        labels=_labels_of(nodes),
        coordinates=places,
        geographic=geographic and places is not None,
        **(_named_features(columns) if columns else features_of(places, geographic)),
    )
    graph.own_nodes = tuple(nodes)
    return graph


def to_networkx(graph: Graph) -> Any:
    """Convert a graph to networkx.

    Parameters
    ----------
    graph : Graph
        The graph to convert.

    Returns
    -------
    networkx graph
        A `Graph` or `DiGraph`, or the multigraph equivalent if there are parallel edges. Nodes are
        the labels, or integers if there are none. Weights become the edge attribute "weight", edge
        features "features"; node features become node attributes under their names, coordinates
        "x", "y" (and "z").

    Examples
    --------
    >>> network = to_networkx(Graph.from_edges(3, [(0, 1), (1, 2)], weights=[2.0, 3.0]))
    >>> list(network.edges(data="weight"))
    [(0, 1, 2.0), (1, 2, 3.0)]
    """
    import networkx as nx

    nodes: Sequence[Hashable] = range(graph.num_nodes)
    if graph.labels is not None:
        nodes = list(graph.nodes_by_label)
    source = graph.sources
    kept = np.flatnonzero(source <= graph.indices) if not graph.directed else np.arange(source.size)
    pairs = np.stack([source[kept], graph.indices[kept]], axis=1)
    parallel = len(np.unique(pairs, axis=0)) < len(pairs)
    kinds = {
        (False, False): nx.Graph,
        (True, False): nx.DiGraph,
        (False, True): nx.MultiGraph,
        (True, True): nx.MultiDiGraph,
    }
    network = kinds[graph.directed, parallel]()
    columns = dict(zip(graph.feature_names, graph.features.T.tolist(), strict=True))
    if graph.coordinates is not None:
        columns |= zip("xyz", graph.coordinates.T.tolist(), strict=False)
        if graph.geographic:
            network.graph["crs"] = LONGITUDE_LATITUDE
    network.add_nodes_from(zip(nodes, _rows(columns, graph.num_nodes), strict=True))
    attributes: dict[str, list[Any]] = {}
    if graph.weights is not None:
        attributes["weight"] = graph.weights[kept].tolist()
    if graph.edge_features.shape[1]:
        attributes["features"] = graph.edge_features[kept].tolist()
    network.add_edges_from(
        (nodes[left], nodes[right], row)
        for (left, right), row in zip(pairs.tolist(), _rows(attributes, len(pairs)), strict=True)
    )
    return network


def cost_function(network: Any, weight: Weight) -> Callable[[Any, Any, Any], Any]:
    """Networkx's cost of the edge from a node to a neighbour, given its data; None: no edge."""
    if callable(weight):
        return weight
    if network.is_multigraph():
        return lambda _, __, parallel: _cheapest(parallel, weight)
    return lambda _, __, data: data.get(weight, 1)


def _cheapest(parallel: Any, weight: str | None) -> Any:
    """The least cost of parallel edges, most often one; None: no edge."""
    if len(parallel) == 1:
        [data] = parallel.values()
        return data.get(weight, 1)
    return min(
        (cost for data in parallel.values() if (cost := data.get(weight, 1)) is not None),
        default=None,
    )


def _edges(
    network: Any, nodes: list[Any], weight: Weight
) -> tuple[NDArray[np.int64], NDArray[np.int64], list[Any] | None]:
    """Source, target and raw cost of every edge in networkx's order, undirected ones both ways."""
    numbers = {node: number for number, node in enumerate(nodes)}
    adjacency = dict(network.adjacency())
    rows = [adjacency[node] for node in nodes]
    degrees = np.fromiter(map(len, rows), np.int64, len(rows))
    source = np.repeat(np.arange(len(nodes)), degrees)
    target = np.fromiter(map(numbers.__getitem__, chain.from_iterable(rows)), np.int64, source.size)
    between = chain.from_iterable(row.values() for row in rows)
    if callable(weight):
        ends = zip(nodes, rows, strict=True)
        given = [weight(node, *other) for node, row in ends for other in row.items()]
        return source, target, given
    if network.is_multigraph():
        parallel = list(between)
        times = np.fromiter(map(len, parallel), np.int64, len(parallel))
        source, target = np.repeat(source, times), np.repeat(target, times)
        between = chain.from_iterable(data.values() for data in parallel)
    return source, target, None if weight is None else [data.get(weight, 1) for data in between]


def _rows(columns: dict[str, list[Any]], count: int) -> Iterable[dict[str, Any]]:
    """One dictionary per row."""
    if not columns:
        return ({} for _ in range(count))
    return (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))


def _find_coordinates(
    nodes: list[Any], data: list[Any], names: Coordinates
) -> tuple[NDArray[Any] | None, bool]:
    """The coordinates, and whether they are the default attributes "x" and "y"."""
    if names is not None:
        chosen = [names] if isinstance(names, str) else names
        parts = [as_rows(_node_attribute(nodes, data, name)) for name in chosen]
        return (np.concatenate(parts, axis=1) if parts else None), False
    for custom in (["x", "y"], ["pos"]):
        # Checking the first node saves a full pass on graphs without coordinates.
        if data and all(name in data[0] for name in custom):
            try:
                parts = [as_rows(_node_attribute(nodes, data, name)) for name in custom]
            except InputError:
                continue
            places = np.concatenate(parts, axis=1)
            if places.shape[1] in (2, 3) and np.isfinite(places).all():
                return places, custom == ["x", "y"]
    return None, False


def _node_attribute(nodes: list[Any], data: list[Any], name: str) -> NDArray[Any]:
    """A node attribute for all nodes: a number or a row of numbers each."""
    values = [of_node.get(name) for of_node in data]
    try:
        array = np.array(values)
        if array.dtype.kind in "biuf" and array.ndim in (1, 2):
            return array
    except ValueError:  # rows of different lengths
        pass
    for node, value in zip(nodes, values, strict=True):
        if value is None:
            raise InputError(f"node {node!r} has no attribute {name!r}")
        if np.asarray(value).dtype.kind not in "biuf":
            raise InputError(f"node {node!r}: attribute {name!r} is {value!r}, not a number")
    raise InputError(f"attribute {name!r} does not have the same length on all nodes")


def _named_features(columns: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """Node attributes as features; those with several numbers get numbered names."""
    names: list[str] = []
    for name, array in columns.items():
        names += [name] if array.ndim == 1 else [f"{name}_{k}" for k in range(array.shape[1])]
    parts = {name: as_rows(array) for name, array in columns.items()}
    return {
        "features": np.concatenate(list(parts.values()), axis=1),
        "feature_names": names,
        "feature_groups": [FeatureGroup(name, part.shape[1]) for name, part in parts.items()],
    }


def _labels_of(nodes: list[Any]) -> list[str] | None:
    """The nodes as distinct strings; None if they are 0, 1, 2, ..."""
    if nodes == list(range(len(nodes))):
        return None
    labels = list(map(str, nodes))
    return labels if len(set(labels)) == len(labels) else list(map(repr, nodes))
