"""GraphML files, including those of OSMnx.

Node ids become labels. Where the format leaves a choice:

- Weights: the chosen edge attribute, else `weight`, else `length`, else `travel_time`, else none.
- Coordinates: the node attributes `x` and `y`, else `lon` and `lat`, with `z` if present. They are
  degrees if named lon and lat, or if the graph's `crs` is epsg:4326, or if there is no `crs`, they
  are within -180..180 and -90..90, and edges have OSMnx's attribute `osmid`.
- Features: other node attributes of type boolean, int, long, float or double, in the order of their
  keys; likewise, edge attributes are edge features. Others, such as text and OSMnx's `geometry`,
  are ignored. (OSMnx writes all numbers as text: only its coordinates and weights are read.)
- Direction: one directed edge makes the graph directed; undirected edges then count both ways.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError, shortened
from phil.files import write_atomic
from phil.graphs.formats.format import Format
from phil.graphs.formats.graphml_document import GraphmlColumn, GraphmlDocument
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
from phil.graphs.formats.source import line_error, read_bytes
from phil.graphs.graph import Graph
from phil.graphs.grid import AXES
from phil.memory import check_memory

GEOGRAPHIC = "epsg:4326"
XML = (b"<", b"\xef\xbb\xbf<", b"\xff\xfe<", b"\xfe\xff\x00<")
FOREIGN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
FEW_NUMBERS = 2**24  # that any file may declare
NUMBER_BYTES = 32  # peak memory per number
NAMESPACE = "http://graphml.graphdrawing.org/xmlns"


def read_graphml(path: str | Path, weight: str | None = None) -> Graph:
    """Read a GraphML file, plain or gzipped; `weight` is the edge attribute to use as weight.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "small.graphml"
    ...     _ = path.write_text(
    ...         '<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/>'
    ...         '<edge source="a" target="b"/></graph></graphml>'
    ...     )
    ...     graph = read_graphml(path)
    >>> graph, graph.labels
    (Graph(nodes=2, edges=1, features=0, undirected), ('a', 'b'))
    """
    texts = PLACES.union(WEIGHTS, [] if weight is None else [weight])
    data = read_bytes(path)
    document = GraphmlDocument(path, data, texts)
    _check_numbers(path, document, len(data))
    places, geographic, features, names = _nodes(path, document)
    weights, edge_features = _edges(path, document, weight)
    pairs = np.array(document.ends, np.int64).reshape(-1, 2)
    one_way = np.array(document.one_way, bool)
    directed = bool(one_way.any())
    if directed:
        # An undirected edge in a directed graph becomes two edges.
        twice = np.flatnonzero(~one_way & (pairs[:, 0] != pairs[:, 1]))
        rows = np.concatenate([np.arange(len(pairs)), twice])
        pairs = np.concatenate([pairs, pairs[twice, ::-1]])
        edge_features = edge_features[rows]
        weights = None if weights is None else weights[rows]
    graph = Graph.from_edges(
        len(document.nodes),
        pairs,
        features,
        feature_names=names,
        edge_features=edge_features,
        weights=weights,
        labels=node_labels(list(document.nodes)),
        coordinates=places,
        geographic=geographic,
        directed=directed,
    )
    return with_places(graph)


def _check_numbers(path: str | Path, document: GraphmlDocument, size: int) -> None:
    """Reject a file with implausibly many numbers: a default stands for one per node or edge."""
    owners = {"node": len(document.nodes), "edge": len(document.one_way)}
    numbers = sum(count * len(document.columns[owner]) for owner, count in owners.items())
    most = max(FEW_NUMBERS, size)
    if numbers > most:
        raise InputError(
            f"{path} declares {numbers} numbers in {size} bytes; at most {most} are accepted: "
            "leave out keys with a <default>"
        )
    check_memory(NUMBER_BYTES * numbers, f"{path}: attributes of {numbers} numbers")


def _nodes(
    path: str | Path, document: GraphmlDocument
) -> tuple[NDArray[np.float64] | None, bool, NDArray[np.float64], list[str]]:
    """Coordinates, whether they are degrees, features and their names."""
    columns = list(document.columns["node"].values())
    given = {column.name: column for column in reversed(columns)}
    labels = list(document.nodes)

    def values(column: GraphmlColumn) -> NDArray[np.float64]:
        filled, missing = _filled(path, column, len(labels))
        if missing is not None:
            what = f"the node {shortened(labels[missing])} has no {shortened(column.name)}"
            raise InputError(f"{path}: {what}, unlike others; add it, or a <default> to its <key>")
        return filled

    places, geographic, used = None, False, place_names(given)
    if used:
        places = np.stack([values(given[name]) for name in used], axis=1)
        geographic = used[0] != "x" or _in_degrees(document, places)
    skipped = PLACES if used else frozenset()
    others = [column for column in columns if column.numeric and column.name not in skipped]
    features = [values(column) for column in others]
    stacked = np.stack(features, axis=1) if features else np.zeros((len(labels), 0))
    return places, geographic, stacked, [column.name for column in others]


def _in_degrees(document: GraphmlDocument, places: NDArray[np.float64]) -> bool:
    if document.crs:
        return document.crs.lower().replace(" ", "") == GEOGRAPHIC
    return document.osmnx and bool((np.abs(places[:, :2]) <= [180, 90]).all())


def _edges(
    path: str | Path, document: GraphmlDocument, chosen: str | None
) -> tuple[NDArray[np.float64] | None, NDArray[np.float64]]:
    """Weights and features of the edges."""
    columns = list(document.columns["edge"].values())
    count = len(document.edge_lines)
    names = [column.name for column in columns]
    weight = weight_name(names, chosen, str(path)) if count else None

    def values(column: GraphmlColumn) -> NDArray[np.float64]:
        filled, missing = _filled(path, column, count)
        if missing is not None:
            what = f"the edge has no {shortened(column.name)}, unlike others"
            raise line_error(path, document.edge_lines[missing], what)
        return filled

    weights = None
    if weight is not None:
        column = columns.pop(names.index(weight))
        weights = values(column)
        if (weights < 0).any():
            at = column.rows.index(int(np.argmax(weights < 0)))
            what = f"{shortened(weight)} is {column.values[at]:g}; weights must not be negative"
            raise line_error(path, column.lines[at], what)
    features = [values(column) for column in columns if column.numeric]
    return weights, np.stack(features, axis=1) if features else np.zeros((count, 0))


def _filled(
    path: str | Path, column: GraphmlColumn, size: int
) -> tuple[NDArray[np.float64], int | None]:
    """A column's values, and the first row without a value."""
    given = np.array(column.values, np.float64)
    bad = np.isnan(given)
    if bad.any():
        what = f"{shortened(column.name)} must be a finite number"
        raise line_error(path, column.lines[int(np.argmax(bad))], what)
    filled = np.full(size, column.default)
    filled[np.array(column.rows, np.int64)] = given
    missing = np.isnan(filled)
    return filled, int(np.argmax(missing)) if missing.any() else None


