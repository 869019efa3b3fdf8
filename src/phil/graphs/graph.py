"""Graph: nodes, edges and features that are all known, kept as immutable CSR arrays."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phil.errors import InputError
from phil.graphs.arrays import CORNER_ALLOW, GraphArrays
from phil.graphs.checks import (
    EDGE_BYTES,
    SORTING_BYTES,
    SYMMETRY_BYTES,
    Features,
    check_csr,
    check_size,
    edge_weights,
    feature_matrix,
    integers,
    matrix,
    places,
    read_only,
    shortened,
)
from phil.graphs.feature_group import FeatureGroup

SHOWN = 3  # labels that an error names as examples


class Graph:
    """An explicit graph: `indices[indptr[v]:indptr[v + 1]]` are the neighbours of node v.

    Neighbours are generated in the order in which they stand. Every edge of an undirected graph
    stands twice, once at each end. `weights` are edge costs (1 where not given), `features` one row
    of numbers per node (a scipy sparse matrix too), with names and groups; `edge_features` one row
    per entry of `indices`. `coordinates` are places to draw the nodes at: (x, y), (x, y, z), or, if
    `geographic`, longitude and latitude in degrees.

    A self-loop is kept, once, and never lies on a path; of parallel edges all are kept, and a
    search takes the cheapest.

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
        given_rows, given_targets = np.asarray(indptr), np.asarray(indices)
        for name, array in (("indptr", given_rows), ("indices", given_targets)):
            if array.ndim != 1:
                raise InputError(f"{name} must have one dimension, not shape {array.shape}")
        if given_rows.size < 2:
            raise InputError("a graph needs at least one node; indptr has no row")
        self.num_nodes = given_rows.size - 1
        edge_bytes = EDGE_BYTES + (0 if directed else SYMMETRY_BYTES)
        check_size(self.num_nodes, given_targets.size, edge_bytes, features, edge_features)
        rows = integers(given_rows, "indptr")
        targets = integers(given_targets, "indices")
        check_csr(rows, targets)
        edges = targets.size
        if labels is not None and len(labels) != self.num_nodes:
            raise InputError(f"labels: {len(labels)} given for {self.num_nodes} nodes")
        self.arrays = GraphArrays(
            first=rows[:-1],
            last=rows[1:],
            indices=targets.astype(np.int32),
            weights=np.zeros(0) if weights is None else edge_weights(weights, edges),
            edge_rows=np.zeros(0, np.int64),
            tokens=np.zeros(0, np.uint64),
            features=feature_matrix(features, self.num_nodes),
            edge_features=(
                np.zeros((edges, 0), np.float32)
                if edge_features is None
                else matrix(edge_features, "edge_features", edges)
            ),
            free=np.zeros(0, np.uint8),
            shape=np.zeros(2, np.int64),
            moves=np.zeros((0, 2), np.int64),
            move_costs=np.zeros(0),
            corner_rule=CORNER_ALLOW,
        )
        self.indptr = read_only(rows)
        self.indices = read_only(self.arrays.indices)
        self.features = read_only(self.arrays.features)
        self.edge_features = read_only(self.arrays.edge_features)
        self.weights = None if weights is None else read_only(self.arrays.weights)
        self.labels = None if labels is None else tuple(labels)
        self.coordinates = None if coordinates is None else places(coordinates, self.num_nodes)
        self.geographic = geographic
        self.directed = directed
        self._name_features(feature_names, feature_groups)
        if not directed:
            self._check_symmetric()

    @classmethod
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
        """A graph from an (E, 2) array; an undirected edge is given once and stored at both ends.

        Neighbours keep the order in which their edges are given.
        """
        if num_nodes < 1:
            raise InputError(f"a graph needs at least one node, not {num_nodes}")
        listed = np.asarray(edges)
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
        del pairs, given, order  # a large graph needs the room
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
        """A networkx graph: see `phil.graphs.convert.from_networkx` for the options."""
        from phil.graphs.convert import from_networkx

        return from_networkx(network, **options)

    @staticmethod
    def from_pyg(data: Any) -> Graph:
        """The data of PyTorch Geometric: see `phil.graphs.convert.from_pyg`."""
        from phil.graphs.convert import from_pyg

        return from_pyg(data)

    @staticmethod
    def from_scipy(matrix: Any, features: Features | None = None) -> Graph:
        """A sparse adjacency matrix: see `phil.graphs.convert.from_scipy`."""
        from phil.graphs.convert import from_scipy

        return from_scipy(matrix, features)

    def to_networkx(self) -> Any:
        """The graph for networkx: see `phil.graphs.convert.to_networkx`."""
        from phil.graphs.convert import to_networkx

        return to_networkx(self)

    def __repr__(self) -> str:
        edges = self.indices.size if self.directed else self._undirected_edges()
        kind = "directed" if self.directed else "undirected"
        return (
            f"Graph(nodes={self.num_nodes}, edges={edges}, "
            f"features={self.features.shape[1]}, {kind})"
        )

    @property
    def size(self) -> int:
        """How many node ids there are; every id below it is a node."""
        return self.num_nodes

    @property
    def node_ids(self) -> NDArray[np.int64]:
        """The ids of all nodes, in ascending order."""
        return np.arange(self.num_nodes)

    @property
    def is_weighted(self) -> bool:
        """Whether the edges have weights; without them, each costs 1."""
        return self.weights is not None

    @property
    def is_drawable(self) -> bool:
        """Whether the nodes have coordinates to be drawn at."""
        return self.coordinates is not None

    @cached_property
    def max_degree(self) -> int:
        """The largest number of neighbours of any node."""
        return int(np.diff(self.indptr).max())

    @cached_property
    def nodes_by_label(self) -> dict[str, int]:
        """The node of every label; without labels, of its number as text."""
        labels = map(str, range(self.num_nodes)) if self.labels is None else self.labels
        nodes: dict[str, int] = {}
        for node, label in enumerate(labels):
            if label in nodes:
                raise InputError(f"nodes {nodes[label]} and {node} have the same label, {label!r}")
            nodes[label] = node
        return nodes

    def label(self, node: int) -> str:
        """A node's label; without labels, its number as text."""
        return str(node) if self.labels is None else self.labels[node]

    def node_name(self, node: int) -> str:
        """A node as JSON shows it: its label."""
        return self.label(node)

    def find_node(self, text: str) -> int:
        """The node that a text names: by its label, or by its number if there are no labels.

        >>> Graph.from_edges(2, [(0, 1)], labels=["home", "work"]).find_node("work")
        1
        """
        node = self.nodes_by_label.get(text)
        if node is None:
            node = self.nodes_by_label.get(text.strip())
        if node is not None:
            return node
        if self.labels is None:
            known = f"its nodes are the numbers 0..{self.num_nodes - 1}"
        else:
            first = ", ".join(shortened(label) for label in islice(self.labels, SHOWN))
            more = ", ..." if self.num_nodes > SHOWN else ""
            known = f"its {self.num_nodes} nodes are {first}{more}"
        raise InputError(f"the graph has no node {shortened(text)}; {known}")

    def with_features(
        self,
        features: Features,
        feature_names: Sequence[str] | None = None,
        feature_groups: Sequence[FeatureGroup] | None = None,
        edge_features: ArrayLike | None = None,
    ) -> Self:
        """The same nodes and edges with other features; the rest is shared, not copied."""
        other = self._copy()
        edges = self.arrays.edge_features
        if edge_features is not None:
            edges = matrix(edge_features, "edge_features", self.indices.size)
        other.arrays = self.arrays._replace(
            features=feature_matrix(features, self.num_nodes), edge_features=edges
        )
        other.features = read_only(other.arrays.features)
        other.edge_features = read_only(other.arrays.edge_features)
        other._name_features(feature_names, feature_groups)
        return other

    def neighbors(self, node: int) -> NDArray[np.int32]:
        """The neighbours of a node, in the order in which a search generates them."""
        self.check_node(node, "node")
        return self.indices[self.indptr[node] : self.indptr[node + 1]]

    def check_node(self, node: int, role: str) -> int:
        """The node's id, or an error that says which role was given a node that does not exist."""
        if not 0 <= node < self.num_nodes:
            raise InputError(f"{role} {node} is not a node: ids are 0..{self.num_nodes - 1}")
        return int(node)

    def between(self, start: Any, goal: Any) -> tuple[Graph, int, int]:
        """What a search works on: the graph itself, and the ids of start and goal."""
        for node in (start, goal):
            if isinstance(node, tuple):
                raise InputError(f"{node}: a cell names a node of a grid only; give a node id")
        return self, self.check_node(int(start), "start"), self.check_node(int(goal), "goal")

    def user_node(self, node: int) -> int:
        """A node as its user knows it: by its id."""
        return node

    def without_weights(self) -> Self:
        """The same graph whose edges all cost 1; the rest is shared, not copied."""
        other = self._copy()
        other.arrays = self.arrays._replace(weights=np.zeros(0))
        other.weights = None
        return other

    def reversed(self) -> Graph:
        """The graph with every edge turned round (an undirected graph is its own reverse)."""
        return self._reverse if self.directed else self

    @cached_property
    def _reverse(self) -> Graph:
        source = np.repeat(np.arange(self.num_nodes), np.diff(self.indptr))
        pairs = np.stack([self.indices, source], axis=1)
        return Graph.from_edges(
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

    def _copy(self) -> Self:
        other = copy.copy(self)
        other.__dict__.pop("_reverse", None)  # it has the old features and weights
        return other

    def _name_features(
        self, names: Sequence[str] | None, groups: Sequence[FeatureGroup] | None
    ) -> None:
        width = self.features.shape[1]
        if names is None:
            names = tuple(f"feature_{column}" for column in range(width))
        if groups is None:
            groups = (FeatureGroup("features", width),) if width else ()
        if len(names) != width or sum(group.size for group in groups) != width:
            raise InputError(
                f"{width} features, but {len(names)} names and groups of "
                f"{[group.size for group in groups]}"
            )
        self.feature_names = tuple(names)
        self.feature_groups = tuple(groups)

    def _undirected_edges(self) -> int:
        source = np.repeat(np.arange(self.num_nodes), np.diff(self.indptr))
        loops = int((source == self.indices).sum())
        return (self.indices.size - loops) // 2 + loops

    def _check_symmetric(self) -> None:
        source = np.repeat(np.arange(self.num_nodes, dtype=np.int64), np.diff(self.indptr))
        target = self.indices.astype(np.int64)
        weights = np.ones(source.size) if self.weights is None else self.weights
        forth = np.lexsort((weights, target, source))
        back = np.lexsort((weights, source, target))
        same = (source[forth] == target[back]) & (target[forth] == source[back])
        if not same.all():
            first = int(np.argmin(same))
            # Of the two that differ first in sorted lists, the lesser is missing in the other list.
            left, right = min(
                (int(source[forth][first]), int(target[forth][first])),
                (int(target[back][first]), int(source[back][first])),
            )
            raise InputError(
                f"the graph is said to be undirected, but the edges between {left} and {right} "
                "do not stand equally often at both ends; add the missing one or pass directed=True"
            )
        if not np.array_equal(weights[forth], weights[back]):
            first = int(np.argmin(weights[forth] == weights[back]))
            raise InputError(
                f"the graph is said to be undirected, but edge {source[forth][first]} - "
                f"{target[forth][first]} has another weight in each direction; pass directed=True"
            )
