"""Which format a file has, and what happens when a write fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import Graph, GridGraph
from phil.graphs.formats import Format, read_graph, register_format, write_graph
from phil.graphs.formats.registry import formats, graph_files, recognise, written

GRAPHML = '<graphml><graph edgedefault="directed"><node id="é"/></graph></graphml>'


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.png", b"0,1,2\n", "CSV"),
        ("a.csv", GRAPHML.encode(), "GraphML"),
        ("a", b"\n\n  " + GRAPHML.encode(), "GraphML"),
        ("a", b"<!-- like <mujoco> -->" + GRAPHML.encode(), "GraphML"),
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
    [*((ending, 1) for ending in written("graphs")), *((ending, 2) for ending in BESIDE)],
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
        with pytest.raises(
            InputError, match=r"graphs can be written to files ending in \.npz, \.graphml"
        ):
            write_graph(tmp_path / name, graph)
    with pytest.raises(
        InputError, match=r"maps can be written to files ending in \.npz, \.png, \.map"
    ):
        write_graph(tmp_path / "map.docx", GridGraph(np.ones((2, 2), bool)))


@pytest.mark.parametrize("known", tuple(formats()), ids=lambda known: known.name)
def test_folders_find_the_files_of_every_format_that_is_read(known: Format, tmp_path: Path) -> None:
    for ending in known.endings:
        for name in (f"a{ending}", f"B{ending.upper()}.gz", f".hidden{ending}"):
            (tmp_path / name).touch()
    (tmp_path / "folder.csv").mkdir()
    found = {file.name for file in graph_files(tmp_path)}
    wanted = {name for end in known.endings for name in (f"a{end}", f"B{end.upper()}.gz")}
    assert found == (wanted if known.read else set())


def _read_chain(path: Path) -> Graph:
    nodes = len(path.read_text().split("-"))
    return Graph.from_edges(nodes, [(node, node + 1) for node in range(nodes - 1)])


def _write_chain(path: Path, graph: Graph) -> None:
    path.write_text("-".join(map(str, range(graph.num_nodes))))


def test_a_format_of_a_user_is_read_written_found_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("phil.graphs.formats.registry._registered", {})
    register_format(Format("chain", endings=(".chain",), read=_read_chain, write=_write_chain))
    write_graph(tmp_path / "a.chain", Graph.from_edges(3, [(0, 1), (1, 2)]))
    assert read_graph(tmp_path / "a.chain").num_nodes == 3
    assert graph_files(tmp_path) == [tmp_path / "a.chain"]
    assert ".chain" in written("graphs")
    assert ".chain" not in written("maps")
    write_graph(tmp_path / "map.chain", GridGraph([[True, True]]))  # as a graph
    assert (tmp_path / "map.chain").read_text() == "0-1"
    (tmp_path / "b").write_bytes(b"hello")
    with pytest.raises(InputError, match=r"does not have a known format\. Known formats: chain;"):
        read_graph(tmp_path / "b")


@pytest.mark.parametrize(
    "declared",
    [
        {"endings": (), "read": _read_chain},
        {"endings": ("chain",), "read": _read_chain},
        {"endings": (".chain",)},
    ],
)
def test_a_format_that_cannot_be_used_is_refused(declared: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="the format 'chain'"):
        Format("chain", **declared)
