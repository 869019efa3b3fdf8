"""Layouts put what belongs together close together, and are always the same."""

from __future__ import annotations

import numpy as np
import pytest

from phil.graphs import Graph
from phil.play.layout import SMALL, layout


def ring(nodes: int) -> Graph:
    return Graph.from_edges(nodes, [(k, (k + 1) % nodes) for k in range(nodes)])


@pytest.mark.parametrize(("nodes", "kind"), [(60, "spring"), (SMALL + 1, "spectral")])
def test_neighbours_are_close(nodes: int, kind: str) -> None:
    graph = ring(nodes)
    places, found = layout(graph)
    assert found == kind
    apart = np.linalg.norm(places - np.roll(places, 1, axis=0), axis=1)
    anywhere = np.linalg.norm(places - places[::-1], axis=1)
    assert apart.mean() < 0.5 * anywhere.mean()
    assert np.abs(places).max() <= 1.01
    again, _ = layout(graph)
    np.testing.assert_array_equal(places, again)


@pytest.mark.parametrize("nodes", [1, 2, 5])
def test_graphs_without_edges_have_places_too(nodes: int) -> None:
    places, _ = layout(Graph.from_edges(nodes, []))
    assert np.isfinite(places).all()
    assert np.unique(places.round(6), axis=0).shape[0] == nodes


def test_a_star_of_many_nodes_is_finite() -> None:
    nodes = SMALL + 500
    places, _ = layout(Graph.from_edges(nodes, [(0, k) for k in range(1, nodes)]))
    assert np.isfinite(places).all()
