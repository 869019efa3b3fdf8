"""Small files in the formats of those who publish the graphs, for tests."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array


def _lines(rows: Iterable[object]) -> str:
    return "".join(f"{row}\n" for row in rows)


def write_tudataset(folder: Path, name: str) -> None:
    """A path of three nodes and a triangle, each edge in both directions, one of them twice."""
    folder.mkdir(parents=True)
    edges = ["1, 2", "2, 1", "2, 3", "3, 2", "2, 3", "4, 5", "5, 4", "5, 6", "6, 5", "4, 6", "6, 4"]
    (folder / f"{name}_A.txt").write_text(_lines(edges))
    (folder / f"{name}_graph_indicator.txt").write_text(_lines([1, 1, 1, 2, 2, 2]))
    attributes = [f"{k}.5, {-k}" for k in range(6)]
    (folder / f"{name}_node_attributes.txt").write_text(_lines(attributes))
    (folder / f"{name}_graph_labels.txt").write_text(_lines([1, 2]))


def write_gnn_benchmark(path: Path) -> None:
    """Four authors in a line, one direction each, a self-loop, and counts of three words."""
    adjacency = csr_array(np.array([[1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 1, 0]]))
    attributes = csr_array(np.array([[2, 0, 0], [0, 5, 0], [0, 0, 0], [1, 0, 3]], np.float32))
    path.parent.mkdir(parents=True)
    parts = {
        f"{kind}_{part}": getattr(matrix, part)
        for kind, matrix in (("adj", adjacency), ("attr", attributes))
        for part in ("data", "indices", "indptr", "shape")
    }
    np.savez(path, labels=np.zeros(4, int), **parts)


def write_graphsage(folder: Path) -> None:
    """Two train graphs and one each to validate and to test; paths of three nodes."""
    folder.mkdir(parents=True)
    for split, first, graphs in (("train", 1, 2), ("valid", 3, 1), ("test", 4, 1)):
        nodes = 3 * graphs
        links = [
            {"source": 3 * graph + k, "target": 3 * graph + other}
            for graph in range(graphs)
            for k, other in ((0, 1), (2, 1), (1, 1))
        ]
        document = {
            "directed": False,
            "multigraph": False,
            "graph": {},
            "nodes": [{"id": node} for node in range(nodes)],
            "links": links,
        }
        (folder / f"{split}_graph.json").write_text(json.dumps(document))
        np.save(folder / f"{split}_graph_id.npy", first + np.arange(nodes) // 3)
        np.save(folder / f"{split}_feats.npy", np.arange(2.0 * nodes).reshape(nodes, 2) + first)
        np.save(folder / f"{split}_labels.npy", np.zeros((nodes, 1)))


def write_ogb(folder: Path) -> None:
    """A path of three atoms, one without bonds, and a ring of three; one bond is turned round."""
    tables: dict[str, Iterable[object]] = {
        "raw/num-node-list": [3, 1, 3],
        "raw/num-edge-list": [2, 0, 3],
        "raw/edge": ["1,0", "1,2", "0,1", "1,2", "0,2"],
        "raw/node-feat": [f"{k},7" for k in range(7)],
        "raw/edge-feat": [f"{k},0,1" for k in range(5)],
        "raw/graph-label": [0, 1, 0],
        "split/scaffold/train": [2],
        "split/scaffold/valid": [1],
        "split/scaffold/test": [0],
    }
    for name, rows in tables.items():
        write_gzip(folder / f"{name}.csv.gz", _lines(rows))


def write_gzip(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()))


# As OSMnx 2 saves a graph, shortened: a one-way street, a two-way one, two parallel ones, a loop,
# and a place that none of them leads to.
GRAPHML = """<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d9" for="edge" attr.name="geometry" attr.type="string" />
<key id="d8" for="edge" attr.name="length" attr.type="string" />
<key id="d7" for="edge" attr.name="oneway" attr.type="string" />
<key id="d6" for="edge" attr.name="osmid" attr.type="string" />
<key id="d5" for="node" attr.name="street_count" attr.type="string" />
<key id="d4" for="node" attr.name="x" attr.type="string" />
<key id="d3" for="node" attr.name="y" attr.type="string" />
<key id="d1" for="graph" attr.name="crs" attr.type="string" />
<graph edgedefault="directed"><data key="d1">epsg:4326</data>
<node id="900"><data key="d3">44.0</data><data key="d4">10.0</data></node>
<node id="101"><data key="d3">44.1</data><data key="d4">10.9</data></node>
<node id="102"><data key="d3">44.2</data><data key="d4">10.8</data></node>
<node id="10000000103"><data key="d3">44.3</data><data key="d4">10.7</data></node>
<edge source="102" target="101" id="0"><data key="d6">1</data><data key="d8">30.5</data></edge>
<edge source="102" target="10000000103" id="0"><data key="d8">20.25</data></edge>
<edge source="10000000103" target="102" id="0"><data key="d8">20.25</data></edge>
<edge source="10000000103" target="102" id="1"><data key="d8">18.0</data></edge>
<edge source="101" target="101" id="0"><data key="d8">5.0</data></edge>
</graph></graphml>
"""
