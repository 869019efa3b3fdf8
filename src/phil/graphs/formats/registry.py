"""All formats: which one a file has, by content, and which one to write, by the name's ending."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TypeVar

from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.graphs.formats.dimacs import read_dimacs, write_dimacs
from phil.graphs.formats.edge_list import is_header, read_edge_list, write_edge_list
from phil.graphs.formats.geojson import write_geojson
from phil.graphs.formats.graphml import read_graphml, write_graphml
from phil.graphs.formats.image import PNG_SIGNATURE, read_map, write_png
from phil.graphs.formats.movingai import read_movingai_map, write_movingai_map
from phil.graphs.formats.npy import SIGNATURE as NPY_SIGNATURE
from phil.graphs.formats.npz import read_npz, write_npz
from phil.graphs.formats.ros import read_ros_map
from phil.graphs.formats.source import naming, read_head
from phil.graphs.formats.table import split_row
from phil.graphs.formats.voxels import read_3dmap, write_3dmap
from phil.graphs.graph import Graph
from phil.graphs.grid import GridGraph

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
XML = (b"<", b"\xef\xbb\xbf<", b"\xff\xfe<", b"\xfe\xff\x00<")
TEXT_TABLES = (".csv", ".tsv", ".txt", ".edges", ".edgelist")

Writer = TypeVar("Writer", bound=Callable[..., None])


@dataclass(frozen=True)
class Format:
    """A format that is read."""

    name: str
    is_in: Callable[[bytes, str], bool]  # by the first bytes and, where they do not tell, the name
    read: Callable[[str | Path], AnyGraph]


def read_graph(path: str | Path) -> AnyGraph:
    """The graph or map of a file of any format, plain or gzip, recognised by content.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "edges"
    ...     _ = path.write_text("source,target\\nhome,shop\\n")
    ...     read_graph(path)
    Graph(nodes=2, edges=1, features=0, undirected)
    """
    found = recognise(path)
    if found is None:
        names = "; ".join(known.name for known in FORMATS)
        raise InputError(f"{path} is of no known format. Known: {names}")
    with naming(path):
        return found.read(path)


def recognise(path: str | Path) -> Format | None:
    """The format of a file; None if it is none of those that are known."""
    head = read_head(path)
    name = Path(path).name.lower().removesuffix(".gz")
    return next((known for known in FORMATS if known.is_in(head, name)), None)


def write_graph(path: str | Path, graph: AnyGraph) -> None:
    """Write a graph or map in the format that the name's ending says.

    `.npz` holds all that a graph or map has. Graphs: `.graphml`; `.gr` with `.co` (whole numbers as
    weights: see `dimacs`); `.csv` with `.nodes.csv`; `.geojson` (geographic coordinates only).
    Maps: `.png` and `.map` (2D), `.3dmap` (3D), which hold cells and not the rules of moves.
    """
    path = Path(path)
    with naming(path):
        if graph.is_grid:
            _writer(path, GRID_WRITERS, "map")(path, graph)
        else:
            _writer(path, GRAPH_WRITERS, "graph")(path, graph)


def _writer(path: Path, writers: dict[str, Writer], kind: str) -> Writer:
    if path.suffix.lower() not in writers:
        endings = ", ".join(writers)
        raise InputError(f"cannot write {path}: the name of a {kind} must end with {endings}")
    return writers[path.suffix.lower()]


def _starts(*signatures: bytes) -> Callable[[bytes, str], bool]:
    return lambda head, name: head.startswith(signatures)


def _matches(pattern: bytes) -> Callable[[bytes, str], bool]:
    return lambda head, name: re.search(pattern, head) is not None


def _is_xml(head: bytes, name: str) -> bool:
    return head.lstrip().startswith(XML)


def _is_dimacs(head: bytes, name: str) -> bool:
    """Comments, then a line `p`; or comments alone, as far as the first bytes go."""
    lines = [line.split() for line in head.splitlines() if line.strip()]
    rest = [words for words in lines if words[0] != b"c"]
    return bool(lines) and (rest[0][0] == b"p" if rest else lines[0][0] == b"c")


def _is_edge_list(head: bytes, name: str) -> bool:
    """A header that names both ends, or a number for each; with any other text the name tells."""
    if b"\0" in head:
        return False
    text = head.decode("utf-8-sig", "ignore")
    rows = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if not rows:
        return text.startswith("#")
    fields = split_row(rows[0])
    if len(fields) < 2:
        return False
    numbered = all(field.removeprefix("-").isdecimal() for field in fields[:2])
    return numbered or is_header(fields) or name.endswith(TEXT_TABLES)


def _read_mjcf(path: str | Path) -> AnyGraph:
    """Rooms are an optional layer to the right of this one: imported when a file needs them."""
    room: GridGraph = import_module("phil.rooms.mjcf").read_mjcf(path)
    return room


def _read_picture(path: str | Path) -> GridGraph:
    return GridGraph(read_map(path))


FORMATS = (
    Format("PNG picture of a map", _starts(PNG_SIGNATURE), _read_picture),
    Format(".npy map", _starts(NPY_SIGNATURE), _read_picture),
    Format(".npz graph or map", _starts(*ZIP), read_npz),
    Format("MovingAI .map", _matches(rb"^\s*type\s+octile"), read_movingai_map),
    Format("Warframe .3dmap", _matches(rb"^\s*voxel\s"), read_3dmap),
    Format("ROS map.yaml", _matches(rb"(?m)^image\s*:"), read_ros_map),
    Format("MuJoCo scene (MJCF)", _matches(rb"<mujoco[\s>/]"), _read_mjcf),
    Format("GraphML", _is_xml, read_graphml),
    Format("DIMACS .gr", _is_dimacs, read_dimacs),
    Format("CSV or TSV edge list (source,target,weight)", _is_edge_list, read_edge_list),
)
GRAPH_WRITERS: dict[str, Callable[[Path, Graph], None]] = {
    ".npz": write_npz,
    ".graphml": write_graphml,
    ".gr": write_dimacs,
    ".csv": write_edge_list,
    ".geojson": write_geojson,
}
GRID_WRITERS: dict[str, Callable[[Path, GridGraph], None]] = {
    ".npz": write_npz,
    ".png": write_png,
    ".map": write_movingai_map,
    ".3dmap": write_3dmap,
}
