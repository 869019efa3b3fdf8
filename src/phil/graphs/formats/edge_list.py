"""Edge lists in text files (CSV, TSV and similar), with an optional table of nodes.

Each line is an edge, `source,target,weight`; the weight is optional. With a header, columns may be
in any order, and there may be more; the ends are named source and target, from and to, u and v, or
src and dst. The weight is the chosen column, else `weight`, else `length`, else `travel_time`; all
other numeric columns are edge features. A graph is undirected unless `directed` is given, or the
comment `# directed` precedes the first row.

The table of nodes is the given file, else `NAME.nodes.csv` next to `NAME.csv`, else `nodes.csv` in
the same folder. It has a header with a column `id`. Columns x, y (and z) are coordinates, or lon
and lat in degrees; all other numeric columns are features. Without a table, the nodes are those of
the edges, in order of appearance.

A column is numeric if its first value is a number; other columns are ignored.
"""

from __future__ import annotations

import itertools
import re
from array import array
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError, shortened
from phil.files import write_together
from phil.graphs.formats.format import Format
from phil.graphs.formats.shared import (
    PLACES,
    WEIGHTS,
    column_names,
    edges_of,
    node_labels,
    number_rows,
    own_features,
    place_names,
    weight_name,
    with_places,
)
from phil.graphs.formats.source import beside, neighbour
from phil.graphs.formats.table import COMMENT, Numbers, Table, column_positions, split_row
from phil.graphs.graph import Graph
from phil.graphs.grid import AXES

# Not `.txt`, which may be anything: such a file is read only if it is named explicitly.
ENDINGS = (".csv", ".tsv", ".edges", ".edgelist")
ENDS = (("source", "target"), ("from", "to"), ("u", "v"), ("src", "dst"))
PLAIN = ("source", "target", "weight")  # the columns without a header
DIRECTED = "directed"
ID = "id"
KNOWN = PLACES.union(WEIGHTS, *ENDS, [ID])
QUOTED = re.compile('[,;\t"#]|^\\s|\\s$|^$')


@dataclass(frozen=True)
class Nodes:
    """The content of a table of nodes."""

    labels: dict[str, int]
    coordinates: NDArray[np.float64] | None
    geographic: bool
    features: NDArray[np.float64] | None
    names: list[str] | None


NO_TABLE = Nodes({}, None, False, None, None)


def read_edge_list(
    path: str | Path,
    nodes: str | Path | None = None,
    *,
    directed: bool = False,
    weight: str | None = None,
) -> Graph:
    """Read an edge list, plain or gzipped, and the table of nodes that belongs to it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "edges.csv"
    ...     _ = path.write_text("source,target,weight\\na,b,2.5\\nb,c,1\\n")
    ...     graph = read_edge_list(path)
    >>> graph, graph.labels
    (Graph(nodes=3, edges=2, features=0, undirected), ('a', 'b', 'c'))
    """
    found = _node_table(path) if nodes is None else nodes
    known = NO_TABLE if found is None else _read_nodes(found)
    labels = dict(known.labels)
    table = Table(path)
    rows = table.rows()
    first = next(rows, None)
    if first is None:
        raise InputError(f"{path} has no edges; an edge is a line 'source,target,weight'")
    positions, has_header = _edge_columns(table, first)
    source, target = _ends(positions) or PLAIN[:2]
    ends = positions.pop(source), positions.pop(target)
    chosen = weight_name(positions, weight, str(path))
    numbers = Numbers(table, positions, [] if chosen is None else [chosen])
    pairs = array("q")
    width = len(first)
    for row in rows if has_header else itertools.chain([first], rows):
        if len(row) != width:
            raise table.wrong_width(row, width)
        for end in ends:
            label = row[end]
            if label not in labels:
                if found is not None:
                    raise table.error(
                        f"the node {shortened(label)} is not in {found}; add it there"
                    )
                labels[label] = len(labels)
            pairs.append(labels[label])
        numbers.add(row)
    weights = None if chosen is None else numbers.columns([chosen])[:, 0]
    if weights is not None and (weights < 0).any():
        raise _negative(path, int(np.argmax(weights < 0)), has_header)
    if not labels:
        raise InputError(f"{path} has a header but no edges, and there is no table of nodes")
    graph = Graph.from_edges(
        len(labels),
        np.array(pairs, np.int64).reshape(-1, 2),
        known.features,
        feature_names=known.names,
        edge_features=numbers.columns([name for name in numbers.names if name != chosen]),
        weights=weights,
        labels=node_labels(list(labels)),
        coordinates=known.coordinates,
        geographic=known.geographic,
        directed=directed or DIRECTED in table.comments,
    )
    return with_places(graph)


def is_header(names: Sequence[str]) -> bool:
    """Whether a first row names the columns of an edge list."""
    return _ends([name.strip().lower() for name in names]) is not None


def _ends(names: Collection[str]) -> tuple[str, str] | None:
    return next((pair for pair in ENDS if pair[0] in names and pair[1] in names), None)


