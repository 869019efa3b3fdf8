"""A corpus of graph files: valid ones, and invalid ones with words of their errors."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
from PIL import Image

from phil.graphs.formats.mapped import write_aligned

Files = dict[str, bytes]  # contents by name; the first name is the one to read


def npz(**arrays: Any) -> bytes:
    stream = io.BytesIO()
    save: Callable[..., None] = np.savez_compressed
    save(stream, **{name: np.asarray(array) for name, array in arrays.items()})
    return stream.getvalue()


def mapped(**arrays: Any) -> bytes:
    """An archive whose arrays are mapped into memory."""
    stream = io.BytesIO()
    write_aligned(stream, {name: np.asarray(array) for name, array in arrays.items()})
    return stream.getvalue()


def mapped_pair(targets: list[int], **others: Any) -> bytes:
    """A mapped archive of two nodes."""
    ends = np.array([0, 1, 2])
    return mapped(**{"indptr": ends, "indices": np.array(targets, np.int32), **others})


def npy(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def objects() -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.array([[{}]], dtype=object), allow_pickle=True)
    return stream.getvalue()


def png(cells: Any) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(np.array(cells, np.uint8) * np.uint8(255)).save(stream, "png")
    return stream.getvalue()


def bomb(shape: str, name: str = "edge_index.npy") -> bytes:
    """A small archive with an array whose header promises a shape."""
    header = f"{{'descr': '<i8', 'fortran_order': False, 'shape': {shape}, }}".encode()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        content = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
        archive.writestr(name, content + bytes(10**6))
    return stream.getvalue()


def unpacking_bomb() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("edge_index.npy", bytes(10**8))
    return stream.getvalue()


def zipped(**members: bytes) -> bytes:
    """An archive of arrays given as the bytes of `.npy` files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return stream.getvalue()


def lying_bomb() -> bytes:
    """An archive with a member that says that it is small, but expands to 200 MB."""
    data = zipped(edge_index=bytes(2 * 10**8))
    return data.replace((2 * 10**8).to_bytes(4, "little"), (1000).to_bytes(4, "little"))


def doubled() -> bytes:
    """An archive with two arrays of one name."""
    data = zipped(edge_index=npy([[0], [1]]), edge_inde_=npy([[1], [0]]))
    return data.replace(b"edge_inde_", b"edge_index")


def encrypted() -> bytes:
    data = bytearray(zipped(edge_index=npy([[0], [1]])))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def graphml(body: str, keys: str = "", default: str = "undirected") -> bytes:
    return f'<graphml>{keys}<graph edgedefault="{default}">{body}</graph></graphml>'.encode()


def ros(
    pgm: bytes = b"P5\n# saved\n2 2\n255\n\xfe\0\xcd\xfe", more: str = "", **changes: str
) -> Files:
    """A `map.yaml` and its picture."""
    values = {
        "image": "map.pgm",
        "resolution": "0.05",
        "origin": "[-10.0, -2.5, 0.1]  # lower left",
        "negate": "0",
        "occupied_thresh": "0.65",
        "free_thresh": "0.196",
    } | changes
    text = "".join(f"{key}: {value}\n" for key, value in values.items())
    return {"map.yaml": (text + more).encode(), "map.pgm": pgm}


LONG = "\x1b[31m" * 10**4  # would colour and fill a screen
TWO = '<node id="a"/>\n<node id="b"/>\n'
WEIGHT = '<key id="w" for="edge" attr.name="weight" attr.type="double"/>'
OSMNX = b"""<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d4" for="edge" attr.name="geometry" attr.type="string" />
  <key id="d3" for="edge" attr.name="length" attr.type="string" />
  <key id="d2" for="edge" attr.name="osmid" attr.type="string" />
  <key id="d1" for="node" attr.name="x" attr.type="string" />
  <key id="d0" for="node" attr.name="y" attr.type="string" />
  <graph edgedefault="directed">
    <node id="1"><data key="d0">44.5</data><data key="d1">11.3</data></node>
    <node id="2"><data key="d0">44.6</data><data key="d1">11.4</data></node>
    <edge source="1" target="2" id="0"><data key="d2">7</data><data key="d3">33.5</data>
      <data key="d4">LINESTRING (11.3 44.5, 11.4 44.6)</data></edge>
    <edge source="1" target="2" id="1"><data key="d2">8</data><data key="d3">40</data></edge>
  </graph>
</graphml>
"""
LAUGHS = (
    '<!DOCTYPE lolz [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {"a" * k}a "{("&" + "a" * k + ";") * 10}">' for k in range(1, 9))
    + "]><graphml>&aaaaaaaaa;</graphml>"
).encode()