def write_graphml(path: Path, graph: Graph) -> None:
    """Write a graph as GraphML: labels as ids, coordinates as x, y (, z), weights as `weight`.

    Feature groups are omitted; features and edge features become attributes of type double.
    """
    _ = graph.nodes_by_label  # raises if labels are not unique
    features, names = own_features(graph)
    places = np.zeros((graph.num_nodes, 0)) if graph.coordinates is None else graph.coordinates
    axes = list(AXES[: places.shape[1]])
    node_keys = axes + column_names(names, taken=sorted(PLACES))
    edges = edges_of(graph)
    edge_keys = [f"feature_{column}" for column in range(edges.features.shape[1])]
    weights = np.zeros((len(edges.pairs), 0))
    if edges.weights is not None:
        edge_keys.insert(0, "weight")
        weights = edges.weights[:, None]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<graphml xmlns="{NAMESPACE}">']
    if graph.geographic:
        lines.append('<key id="crs" for="graph" attr.name="crs" attr.type="string"/>')
    for owner, keys in (("node", node_keys), ("edge", edge_keys)):
        lines += [
            f'<key id="{owner}{number}" for="{owner}" attr.name={_quoted(path, name)} '
            'attr.type="double"/>'
            for number, name in enumerate(keys)
        ]
    lines.append(f'<graph edgedefault="{"" if edges.directed else "un"}directed">')
    if graph.geographic:
        lines.append(f'<data key="crs">{GEOGRAPHIC}</data>')
    ids = [_quoted(path, graph.label(node)) for node in range(graph.num_nodes)]
    for node, data in zip(ids, _data("node", places, features), strict=True):
        lines.append(f"<node id={node}>{data}</node>")
    edge_data = _data("edge", weights, edges.features)
    for (left, right), data in zip(edges.pairs.tolist(), edge_data, strict=True):
        lines.append(f"<edge source={ids[left]} target={ids[right]}>{data}</edge>")
    lines += ["</graph>", "</graphml>", ""]
    write_atomic(path, "\n".join(lines).encode())


def _data(owner: str, doubles: NDArray[np.float64], singles: NDArray[np.float32]) -> Iterator[str]:
    """The <data> elements of every node or edge."""
    for row in number_rows(doubles, singles):
        yield "".join(
            f'<data key="{owner}{number}">{value}</data>' for number, value in enumerate(row)
        )


def _quoted(path: Path, text: str) -> str:
    from xml.sax.saxutils import quoteattr  # slow to import, and reading does not need it

    if FOREIGN.search(text):
        raise InputError(
            f"cannot write {path}: {shortened(text)} contains a character that XML cannot hold; "
            "write .npz instead"
        )
    return quoteattr(text)


def _is_xml(head: bytes, name: str) -> bool:
    return head.lstrip().startswith(XML)


FORMAT = Format(
    name="GraphML",
    endings=(".graphml", ".xml"),
    read=read_graphml,
    weights=True,
    write=write_graphml,
    recognise=_is_xml,
)
