"""laplacian:k: the first k nontrivial eigenvectors of the normalised Laplacian.

L = I - D^-1/2 A D^-1/2 ignores weights (they are costs, not similarities) and direction. A graph
of c components has c trivial eigenvectors and mixtures of the others, so each component is treated
separately: column j holds the j-th nontrivial eigenvector of each node's own component, or zeros.
Eigenvectors have mean square 1 over their component, and their largest entry is positive (among
entries that are equal up to rounding, the one with the smallest id).
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.distances import diameter_estimate
from phil.graphs.features.feature import Columns, Feature, undirected_adjacency, visits
from phil.graphs.graph import FeatureGroup, Graph

if TYPE_CHECKING:
    from scipy.sparse import csr_array

DENSE = 100  # up to this many nodes, all eigenvectors are computed at once
PASSES = 50  # over the graph per eigenvector, typically
MOST_PASSES = 20_000  # in total
TOLERANCE = 1e-5
SHIFT = -1e-3  # below all eigenvalues, so that the shifted matrix is invertible
SAME = 1.0 - 1e-4  # entries closer than this may be reordered by rounding


def eigenvectors(graph: Graph, k: int) -> NDArray[np.float64]:
    """The k columns of every node."""
    from scipy.sparse.csgraph import connected_components

    adjacency = undirected_adjacency(graph)
    count, number = connected_components(adjacency, directed=False)
    by_component = np.argsort(number, kind="stable")
    bounds = np.searchsorted(number[by_component], np.arange(count + 1))
    columns = np.zeros((graph.num_nodes, k))
    for first, last in pairwise(bounds):
        nodes = by_component[first:last]
        found = min(k, nodes.size - 1)
        if found:
            inside = adjacency if count == 1 else adjacency[nodes][:, nodes]
            columns[nodes, :found] = _of_component(inside, found)
    return columns


def _of_component(adjacency: csr_array, k: int) -> NDArray[np.float64]:
    from scipy.linalg import eigh
    from scipy.sparse import dia_array

    nodes = adjacency.shape[0]
    roots = dia_array((1.0 / np.sqrt(adjacency.sum(axis=1))[None], [0]), shape=(nodes, nodes))
    near = (roots @ adjacency @ roots).tocsr()
    if nodes <= max(DENSE, 3 * k):
        vectors: NDArray[np.float64] = eigh(np.eye(nodes) - near.toarray())[1][:, 1 : k + 1]
    else:
        vectors = _of_large(near, k)
    sizes = np.abs(vectors)
    leading = np.argmax(sizes >= SAME * sizes.max(axis=0), axis=0)
    signs = np.where(vectors[leading, np.arange(k)] < 0, -1.0, 1.0)
    return math.sqrt(nodes) * signs * vectors


def _of_large(near: csr_array, k: int) -> NDArray[np.float64]:
    from scipy.sparse import eye_array
    from scipy.sparse.linalg import ArpackNoConvergence, eigsh

    nodes = near.shape[0]
    begin = np.random.default_rng(0).random(nodes)
    if _is_wide(near):
        # Eigenvalues cluster near 0, where Lanczos is slow, but factorising the matrix is cheap.
        shifted = (eye_array(nodes) - near).tocsc()
        values, vectors = eigsh(shifted, k + 1, sigma=SHIFT, v0=begin, tol=TOLERANCE)
        order = np.argsort(values)
    else:
        try:
            values, vectors = eigsh(
                near, k + 1, which="LA", v0=begin, tol=TOLERANCE, maxiter=MOST_PASSES // (2 * k + 2)
            )
        except ArpackNoConvergence as error:
            raise InputError(
                f"laplacian:{k} needs more than {MOST_PASSES} passes over this graph; "
                "use fewer eigenvectors, or landmarks"
            ) from error
        order = np.argsort(-values)
    nontrivial: NDArray[np.float64] = vectors[:, order[1:]]
    return nontrivial


def _is_wide(near: csr_array) -> bool:
    """Whether the diameter is large, as on roads: such a graph has small separators."""
    graph = Graph(near.indptr, near.indices)
    return diameter_estimate(graph, 0) > 4.0 * math.log2(graph.num_nodes)


def _columns(graph: Graph, k: int) -> Columns:
    names = tuple(f"eigenvector {number + 1}" for number in range(k))
    return Columns(names, (FeatureGroup("laplacian", k, alike=True),))


LAPLACIAN = Feature(
    name="laplacian",
    default=8,
    instead="fewer eigenvectors, or landmarks, such as landmarks:4",
    columns=_columns,
    operations=lambda graph, k: PASSES * (k + 1) * visits(graph),
    compute=eigenvectors,
    kept=True,
)