FILES: dict[str, tuple[tuple[Files, ...], dict[str, tuple[Files, str]]]] = {
    "graphml": (
        (
            {"graph.graphml": OSMNX},
            {"graph.graphml": graphml(TWO + '<edge source="a" target="b"/>')},
        ),
        {
            "billion laughs": ({"a.graphml": LAUGHS}, "line 1: document types and entities"),
            "external entity": (
                {"a.xml": b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<a>&x;</a>'},
                "line 1: document types and entities",
            ),
            "undeclared entity": (
                {"a": graphml(TWO + "&x;")},
                r"line 3: not well-formed XML \(undefined entity\)",
            ),
            "cut": ({"a.graphml": OSMNX[:-30]}, "not well-formed XML"),
            "deep": ({"a": b"<graphml>" + b"<a>" * 10**5}, "more than 64 nested elements"),
            "other XML": ({"a.xml": b"<html></html>"}, "must start with <graphml>, not 'html'"),
            "no graph": ({"a": b"<graphml></graphml>"}, "holds no <graph>"),
            "no node": ({"a": graphml("")}, "at least one <node>"),
            "duplicate id": (
                {"a": graphml(TWO + '<node id="a"/>')},
                "line 3: the node 'a'.*second",
            ),
            "unknown id": (
                {"a": graphml(TWO + '<edge source="a" target="c"/>')},
                "line 3: an edge ends at 'c'",
            ),
            "negative weight": (
                {
                    "a": graphml(
                        TWO + '<edge source="a" target="b"><data key="w">-1</data></edge>', WEIGHT
                    )
                },
                "line 3: 'weight' is -1; weights must not be negative",
            ),
            "nan weight": (
                {
                    "a": graphml(
                        TWO + '<edge source="a" target="b"><data key="w">NaN</data></edge>', WEIGHT
                    )
                },
                "line 3: 'weight' must be a finite number, not 'NaN'",
            ),
            "missing weight": (
                {
                    "a": graphml(
                        TWO
                        + '<edge source="a" target="b"><data key="w">1</data></edge>\n'
                        + '<edge source="b" target="a"/>',
                        WEIGHT,
                    )
                },
                "line 4: the edge has no 'weight'",
            ),
            "two graphs": (
                {"a": graphml('</graph>\n<graph edgedefault="directed">')},
                "line 2: a second graph",
            ),
            "direction": ({"a": graphml(TWO, default="both")}, "edgedefault must be directed or"),
            "10^9 numbers": (
                {
                    "a": graphml(
                        "".join(f'<node id="{k}"/>' for k in range(10**4)),
                        "".join(
                            f'<key id="{k}" for="node" attr.type="int"><default>1</default></key>'
                            for k in range(10**4)
                        ),
                    )
                },
                "declares 100000000 numbers",
            ),
            "long tag": (
                {"a": b'<graphml>\n<key id="' + b"a" * 10**7 + b'"/></graphml>'},
                "line 2: a tag or comment of more than 4194304 bytes",
            ),
            "long name": (
                {"a": b"<" + b"a" * 10**5 + b"/>"},
                "must start with <graphml>, not 'aaa",
            ),
            "long encoding": (
                {"a": b'<?xml version="1.0" encoding="' + b"a" * 10**5 + b'"?><graphml/>'},
                "line 1: ",
            ),
            "hyperedge": ({"a": graphml(TWO + "<hyperedge/>")}, "line 3: hyperedges"),
        },
    ),
    "dimacs": (
        (
            {
                "graph.gr": b"c roads\np sp 3 4\na 1 2 5\na 2 1 5\nc more\na 2 3 7\na 3 2 7\n",
                "graph.co": b"p aux sp co 3\nv 1 -73530767 41085396\nv 2 0 0\nv 3 1 1\n",
            },
            {"graph.gr": b"p sp 2 1\na 1 2 0.5\n"},
        ),
        {
            "10^12 nodes": ({"a.gr": b"p sp 1000000000000 1\na 1 2 3\n"}, "declares 10{12} nodes"),
            "10^12 arcs": (
                {"a.gr": b"p sp 2 1000000000000\na 1 2 3\n"},
                "line 2: 1 lines ",
            ),
            "10^4000 nodes": (
                {"a.gr": b"p sp 1" + b"0" * 4000 + b" 1\n"},
                "line 1: NODES and ARCS",
            ),
            "few arcs": (
                {"a.gr": b"p sp 2 2\na 1 2 3\n"},
                "line 2: 1 lines 'a', but the header says",
            ),
            "many arcs": ({"a.gr": b"p sp 2 0\na 1 2 3\n"}, "the header says 0"),
            "no header": ({"a.gr": b"c nothing\nc\n"}, "line 2: the file has no line"),
            "other problem": (
                {"a.gr": b"p max 2 1\n"},
                "line 1: expected 'p sp NODES ARCS'",
            ),
            "no node": ({"a.gr": b"p sp 0 0\n"}, "line 1: a graph needs at least one node"),
            "node 0": (
                {"a.gr": b"p sp 2 2\na 1 2 3\na 0 1 3\n"},
                "line 3: arc 0 to 1: nodes are numbered",
            ),
            "node 3": ({"a.gr": b"p sp 2 1\nc\n\na 1 3 3\n"}, "line 4: arc 1 to 3"),
            "negative": ({"a.gr": b"p sp 2 1\na 1 2 -3\n"}, "line 2: weight -3"),
            "nan": ({"a.gr": b"p sp 2 1\na 1 2 nan\n"}, "line 2: weight nan"),
            "infinite": ({"a.gr": b"p sp 2 1\na 1 2 1e999\n"}, "line 2: weight inf"),
            "text": ({"a.gr": b"p sp 2 1\na 1 2 x\n"}, "line 2: 'x' is not a number"),
            "fraction": (
                {"a.gr": b"p sp 2 1\na 1.5 2 3\n"},
                "line 2: '1.5' is not a node number",
            ),
            "fields": (
                {"a.gr": b"p sp 2 2\na 1 2 3\na 1 2\n"},
                "line 3: expected 'a FROM TO WEIGHT'",
            ),
            "letter": ({"a.gr": b"p sp 2 1\nb 1 2 3\n"}, "line 2: expected 'a FROM TO WEIGHT'"),
            "coordinates of others": (
                {"a.gr": b"p sp 2 1\na 1 2 3\n", "a.co": b"p aux sp co 1\nv 1 2 3\n"},
                r"a\.co has coordinates for 1 nodes",
            ),
            "duplicate coordinates": (
                {"a.gr": b"p sp 2 1\na 1 2 3\n", "a.co": b"p aux sp co 2\nv 1 2 3\nv 1 2 3\n"},
                r"a\.co has no coordinates for node 2",
            ),
            "place of no node": (
                {"a.gr": b"p sp 2 1\na 1 2 3\n", "a.co": b"p aux sp co 2\nv 1 2 3\nv 3 2 3\n"},
                r"a\.co, line 3: node 3",
            ),
        },
    ),
    "edge list": (
        (
            {
                "graph.csv": b"# directed\nsource,target,weight,lanes\na,b,1.5,2\nb,c,0,1\n",
                "graph.nodes.csv": b'id,lon,lat,size,name\na,11,44,1,"x, y"\nb,12,44,2,y\n'
                b"c,12,45,3,z\n",
            },
            {"graph.tsv": b"0\t1\t2.5\n1\t2\t1\n"},
            {"graph.txt": b"# SNAP\n# FromNodeId ToNodeId\n0 1\n0  2\r\n\n"},
            {"graph": b"\xef\xbb\xbfFrom;To;Weight\n1;2;3\n"},
        ),
        {
            "negative": ({"a.csv": b"0,1,2\n0,1,-2\n"}, "line 2: the weight is negative"),
            "nan": ({"a.csv": b"0,1,nan\n"}, "line 1: 'weight' must be a finite number, not 'nan'"),
            "text weight": (
                {"a.csv": b"source,target,weight\na,b,far\n"},
                "line 2: 'weight' must be",
            ),
            "fields": ({"a.csv": b"0,1,2\n\n0,1\n"}, "line 3: 2 fields, but there are 3 columns"),
            "columns": ({"a.csv": b"0,1,2,3\n"}, "line 1: 4 fields; without a header"),
            "twice": (
                {"a.csv": b"source,target,a,a\n0,1,2,3\n"},
                "line 1: the column 'a' appears twice",
            ),
            "no edges": ({"a.csv": b"# nothing\n"}, "has no edges"),
            "header alone": ({"a.csv": b"source,target\n"}, "a header but no edges"),
            "quotes": ({"a.csv": b'0,1\n"0,1\n'}, "line 2: the fields cannot be separated"),
            "no UTF-8": ({"a.csv": b"0,1\n\xff\xfe,1\n"}, "line 2: the bytes .* are not UTF-8"),
            "duplicate id": (
                {"a.csv": b"0,1\n", "a.nodes.csv": b"id,x,y\n0,1,1\n1,1,1\n0,2,2\n"},
                r"a\.nodes\.csv, line 4: the node '0' appears a second time",
            ),
            "unknown id": (
                {"a.csv": b"0,1\n1,2\n", "nodes.csv": b"id\n0\n1\n"},
                r"a\.csv, line 2: the node '2' is not in .*nodes\.csv",
            ),
            "missing place": (
                {"a.csv": b"0,1\n", "a.nodes.csv": b"id,x,y\n0,1,\n1,1,1\n"},
                r"a\.nodes\.csv, line 2: 'y' must be a finite number, not ''",
            ),
            "long label": (
                {"a.csv": b"0,1\n1,%s\n" % LONG.encode(), "a.nodes.csv": b"id\n0\n1\n"},
                r"line 2: the node '\\x1b\[31m.*\.\.\.' is not in",
            ),
            "no id": (
                {"a.csv": b"0,1\n", "a.nodes.csv": b"x,y\n0,1\n"},
                "line 1: a table of nodes",
            ),
            "node table": ({"a.csv": b"id,x,y\n0,1,2\n"}, "line 1: this is a table of nodes"),
        },
    ),
    "npz": (
        (
            {"graph.npz": npz(edge_index=[[0, 1], [1, 2]], coords=np.eye(3, 2), crs="lon,lat")},
            {
                "graph.npz": npz(
                    indptr=[0, 1, 2],
                    indices=[1, 0],
                    x_indptr=[0, 1, 1],
                    x_indices=[1],
                    x_shape=[2, 2],
                    labels=["a", "b"],
                    weights=[1.0, 1.0],
                )
            },
            {"graph.npz": npz(free=np.eye(3, dtype=bool), corners="both_free")},
            {"graph.npz": mapped_pair([1, 0], weights=[1.0, 1.0], symmetric=True)},
            {"graph.npz": mapped(free=np.eye(3, dtype=bool))},
        ),
        {
            "mapped: no such node": ({"a.npz": mapped_pair([1, 2])}, r"indices\[1\] = 2: node ids"),
            "mapped: falling": (
                {"a.npz": mapped_pair([1, 0], indptr=np.array([0, 5, 2]))},
                "indptr decreases after node 1",
            ),
            "mapped: weight": (
                {"a.npz": mapped_pair([1, 0], weights=[1.0, np.nan])},
                r"weights\[1\] = nan",
            ),
            "mapped: one end": ({"a.npz": mapped_pair([1, 1])}, "not all of its edges are stored"),
            "mapped: two weights": (
                {"a.npz": mapped_pair([1, 0], weights=[1.0, 2.0])},
                "not all of its edges are stored at both ends, with the same weight",
            ),
            "mapped: cut off": (
                {"a.npz": mapped_pair([1, 0])[:-100]},
                "damaged or truncated .npz",
            ),
            "mapped: moved": (
                {"a.npz": b"PK\3\4four more bytes" + mapped_pair([1, 0])},
                "damaged or truncated .npz.*not aligned",
            ),
            "10^12 nodes": (
                {"a.npz": npz(edge_index=[[0], [1]], num_nodes=10**12)},
                "declares 10{12}",
            ),
            "10^9 nodes": ({"a.npz": npz(edge_index=[[0], [10**9]])}, "declares 1000000001 nodes"),
            "10^12 numbers": (
                {
                    "a.npz": npz(
                        edge_index=[[0], [1]], x_indptr=[0, 0], x_indices=[], x_shape=[1, 10**12]
                    )
                },
                "integers|is implausible",
            ),
            "large sparse": (
                {
                    "a.npz": npz(
                        edge_index=[[0], [1]], x_indptr=[0, 0], x_indices=[0], x_shape=[1, 10**12]
                    )
                },
                "is implausible",
            ),
            "sparse out of range": (
                {
                    "a.npz": npz(
                        edge_index=[[0], [1]], x_indptr=[0, 1, 1], x_indices=[7], x_shape=[2, 2]
                    )
                },
                "not a CSR matrix",
            ),
            "sparse rows that decrease": (
                {
                    "a.npz": npz(
                        edge_index=[[0], [1]], x_indptr=[0, 9, 0], x_indices=[0], x_shape=[2, 2]
                    )
                },
                "not a CSR matrix .indptr must never decrease",
            ),
            "promised shape": (
                {"a.npz": bomb("(2, 1000000000000)")},
                r"a\.npz: edge_index is not a \.npy",
            ),
            "minus signs": (
                {
                    "a.npz": zipped(
                        edge_index=b"\x93NUMPY\1\0" + (9000).to_bytes(2, "little") + b"-" * 9000
                    )
                },
                "edge_index is not a .npy array",
            ),
            "impossible text": (
                {"a.npz": npz(edge_index=[[0], [1]], labels=np.array([0, 2**31], "u4").view("U1"))},
                "labels is not a .npy array.*characters that do not exist",
            ),
            "empty, but wide": (
                {"a.npz": npz(edge_index=np.zeros((2, 0), int), edge_attr=np.zeros((0, 10**9)))},
                "edge_attr is not a .npy array",
            ),
            "lies": ({"a.npz": lying_bomb()}, "damaged or truncated .npz"),
            "twice": ({"a.npz": doubled()}, "'edge_index' appears twice"),
            "encrypted": ({"a.npz": encrypted()}, "damaged or truncated .npz.*encrypted"),
            "objects": (
                {"a.npz": zipped(edge_index=objects())},
                "edge_index is not a .npy array.*Python objects",
            ),
            "least id": (
                {"a.npz": npz(edge_index=[[0], [-(2**63)]], num_nodes=2)},
                "node ids must be in",
            ),
            "greatest id": (
                {"a.npz": npz(edge_index=np.array([[0], [2**64 - 1]], np.uint64), num_nodes=2)},
                "node ids must be in",
            ),
            "falling indptr": (
                {"a.npz": npz(indptr=[0, 2, 1, 2], indices=[1, 0])},
                "indptr decreases after node 1",
            ),
            "overflowing indptr": (
                {"a.npz": npz(indptr=[0, 2**63 - 1, -(2**63), 2], indices=[1, 0])},
                "indptr decreases after node 1",
            ),
            "unpacks": ({"a.npz": unpacking_bomb()}, "expands to 100000000 bytes"),
            "cut": ({"a.npz": npz(edge_index=[[0], [1]])[:-20]}, "damaged or truncated .npz"),
            "no graph": ({"a.npz": npz(other=[1])}, "no graph: the file needs 'edge_index'"),
            "many graphs": ({"a.npz": npz(edge_index=[[0], [1]], ptr=[0, 2, 4])}, "holds 2 graphs"),
            "shape": ({"a.npz": npz(edge_index=[[0, 1]])}, "must have shape"),
            "id": ({"a.npz": npz(edge_index=[[0], [5]], num_nodes=3)}, "node ids must be in 0..2"),
            "negative id": ({"a.npz": npz(edge_index=[[-1], [1]])}, "node ids must be in"),
            "negative": ({"a.npz": npz(edge_index=[[0], [1]], weights=[-1.0])}, "non-negative"),
            "nan": ({"a.npz": npz(edge_index=[[0], [1]], weights=[np.nan])}, "must be finite"),
            "labels": (
                {"a.npz": npz(edge_index=[[0], [1]], labels=["a"])},
                "node ids must be in|labels",
            ),
            "long corners": (
                {"a.npz": npz(free=np.eye(3, dtype=bool), corners=LONG)},
                r"unknown corner rule '\\x1b\[31m",
            ),
            "long number": (
                {"a.npz": npz(edge_index=[[0], [1]], num_nodes=LONG)},
                r"num_nodes must be an integer, not '\\x1b\[31m",
            ),
            "long cost": (
                {"a.npz": npz(free=np.eye(3, dtype=bool), diagonal_cost=LONG)},
                r"diagonal_cost must be a number, not '\\x1b\[31m",
            ),
            "one way": ({"a.npz": npz(indptr=[0, 1, 1], indices=[1])}, "declared undirected"),
        },
    ),
    "map": (
        ({"graph.map": b"type octile\nheight 2\nwidth 3\nmap\n.@.\n..T\n"},),
        {
            "10^12 cells": (
                {"a.map": b"type octile\nheight 1000000\nwidth 1000000\nmap\n...\n"},
                "line 5: 3 letters, but the header says 1000000",
            ),
        },
    ),
    "png": (
        ({"graph.png": png([[1, 0], [1, 1]])},),
        {"cut": ({"a.png": png([[1, 0], [1, 1]])[:-20]}, "damaged or truncated PNG")},
    ),
    "npy": (
        ({"graph.npy": npy(np.eye(3, dtype=bool))},),
        {"cut": ({"a.npy": npy(np.eye(3, dtype=bool))[:-1]}, r"not a \.npy array")},
    ),
    "3dmap": (
        (
            {"graph.3dmap": b"voxel 4 3 2\n0 0 1\n3 2 1\n"},
            {"graph.3dmap": b" voxel\t1 2 3 \r\n\r\n0 1 2\r\n0 1 2"},
        ),
        {
            "10^12 voxels": (
                {"a.3dmap": b"voxel 10000 10000 10000\n"},
                "line 1: 10000 x 10000 x 10000 voxels; a map must have 1 to",
            ),
            "many digits": ({"a.3dmap": b"voxel 1" + b"0" * 4000 + b" 1 1\n"}, "line 1: a 3D map"),
            "no voxels": ({"a.3dmap": b"voxel 4 0 4\n"}, "line 1: 4 x 0 x 4 voxels"),
            "two sizes": ({"a.3dmap": b"voxel 4 4\n"}, "line 1: a 3D map starts with 'voxel W"),
            "negative size": ({"a.3dmap": b"voxel 4 4 -4\n"}, "line 1: a 3D map starts with"),
            "outside": (
                {"a.3dmap": b"voxel 4 3 2\n0 0 0\n\n0 3 0\n"},
                r"line 4: voxel \(0, 3, 0\) is off the map of 4 x 3 x 2",
            ),
            "negative": (
                {"a.3dmap": b"voxel 4 3 2\n0 0 0\n-1 0 0\n"},
                "line 3: a blocked voxel is three integers, x y z, not '-1 0 0'",
            ),
            "nan": ({"a.3dmap": b"voxel 4 3 2\nnan 0 0\n"}, "line 2: a blocked voxel .* 'nan 0 0'"),
            "fraction": ({"a.3dmap": b"voxel 4 3 2\n0.5 0 0\n"}, "line 2: a blocked voxel"),
            "huge": ({"a.3dmap": b"voxel 4 3 2\n1" + b"0" * 99 + b" 0 0\n"}, "line 2: a blocked"),
            "two numbers": ({"a.3dmap": b"voxel 4 3 2\n0 0 0\n1 1\n1\n"}, "line 3: .* not '1 1'"),
            "four numbers": ({"a.3dmap": b"voxel 4 3 2\n0 0 0 0\n"}, "line 2: a blocked voxel"),
            "blanks": ({"a.3dmap": b"voxel 4 3 2\n1" + b" " * 10**6 + b"x\n"}, "line 2: a blocked"),
        },
    ),
    "ros": (
        (
            ros(),
            ros(pgm=b"P2 # by hand\n2 # wide\n2\n15\n15 0 # first row\n7 15\n"),
            ros(pgm=b"P5\n1 2\n65535\n\xff\xff\0\0", mode="scale", negate="true"),
            {"map.yaml": ros()["map.yaml"], "map.pgm": png([[1, 0], [1, 1]])},
        ),
        {
            "no picture": ({"a.yaml": ros()["map.yaml"]}, r"cannot read .*map\.pgm: No such file"),
            "missing": ({"a.yaml": b"image: a.pgm\nnegate: 0\n"}, "resolution, origin, occupied_"),
            "twice": (ros(more="negate: 1\n"), "line 7: negate appears twice, first in line 4"),
            "nested": (ros(more="more:\n  x: 1\n"), "line 8: a line must be 'key: value'"),
            "mode": (ros(mode="grey"), "line 7: mode must be one of trinary, scale, raw, not 'gre"),
            "long mode": (ros(mode=LONG), r"line 7: mode must be one of .*, not '\\x1b\[31m"),
            "long flag": (ros(negate=LONG), r"line 4: negate must be 0 or 1, not '\\x1b\[31m"),
            "escapes": (ros(image="\x1b[31m.pgm"), r"line 1: image .* path of an image file, not"),
            "long path": (ros(image="a" * 10**4), r"line 1: image .* path of an image file, not"),
            "origin": (ros(origin="[0, 0]"), r"line 3: origin must be \[x, y, yaw\], not '\[0, 0"),
            "nan": (ros(origin="[0, nan, 0]"), "line 3: origin must be a number, not 'nan'"),
            "infinite": (ros(resolution="1e999"), "line 2: resolution must be a number"),
            "no resolution": (ros(resolution="0"), "line 2: resolution must be positive"),
            "flag": (ros(negate="2"), "line 4: negate must be 0 or 1, not '2'"),
            "threshold": (ros(free_thresh="1.5"), "line 6: free_thresh must be in 0..1"),
            "order": (
                ros(free_thresh="0.9"),
                "line 6: free_thresh must not be greater than occupied_thresh",
            ),
            "image": (ros(image="''"), "line 1: image must be the path of an image file"),
            "text": ({"a.yaml": b"image: \xff\n"}, "must be UTF-8 text"),
            "no PGM": (ros(pgm=b"GIF89a"), r"map\.pgm is not a PGM image"),
            "10^12 cells": (ros(pgm=b"P5 1000000 1000000 255\n..."), "has 1000000 x 1000000 cells"),
            "no cells": (ros(pgm=b"P5 0 5 255\n"), "has 5 x 0 cells"),
            "white": (ros(pgm=b"P5 1 1 65536\n."), "level of white must be in 1..65535, not 65536"),
            "cut": (ros(pgm=b"P5 2 2 255\n..."), "3 grey levels for 2 x 2"),
            "odd": (ros(pgm=b"P5 1 1 256\n."), "0 grey levels for 1 x 1"),
            "long": (ros(pgm=b"P2 1 1 255\n0 0"), "2 grey levels for 1 x 1"),
            "level": (ros(pgm=b"P2 1 1 255\n-1"), "'-' is not a grey level"),
            "above white": (
                ros(pgm=b"P2 1 1 15\n16"),
                "grey level 16 exceeds the level of white, 15",
            ),
            "huge level": (
                ros(pgm=b"P2 1 1 15\n1" + b"0" * 99),
                "'10{9}' is not a grey level",
            ),
            "no free cell": (ros(pgm=b"P5 1 1 255\n\0"), "no cell is free with the thresholds in"),
            "blanks": (ros(pgm=b"P5" + b"\n" * 10**6), "is not a PGM image"),
        },
    ),
}
