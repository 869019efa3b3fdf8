"""Graph: an explicit graph with node features, stored as immutable CSR arrays."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phil.arguments import COUNT, FLAG, NOTHING, TEXT, WHOLE, Kind, each, is_whole, of_type, takes
from phil.errors import InputError, quoted, shortened
from phil.graphs.arrays import GraphArrays
from phil.graphs.checks import (
    EDGE_BYTES,
    SORTING_BYTES,
    SYMMETRY_BYTES,
    Features,
    Immutable,
    as_array,
    check_csr,
    check_size,
    edge_weights,
    entry_bytes,
    feature_matrix,
    integers,
    matrix,
    places,
    read_only,
    texts,
)
from phil.graphs.stencil import NO_STENCIL
from phil.graphs.symmetry import check_symmetric, count_self_loops

NODE = Kind("a node id", is_whole)
SHOWN = 3  # labels that an error lists as examples


@dataclass(frozen=True, order=True)
class FeatureGroup:
    """Feature columns that belong together, such as coordinates or distances to landmarks.

    Columns that are `alike` share a unit and must be scaled by a common factor.
    """

    name: str
    size: int
    alike: bool = False

    def __post_init__(self) -> None:
        TEXT.check(self.name, "name")
        COUNT.check(self.size, "size")


GROUPS = each(of_type("a FeatureGroup", FeatureGroup), "a sequence of FeatureGroups") | NOTHING


class Graph(Immutable):
    """An explicit graph: nodes, edges and features are known in full.

    The neighbours of node v are `indices[indptr[v]:indptr[v + 1]]`, and a search generates them in
    that order. Every edge of an undirected graph is stored twice, once at each end. A self-loop is
    stored once and is never part of a path; parallel edges are all kept, and a search uses the
    cheapest. Graphs are immutable.

    Parameters
    ----------
    indptr, indices : array_like of int
        The adjacency in compressed sparse row (CSR) format.
    features : array_like or sparse matrix, optional
        One row of numbers per node.
    feature_names : sequence of str, optional
        The names of the columns of `features`.
    feature_groups : sequence of FeatureGroup, optional
        Which columns of `features` belong together; by default they form one group.
    edge_features : array_like, optional
        One row of numbers per entry of `indices`.
    weights : array_like, optional
        The weight of each entry of `indices`, from 0 to 1e100; 1 by default.
    labels : sequence of str, optional
        The names of the nodes.
    coordinates : array_like, optional
        Where to draw the nodes: (x, y) or (x, y, z); longitude and latitude in degrees if
        `geographic`.
    geographic : bool, optional
        Whether coordinates are longitude and latitude.
    directed : bool, optional
        Whether edges lead one way only. In an undirected graph, every edge must be stored at both
        ends, which is checked.

    Raises
    ------
    InputError
        If the arrays are inconsistent, or if the graph does not fit into memory.

    See Also
    --------
    Graph.from_edges, Graph.from_networkx, Graph.from_pyg, Graph.from_scipy

    Examples
    --------
    >>> graph = Graph.from_edges(3, [(0, 1), (1, 2)], features=[[0.0], [1.0], [2.0]])
    >>> graph
    Graph(nodes=3, edges=2, features=1, undirected)
    >>> graph.neighbors(1).tolist()
    [0, 2]
    """

    is_grid: Literal[False] = False
    is_known: Literal[True] = True
    axes: Literal[0] = 0
    shape: None = None
    own_nodes: tuple[Any, ...] | None = None  # by id, of a graph converted from networkx

    @takes(feature_groups=GROUPS, geographic=FLAG, directed=FLAG)
    def __init__(
        self,
        indptr: ArrayLike,
        indices: ArrayLike,
        features: Features | None = None,
        *,
        feature_names: Sequence[str] | None = None,
        feature_groups: Sequence[FeatureGroup] | None = None,
        edge_features: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        labels: Sequence[str] | None = None,
        coordinates: ArrayLike | None = None,
        geographic: bool = False,
        directed: bool = False,
    ) -> None:
        given_rows, given_targets = as_array(indptr, "indptr"), as_array(indices, "indices")
        for name, array in (("indptr", given_rows), ("indices", given_targets)):
            if array.ndim != 1:
                raise InputError(f"{name} must have one dimension, not shape {array.shape}")
        if given_rows.size < 2:
            raise InputError("a graph needs at least one node, but indptr has no rows")
        self.num_nodes = given_rows.size - 1
        edge_bytes = entry_bytes(given_targets) + (0 if directed else SYMMETRY_BYTES)
        check_size(self.num_nodes, given_targets.size, edge_bytes, features, edge_features)
        rows = integers(given_rows, "indptr")
        targets = integers(given_targets, "indices", kept=np.int32)
        check_csr(rows, targets)
        edges = targets.size
        self.labels = None if labels is None else texts(labels, "labels")
        if self.labels is not None and len(self.labels) != self.num_nodes:
            raise InputError(f"labels: {len(self.labels)} given for {self.num_nodes} nodes")
        self.indptr = read_only(rows)
        self.indices = read_only(targets.astype(np.int32, copy=False))
        self.features = read_only(feature_matrix(features, self.num_nodes))
        if edge_features is None:
            self.edge_features = read_only(np.zeros((edges, 0), np.float32))
        else:
            self.edge_features = read_only(matrix(edge_features, "edge_features", edges))
        self.weights = None if weights is None else read_only(edge_weights(weights, edges))
        self.coordinates = None if coordinates is None else places(coordinates, self.num_nodes)
        self.geographic, self.directed = geographic, directed
        self._name_features(feature_names, feature_groups)
        if not directed:
            check_symmetric(self.sources, self.indices, self.weights)

    @classmethod
    @takes(num_nodes=WHOLE, feature_groups=GROUPS, geographic=FLAG, directed=FLAG)
    def from_edges(
        cls,
        num_nodes: int,
        edges: ArrayLike,
        features: Features | None = None,
        *,
        feature_names: Sequence[str] | None = None,
        feature_groups: Sequence[FeatureGroup] | None = None,
        edge_features: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        labels: Sequence[str] | None = None,
        coordinates: ArrayLike | None = None,
        geographic: bool = False,
        directed: bool = False,
    ) -> Graph:
        """Build a graph from pairs of nodes.

        Parameters
        ----------
        num_nodes : int
            The number of nodes; they are numbered from 0.
        edges : array_like of int, shape (E, 2)
            The two ends of every edge; give an undirected edge once. Neighbours keep the order of
            their edges.
        features, feature_names, feature_groups, labels, coordinates, geographic, directed
            See `Graph`.
        edge_features : array_like, optional
            One row of numbers per given edge.
        weights : array_like, optional
            The weight of each given edge; 1 by default.

        Returns
        -------
        Graph

        Raises
        ------
        InputError
            If an edge has an invalid node id, or if the arrays are inconsistent.

        Examples
        --------
        >>> roads = Graph.from_edges(3, [(0, 1), (1, 2)], weights=[2.5, 1], labels=["a", "b", "c"])
        >>> roads, roads.weights.tolist()
        (Graph(nodes=3, edges=2, features=0, undirected), [2.5, 2.5, 1.0, 1.0])
        """
        num_nodes = int(num_nodes)
        if num_nodes < 1:
            raise InputError(f"a graph needs at least one node, not {num_nodes}")
        listed = as_array(edges, "edges")
        if not listed.size:
            listed = np.zeros((0, 2), np.int64)
        if listed.ndim != 2 or listed.shape[1] != 2:
            raise InputError(f"edges must have shape (E, 2), not {listed.shape}")
        entries = len(listed) if directed else 2 * len(listed)
        edge_bytes = EDGE_BYTES + SORTING_BYTES + (0 if directed else SYMMETRY_BYTES)
        check_size(num_nodes, entries, edge_bytes, features, edge_features)
        pairs = integers(listed, "edges")
        if pairs.size and (pairs.min() < 0 or pairs.max() >= num_nodes):
            row = int(np.argmax(((pairs < 0) | (pairs >= num_nodes)).any(axis=1)))
            pair = tuple(pairs[row].tolist())
            raise InputError(f"edges[{row}] = {pair}: node ids must be in 0..{num_nodes - 1}")
        given = np.arange(len(pairs))
        if edge_features is not None:
            edge_features = matrix(edge_features, "edge_features", len(pairs))
        if weights is not None:
            weights = edge_weights(weights, len(pairs))
        if not directed:
            # A self-loop is its own reverse: storing it twice would make it a double edge.
            twice = given[pairs[:, 0] != pairs[:, 1]]
            pairs = np.concatenate([pairs, pairs[twice, ::-1]])
            given = np.concatenate([given, twice])
        order = np.lexsort((given, pairs[:, 0]))
        indptr = np.concatenate([[0], np.cumsum(np.bincount(pairs[:, 0], minlength=num_nodes))])
        source = given[order]
        targets = pairs[order, 1]
        del pairs, given, order  # a large graph needs their memory
        return cls(
            indptr,
            targets,
            features,
            feature_names=feature_names,
            feature_groups=feature_groups,
            edge_features=None if edge_features is None else edge_features[source],
            weights=None if weights is None else weights[source],
            labels=labels,
            coordinates=coordinates,
            geographic=geographic,
            directed=directed,
        )

    @staticmethod
    def from_networkx(network: Any, **options: Any) -> Graph:
        """Convert any kind of networkx graph.

        Parameters
        ----------
        network : networkx graph
            The graph to convert. Node k of the result is the k-th node of `list(network)`.
        **options
            Which attributes to read: `weight="travel_time"` for the cost of edges (by default
            "weight", and 1 where there is none), `features=["lanes"]` for the features of nodes,
            `coordinates=("lon", "lat")` for their places (by default "x" and "y", else "pos"), and
            `geographic=True` if these are degrees. `phil.graphs.convert.from_networkx` explains
            them.

        Returns
        -------
        Graph
            `phil.search` takes starts and goals as ids or as nodes of the network (integers are
            ids), and `result.nodes` are nodes of the network.

        Raises
        ------
        InputError
            If a cost is negative or not a number, or if a named attribute is missing.

        Examples
        --------
        >>> import networkx
        >>> streets = networkx.Graph()
        >>> streets.add_edge("home", "work", length=5.5)
        >>> Graph.from_networkx(streets, weight="length").weights.tolist()
        [5.5, 5.5]
        """
        from phil.graphs.convert import from_networkx

        return from_networkx(network, **options)

    @staticmethod
    def from_pyg(data: Any) -> Graph:
        """Convert a PyTorch Geometric graph.

        Parameters
        ----------
        data : torch_geometric.data.Data
            Or any object with the same attributes: `edge_index`, `x` (features), `pos`
            (coordinates; also the features if there is no `x`), `edge_attr` (edge features),
            `edge_weight` and `num_nodes`.

        Returns
        -------
        Graph
            Undirected if every edge has a reverse edge of the same weight.

        Raises
        ------
        InputError
            If there is no `edge_index`, or if the shapes of the tensors do not match.
        """
        from phil.graphs.convert import from_pyg

        return from_pyg(data)

    @staticmethod
    def from_scipy(matrix: Any, features: Features | None = None) -> Graph:
        """Convert a sparse adjacency matrix.

        Parameters
        ----------
        matrix : scipy sparse array or matrix
            Every stored entry is an edge from its row to its column, with the value as weight.
        features : array_like or sparse matrix, optional
            One row of numbers per node.

        Returns
        -------
        Graph
            Undirected if the matrix is symmetric.

        Raises
        ------
        InputError
            If the matrix is not sparse or not square, or if a value is negative or not finite.
        """
        from phil.graphs.convert import from_scipy

        return from_scipy(matrix, features)

    def to_networkx(self) -> Any:
        """Convert to a networkx graph.

        Returns
        -------
        networkx graph
            Its nodes are the labels, or integers if there are none; weights, features and
            coordinates become attributes (see `phil.graphs.convert.to_networkx`).
        """
        from phil.graphs.convert import to_networkx

        return to_networkx(self)

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        return (
            f"Graph(nodes={self.num_nodes}, edges={self.num_edges}, "
            f"features={self.features.shape[1]}, {kind})"
        )

    @cached_property
    def arrays(self) -> GraphArrays:
        """The graph as the compiled kernels see it."""
        return GraphArrays(
            first=self.indptr[:-1],
            last=self.indptr[1:],
            indices=self.indices,
            weights=np.zeros(0) if self.weights is None else self.weights,
            edge_rows=np.zeros(0, np.int64),
            tokens=np.zeros(0, np.uint64),
            features=self.features,
            edge_features=self.edge_features,
            free=np.zeros(0, np.uint8),
            shape=read_only(np.zeros(2, np.int64)),
            moves=np.zeros((0, 2), np.int64),
            move_costs=np.zeros(0),
            stencil=NO_STENCIL,
        )

    @property
    def size(self) -> int:
        """The number of node ids; every id below it is a node."""
        return self.num_nodes

    @property
    def node_ids(self) -> NDArray[np.int64]:
        """The ids of all nodes, in ascending order."""
        return np.arange(self.num_nodes)

    def features_of(self, nodes: ArrayLike) -> NDArray[np.float32]:
        """The features of some nodes, one row each."""
        return self.features[np.asarray(nodes, np.int64)]

    @property
    def sources(self) -> NDArray[np.int64]:
        """The source node of each entry of `indices`, computed on each access.

        >>> Graph.from_edges(3, [(0, 1), (1, 2)]).sources.tolist()
        [0, 1, 1, 2]
        """
        return np.repeat(np.arange(self.num_nodes), np.diff(self.indptr))

    @property
    def num_self_loops(self) -> int:
        """The number of edges from a node to itself."""
        return count_self_loops(self.indptr, self.indices)

    @property
    def num_edges(self) -> int:
        """The number of edges; an undirected edge counts once."""
        entries = self.indices.size
        return entries if self.directed else (entries + self.num_self_loops) // 2

    @property
    def is_weighted(self) -> bool:
        """Whether the edges have weights; otherwise each costs 1."""
        return self.weights is not None

    @property
    def is_drawable(self) -> bool:
        """Whether the nodes have coordinates."""
        return self.coordinates is not None

    @cached_property
    def max_degree(self) -> int:
        """The largest number of neighbours of any node."""
        return int(np.diff(self.indptr).max())

    @cached_property
    def nodes_by_label(self) -> dict[str, int]:
        """The node of every label; without labels, of every id as a string."""
        labels = map(str, range(self.num_nodes)) if self.labels is None else self.labels
        nodes: dict[str, int] = {}
        for node, label in enumerate(labels):
            if label in nodes:
                raise InputError(
                    f"nodes {nodes[label]} and {node} have the same label, {shortened(label)}"
                )
            nodes[label] = node
        return nodes

    def label(self, node: int) -> str:
        """A node's label; without labels, its id as a string."""
        self.check_node(node, "node")
        return str(node) if self.labels is None else self.labels[node]

    node_name = label  # how JSON output names a node

    @takes(text=TEXT)
    def find_node(self, text: str) -> int:
        """The node with this label, or with this id if there are no labels.

        >>> Graph.from_edges(2, [(0, 1)], labels=["home", "work"]).find_node("work")
        1
        """
        node = self.nodes_by_label.get(text)
        if node is None:
            node = self.nodes_by_label.get(text.strip())
        if node is not None:
            return node
        if self.labels is None:
            known = f"its nodes are numbered 0..{self.num_nodes - 1}"
        else:
            first = ", ".join(shortened(label) for label in islice(self.labels, SHOWN))
            more = ", ..." if self.num_nodes > SHOWN else ""
            known = f"its {self.num_nodes} nodes are {first}{more}"
        raise InputError(f"the graph has no node {shortened(text)}; {known}")

    @takes(feature_groups=GROUPS)
    def with_features(
        self,
        features: Features,
        feature_names: Sequence[str] | None = None,
        feature_groups: Sequence[FeatureGroup] | None = None,
        edge_features: ArrayLike | None = None,
    ) -> Self:
        """Return the same graph with other features; everything else is shared, not copied.

        Parameters
        ----------
        features, feature_names, feature_groups, edge_features
            See `Graph`. By default the edge features do not change.

        Returns
        -------
        Graph
        """
        other = copy.copy(self)
        other.features = read_only(feature_matrix(features, self.num_nodes))
        if edge_features is not None:
            edges = self.indices.size
            other.edge_features = read_only(matrix(edge_features, "edge_features", edges))
        other._name_features(feature_names, feature_groups)
        return other

    def neighbors(self, node: int) -> NDArray[np.int32]:
        """The neighbours of a node, in the order in which a search generates them."""
        self.check_node(node, "node")
        return self.indices[self.indptr[node] : self.indptr[node + 1]]

    def check_node(self, node: int, role: str) -> int:
        """Return the node's id; raise an error that names its role if there is no such node."""
        NODE.check(node, role)
        if not 0 <= node < self.num_nodes:
            label = "" if self.labels is None or str(node) not in self.labels else str(node)
            hint = f"; to give a label, write it as a text: {label!r}" if label else ""
            raise InputError(
                f"{role} {quoted(node)} is not a node: ids are 0..{self.num_nodes - 1}{hint}"
            )
        return int(node)

    def between(self, start: Any, goal: Any) -> tuple[Graph, int, int]:
        """The graph that a search works on, and the ids of start and goal.

        They are given as ids, as labels, or as nodes of a networkx graph; integers are ids.
        """
        return self, self._id(start, "start"), self._id(goal, "goal")

    def _id(self, given: Any, role: str) -> int:
        if is_whole(given):
            return self.check_node(given, role)
        for known in (self._own_ids, self.nodes_by_label if self.labels is not None else {}):
            try:
                if given in known:
                    return known[given]
            except TypeError:  # not hashable
                break
        if isinstance(given, tuple):
            raise InputError(f"{quoted(given)}: cells name nodes of grids only; give a node id")
        if isinstance(given, str) and self.labels is not None:
            return self.find_node(given)  # which says what there is
        return self.check_node(given, role)

    @cached_property
    def _own_ids(self) -> dict[Any, int]:
        return {node: number for number, node in enumerate(self.own_nodes or ())}

    def user_node(self, node: int) -> Any:
        """The user's name for a node: networkx's node, its label, or else its id."""
        if self.own_nodes is not None:
            return self.own_nodes[node]
        return node if self.labels is None else self.labels[node]

    def without_weights(self) -> Self:
        """The same graph with edges that all cost 1; everything else is shared, not copied."""
        other = copy.copy(self)
        other.weights = None
        return other

    def reversed(self) -> Graph:
        """The graph with every edge reversed (an undirected graph is its own reverse)."""
        return self._reverse if self.directed else self

    @cached_property
    def _reverse(self) -> Graph:
        pairs = np.stack([self.indices, self.sources], axis=1)
        reverse = Graph.from_edges(
            self.num_nodes,
            pairs,
            self.features,
            feature_names=self.feature_names,
            feature_groups=self.feature_groups,
            edge_features=self.edge_features,
            weights=self.weights,
            labels=self.labels,
            coordinates=self.coordinates,
            geographic=self.geographic,
            directed=True,
        )
        reverse.own_nodes = self.own_nodes
        return reverse

    def _name_features(
        self, names: Sequence[str] | None, groups: Sequence[FeatureGroup] | None
    ) -> None:
        width = self.features.shape[1]
        if names is None:
            names = tuple(f"feature_{column}" for column in range(width))
        names = texts(names, "feature_names")
        try:
            "".join(names).encode()
        except UnicodeEncodeError as error:
            raise InputError(
                f"feature_names: {error.reason}, which no heuristic file can hold"
            ) from error
        if groups is None:
            groups = (FeatureGroup("features", width),) if width else ()
        if len(names) != width or sum(group.size for group in groups) != width:
            raise InputError(
                f"{width} features, but {len(names)} feature_names and feature_groups of sizes "
                f"{[group.size for group in groups]}"
            )
        self.feature_names = names
        self.feature_groups = tuple(groups)
