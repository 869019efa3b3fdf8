"""`phil convert`: from any format to any other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from phil.graphs import Graph
from phil.graphs.formats import read_graph

if TYPE_CHECKING:
    from tests.cli.conftest import MakeMap, Phil

EDGES = "source,target,weight\na,b,2\nb,c,3\n"
PLACES = "id,lon,lat\na,7,46\nb,7.1,46\nc,7.2,46\n"


@pytest.fixture
def roads(tmp_path: Path) -> Path:
    """Three places in Switzerland."""
    (tmp_path / "roads.csv").write_text(EDGES)
    (tmp_path / "roads.nodes.csv").write_text(PLACES)
    return tmp_path / "roads.csv"


def test_round_all_graph_formats(phil: Phil, roads: Path, tmp_path: Path) -> None:
    first = read_graph(roads)
    here = roads
    for name in ("a.graphml", "b.npz", "c.gr", "d.csv"):
        done = phil("convert", here, tmp_path / name)
        assert (done.code, done.err) == (0, "")
        assert done.out == (
            f"Wrote {tmp_path / name}: Graph(nodes=3, edges=2, features=2, undirected)\n"
        )
        here = tmp_path / name
    last = read_graph(here)
    assert isinstance(first, Graph)
    assert isinstance(last, Graph)
    assert last.weights is not None
    assert last.weights.tolist() == [2, 2, 3, 3]
    assert last.labels == ("1", "2", "3")  # DIMACS numbers its nodes
    assert last.geographic
    assert last.features == pytest.approx(first.features, abs=0.01)


def test_geojson_for_maps_on_a_screen(phil: Phil, roads: Path, tmp_path: Path) -> None:
    assert phil("convert", roads, tmp_path / "roads.geojson").code == 0
    document = json.loads((tmp_path / "roads.geojson").read_text())
    assert len(document["features"]) == 5


def test_maps(phil: Phil, make_map: MakeMap, tmp_path: Path) -> None:
    done = phil("convert", make_map(".#", ".."), tmp_path / "out.map")
    assert done.code == 0
    assert (tmp_path / "out.map").read_text().split()[-2:] == [".@", ".."]


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("roads.csv", "roads.xyz", "cannot write roads.xyz: a graph is written to a name that"),
        ("roads.csv", "roads.png", "cannot write roads.png: a graph is written to a name that"),
        ("roads.csv", "none/roads.npz", "the folder none does not exist"),
        ("none.csv", "roads.npz", "cannot read none.csv: No such file"),
        ("bad", "roads.npz", "bad is of no known format"),
    ],
)
def test_bad_input_is_one_line(
    phil: Phil,
    roads: Path,
    monkeypatch: pytest.MonkeyPatch,
    source: str,
    target: str,
    message: str,
) -> None:
    monkeypatch.chdir(roads.parent)
    Path("bad").write_text("?")
    done = phil("convert", source, target)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err