def _edge_columns(table: Table, first: Sequence[str]) -> tuple[dict[str, int], bool]:
    """The position of each column, and whether the first row is a header."""
    if is_header(first):
        return column_positions(table, first, KNOWN), True
    if ID in (name.lower() for name in first):
        raise table.error("this is a table of nodes; give the file with the edges")
    if len(first) not in (2, 3):
        raise table.error(
            f"{len(first)} fields; without a header an edge is 'source,target' or "
            "'source,target,weight'"
        )
    return {name: position for position, name in enumerate(PLAIN[: len(first)])}, False


def _negative(path: str | Path, edge: int, has_header: bool) -> InputError:
    table = Table(path)
    for _ in itertools.islice(table.rows(), edge + has_header + 1):
        pass
    return table.error("the weight is negative; weights must be finite and non-negative")


def _node_table(path: str | Path) -> Path | None:
    return beside(path, ".nodes.csv") or neighbour(path, "nodes.csv")


def _read_nodes(path: str | Path) -> Nodes:
    table = Table(path)
    rows = table.rows()
    first = next(rows, [])
    positions = column_positions(table, first, KNOWN)
    if ID not in positions:
        raise table.error(f"a table of nodes must have a header with a column {ID!r}")
    at = positions.pop(ID)
    places = place_names(positions)
    numbers = Numbers(table, positions, places)
    labels: dict[str, int] = {}
    for row in rows:
        if len(row) != len(first):
            raise table.wrong_width(row, len(first))
        label = row[at]
        if label in labels:
            raise table.error(f"the node {shortened(label)} appears a second time")
        labels[label] = len(labels)
        numbers.add(row)
    if not labels:
        raise InputError(f"{path} has a header but no nodes; a graph needs at least one")
    skipped = PLACES if places else frozenset()
    names = [name for name in numbers.names if name not in skipped]
    coordinates = numbers.columns(places) if places else None
    geographic = bool(places) and places[0] != "x"
    return Nodes(labels, coordinates, geographic, numbers.columns(names), names)


def write_edge_list(path: Path, graph: Graph) -> None:
    """Write a graph as `NAME.csv` and `NAME.nodes.csv`.

    Feature groups and the names of edge features are omitted.
    """
    _ = graph.nodes_by_label  # raises if labels are not unique
    labels = [_field(path, graph.label(node)) for node in range(graph.num_nodes)]
    features, names = own_features(graph)
    places = np.zeros((graph.num_nodes, 0)) if graph.coordinates is None else graph.coordinates
    axes = list(("lon", "lat", "z") if graph.geographic else AXES)[: places.shape[1]]
    taken = sorted(KNOWN)
    heads = [ID, *axes, *(_field(path, name) for name in column_names(names, taken))]
    node_rows = number_rows(places, features)
    node_lines = [",".join((label, *row)) for label, row in zip(labels, node_rows, strict=True)]
    edges = edges_of(graph)
    weights = np.zeros((len(edges.pairs), 0))
    heads_of_edges = [*PLAIN[:2]]
    if edges.weights is not None:
        heads_of_edges.append(PLAIN[2])
        weights = edges.weights[:, None]
    heads_of_edges += [f"feature_{column}" for column in range(edges.features.shape[1])]
    edge_rows = zip(edges.pairs.tolist(), number_rows(weights, edges.features), strict=True)
    edge_lines = [",".join((labels[left], labels[right], *row)) for (left, right), row in edge_rows]
    comments = [f"# {DIRECTED}"] if edges.directed else []
    nodes = path.with_suffix(".nodes.csv")
    write_together(
        {
            path: _text([*comments, ",".join(heads_of_edges), *edge_lines]),
            nodes: _text([",".join(heads), *node_lines]),
        }
    )


def _text(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _field(path: Path, text: str) -> str:
    if "\n" in text or "\r" in text or not _is_utf8(text):
        raise InputError(
            f"cannot write {path}: {shortened(text)} contains a character that a line of text "
            "cannot hold; write .npz instead"
        )
    quoted = text.replace('"', '""')
    return f'"{quoted}"' if QUOTED.search(text) else text


def _is_utf8(text: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _is_edge_list(head: bytes, name: str) -> bool:
    """Whether there is a header with both ends, or two numbers; else the file name decides."""
    if b"\0" in head:
        return False
    text = head.decode("utf-8-sig", "ignore")
    rows = [line for line in text.splitlines() if line.strip() and not line.startswith(COMMENT)]
    if not rows:
        return text.startswith(COMMENT)
    fields = split_row(rows[0])
    if len(fields) < 2:
        return False
    numbered = all(field.removeprefix("-").isdecimal() for field in fields[:2])
    return numbered or is_header(fields) or name.endswith((*ENDINGS, ".txt"))


def _parts(path: Path) -> list[Path]:
    """A table of nodes, `nodes.csv` or `NAME.nodes.csv`, is not a graph itself."""
    stem = path.name.lower().removesuffix(".gz").rsplit(".", 1)[0]
    return [path] if stem.split(".")[-1] == "nodes" else []


FORMAT = Format(
    name="CSV or TSV edge list (source,target,weight)",
    endings=ENDINGS,
    read=read_edge_list,
    weights=True,
    write=write_edge_list,
    recognise=_is_edge_list,
    parts=_parts,
)
