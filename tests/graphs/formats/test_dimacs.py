"""DIMACS graphs: direction, units and coordinates; wrong files are in the contract tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import Graph
from phil.graphs.formats import dimacs
from phil.graphs.formats.dimacs import read_dimacs, write_dimacs


def save(folder: Path, text: str, name: str = "graph.gr") -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("arcs", "directed"),
    [
        (["1 2 5", "2 1 5"], False),
        (["1 2 5", "2 1 6"], True),
        (["1 2 5"], True),
        (["1 2 5", "1 2 5", "2 1 5"], True),
        (["1 2 5", "2 1 5", "2 2 1"], False),
        (["1 2 5", "1 2 7", "2 1 7", "2 1 5"], False),
    ],
)
def test_equal_pairs_of_arcs_are_undirected_edges(
    tmp_path: Path, arcs: list[str], directed: bool
) -> None:
    lines = [f"p sp 2 {len(arcs)}", *(f"a {arc}" for arc in arcs)]
    graph = read_dimacs(save(tmp_path, "\n".join(lines)))
    assert graph.directed is directed
    assert graph.indices.size == len(arcs)
    assert graph.labels == ("1", "2")


def test_neighbours_keep_the_order_of_the_file(tmp_path: Path) -> None:
    graph = read_dimacs(save(tmp_path, "p sp 3 3\na 1 3 9\na 2 1 1\na 1 2 4\n"))
    assert graph.neighbors(0).tolist() == [2, 1]
    assert graph.weights is not None
    assert graph.weights.tolist() == [9, 4, 1]


@pytest.mark.parametrize(
    ("places", "expected", "geographic"),
    [
        (("-73530767 41085396", "1 2"), [[-73.530767, 41.085396], [1e-6, 2e-6]], True),
        (("500000000 1", "1 2"), [[5e8, 1], [1, 2]], False),
        (("1 95000000", "1 2"), [[1, 9.5e7], [1, 2]], False),
        (("1.5 2", "1 2"), [[1.5, 2], [1, 2]], False),
    ],
)
def test_coordinates_beside_or_given(
    tmp_path: Path, places: tuple[str, str], expected: list[list[float]], geographic: bool
) -> None:
    lines = ["p aux sp co 2", *(f"v {k} {place}" for k, place in enumerate(places, start=1))]
    path = save(tmp_path, "p sp 2 1\na 1 2 3\n")
    given = save(tmp_path, "\n".join(lines), "elsewhere.txt")
    assert read_dimacs(path).coordinates is None
    beside = read_dimacs(save(tmp_path, "p sp 2 1\na 1 2 3\n", "elsewhere.gr"), given)
    given.rename(tmp_path / "graph.co")
    for graph in (beside, read_dimacs(path)):
        assert graph.coordinates is not None
        np.testing.assert_allclose(graph.coordinates, expected)
        assert graph.geographic is geographic
        assert graph.feature_names == ("x", "y")


@pytest.mark.parametrize(
    ("weights", "text"),
    [
        ([3, 0], "p sp 2 2\na 1 2 3\na 2 1 0\n"),
        ([0.5, 0.25], "c weights are in units of 1e-9\np sp 2 2\na 1 2 500000000\n"),
        ([3e12, 1e9], "c weights are in units of 1e4\np sp 2 2\na 1 2 300000000\n"),
        ([5e-324, 0], "c weights are in units of 1e-300\n"),
    ],
)
def test_weights_are_whole_numbers_of_a_unit(
    tmp_path: Path, weights: list[float], text: str
) -> None:
    graph = Graph.from_edges(2, [(0, 1), (1, 0)], weights=weights, directed=True)
    path = tmp_path / "graph.gr"
    write_dimacs(path, graph)
    assert path.read_text().startswith(text)
    read = read_dimacs(path).weights
    assert read is not None
    np.testing.assert_allclose(read, weights, rtol=1e-9, atol=1e-300)


def test_foreign_coordinates_beside_a_new_file_are_refused(tmp_path: Path) -> None:
    save(tmp_path, "p aux sp co 1\nv 1 1 1\n", "graph.co")
    path = tmp_path / "graph.gr"
    with pytest.raises(InputError, match=r"graph\.co exists and would be read as the coordinates"):
        write_dimacs(path, Graph.from_edges(2, [(0, 1)]))
    assert not path.exists()


def test_many_arcs_are_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The way line by line, ten times as slow, is only for finding what is wrong."""
    monkeypatch.setattr(dimacs, "_line_by_line", None)
    random = np.random.default_rng(0)
    ends = random.integers(1, 3000, (7000, 2))
    rows = np.column_stack([ends, random.integers(1, 9999, 7000)]).tolist()
    lines = ["p sp 3000 7000", *(f"a {u} {v} {w}\nc comment" for u, v, w in rows)]
    graph = read_dimacs(save(tmp_path, "\n".join(lines)))
    assert graph.indices.size == 7000
    assert graph.weights is not None
    assert graph.weights.sum() == sum(row[2] for row in rows)
