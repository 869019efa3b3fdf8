"""Which format a file has, and what happens when a write fails."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import Graph, GridGraph
from phil.graphs.formats import read_graph, write_graph
from phil.graphs.formats.registry import GRAPH_WRITERS, recognise

GRAPHML = '<graphml><graph edgedefault="directed"><node id="é"/></graph></graphml>'


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.png", b"0,1,2\n", "CSV"),
        ("a.csv", GRAPHML.encode(), "GraphML"),
        ("a", b"\n\n  " + GRAPHML.encode(), "GraphML"),
        ("a", b"\xef\xbb\xbf" + GRAPHML.encode(), "GraphML"),
        ("a", ('<?xml version="1.0" encoding="UTF-16"?>' + GRAPHML).encode("utf-16"), "GraphML"),
        ("a.csv", b"c " + b"long comment " * 999 + b"\np sp 1 0\n", "DIMACS"),
        ("a.txt", b"type octile\nheight 1\nwidth 1\nmap\n.\n", "MovingAI"),
        ("a", b"# " + b"long comment " * 999 + b"\n0 1\n", "CSV"),
        ("a.edges", b"alice bob\n", "CSV"),
        ("a.edges.gz", b"alice bob\n", "CSV"),
        ("a.doc", b"alice bob\n", None),
        ("a.csv", b"alone\n", None),
        ("a.csv", b"\0,\0\n", None),
    ],
)
def test_content_tells_the_format(
    tmp_path: Path, name: str, content: bytes, expected: str | None
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    found = recognise(path)
    if expected is None:
        assert found is None
        return
    assert found is not None
    assert found.name.startswith(expected)
    assert read_graph(path).num_nodes


BESIDE = {".gr": ".co", ".csv": ".nodes.csv"}


@pytest.mark.parametrize(
    ("ending", "failing"),
    [*((ending, 1) for ending in GRAPH_WRITERS), *((ending, 2) for ending in BESIDE)],
)
def test_old_files_stay_when_a_write_fails(
    tmp_path: Path, ending: str, failing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where two files are written and only the second fails."""
    written = []

    def full(descriptor: int) -> None:
        written.append(descriptor)
        if len(written) == failing:
            raise OSError(28, "No space left on device")

    endings = [ending, BESIDE[ending]] if ending in BESIDE else [ending]
    files = [tmp_path / f"graph{each}" for each in endings]
    for file in files:
        file.write_text("precious")
    monkeypatch.setattr("phil.files.os.fsync", full)
    graph = Graph.from_edges(2, [(0, 1)], coordinates=[[1, 2], [3, 4]], geographic=True)
    with pytest.raises(InputError, match=r"cannot write .*No space left.*unchanged"):
        write_graph(files[0], graph)
    assert {file: file.read_text() for file in tmp_path.iterdir()} == dict.fromkeys(
        files, "precious"
    )


def test_the_ending_says_what_is_written(tmp_path: Path) -> None:
    graph = Graph.from_edges(2, [(0, 1)])
    write_graph(tmp_path / "GRAPH.GRAPHML", graph)
    assert (tmp_path / "GRAPH.GRAPHML").read_bytes().startswith(b"<?xml")
    for name in ("graph", "graph.gr.gz", "graph.png"):
        with pytest.raises(InputError, match=r"a graph must end with \.npz, \.graphml"):
            write_graph(tmp_path / name, graph)
    with pytest.raises(InputError, match=r"a map must end with \.npz, \.png, \.map"):
        write_graph(tmp_path / "map.gr", GridGraph(np.ones((2, 2), bool)))
