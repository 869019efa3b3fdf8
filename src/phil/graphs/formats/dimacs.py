"""The DIMACS challenge's shortest-path graphs (`.gr`) and their coordinates (`.co`).

A `.gr` file has comments (`c ...`), one line `p sp NODES ARCS` and a line `a FROM TO WEIGHT` for
every arc. Nodes are numbered from 1; the numbers become labels. If every arc has an identical arc
in the other direction, the graph is undirected. A `.co` file, either given or of the same name in
the same folder, has `p aux sp co NODES` and a line `v NODE X Y` for every node. Integers of up to
180 and 90 million are millionths of a degree, as in the challenge's files; other coordinates are
planar.

Weights in `.gr` files are integers. Other weights are written as rounded multiples of a power of
ten, chosen so that the largest has nine or ten digits; a comment holds the unit and is read back.
"""

from __future__ import annotations

import io
import itertools
import math
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError, shortened
from phil.files import write_together
from phil.graphs.formats.format import Format
from phil.graphs.formats.shared import check_nodes, with_places
from phil.graphs.formats.source import beside, line_error, numbered_lines, read_bytes
from phil.graphs.graph import Graph
from phil.graphs.symmetry import is_symmetric

LONGEST = 15  # digits of a node number or count
LARGEST = 2**31  # programs store weights in 32 bits
UNIT = "c weights are in units of"
PLANE = "c coordinates are not degrees"
PER_DEGREE = 1e6


@dataclass(frozen=True)
class Listing:
    """The counts in the header of a file, and the content of its lines."""

    counts: list[int]
    ids: NDArray[np.int64]  # (lines, 2) of arcs, (lines, 1) of coordinates
    numbers: NDArray[np.float64]
    comments: list[str]  # the comments before the header that `write_dimacs` writes
    size: int  # bytes, decompressed


@dataclass(frozen=True)
class Kind:
    """The differences between `.gr` and `.co` files."""

    header: tuple[str, ...]
    counts: tuple[str, ...]
    letter: str
    ids: tuple[str, ...]
    numbers: tuple[str, ...]


ARCS = Kind(("p", "sp"), ("NODES", "ARCS"), "a", ("FROM", "TO"), ("WEIGHT",))
PLACES = Kind(("p", "aux", "sp", "co"), ("NODES",), "v", ("NODE",), ("X", "Y"))


def read_dimacs(path: str | Path, coordinates: str | Path | None = None) -> Graph:
    """Read a `.gr` file, plain or gzipped, with the coordinates of its `.co` file if there is one.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "small.gr"
    ...     _ = path.write_text("c three nodes\\np sp 3 2\\na 1 2 7\\na 2 3 5\\n")
    ...     read_dimacs(path)
    Graph(nodes=3, edges=2, features=0, directed)
    """
    listing = _read(path, ARCS)
    nodes = listing.counts[0]
    check_nodes(path, nodes, listing.size)
    pairs = listing.ids - 1
    weights = listing.numbers[:, 0]
    bad = (pairs < 0).any(axis=1) | (pairs >= nodes).any(axis=1)
    if bad.any():
        at = int(np.argmax(bad))
        arc = " to ".join(map(str, listing.ids[at].tolist()))
        raise _line_error(path, ARCS, at, f"arc {arc}: nodes are numbered 1..{nodes}")
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        at = int(np.argmax(bad))
        what = f"weight {weights[at]:g}: weights must be finite and non-negative"
        raise _line_error(path, ARCS, at, what)
    order = np.argsort(pairs[:, 0], kind="stable")
    pairs, weights = pairs[order], weights[order] * _unit(listing.comments)
    if coordinates is None:
        coordinates = beside(path, ".co")
    places, geographic = (
        (None, False) if coordinates is None else _read_places(coordinates, nodes, path)
    )
    indptr = np.concatenate([[0], np.cumsum(np.bincount(pairs[:, 0], minlength=nodes))])
    graph = Graph(
        indptr,
        pairs[:, 1],
        weights=weights,
        labels=[str(number) for number in range(1, nodes + 1)],
        coordinates=places,
        geographic=geographic,
        directed=not is_symmetric(*pairs.T, weights),
    )
    return with_places(graph)


def write_dimacs(path: Path, graph: Graph) -> None:
    """Write a graph as a `.gr` file, and its coordinates as a `.co` file of the same name.

    Nodes are numbered from 1. Labels, features, edge features and a third coordinate are omitted.
    Degrees are rounded to millionths.
    """
    source = graph.sources + 1
    weights, comments = _whole(np.ones(source.size) if graph.weights is None else graph.weights)
    rows = zip(source.tolist(), (graph.indices + 1).tolist(), weights.tolist(), strict=True)
    arcs = [f"a {left} {right} {weight}" for left, right, weight in rows]
    lines = [*comments, f"p sp {graph.num_nodes} {source.size}", *arcs, ""]
    files = {path: "\n".join(lines).encode()}
    places = path.with_suffix(".co")
    if graph.coordinates is not None:
        files[places] = _places_text(graph.coordinates, graph.geographic).encode()
    elif places.exists():
        raise InputError(
            f"{places} exists and would be read as the coordinates of {path}, which has none; "
            "remove it or choose another name"
        )
    write_together(files)


def _whole(weights: NDArray[np.float64]) -> tuple[NDArray[np.int64], list[str]]:
    """Weights as integers, and the comment that states their unit."""
    largest = float(weights.max(initial=0))
    if largest < LARGEST and (weights == np.round(weights)).all():
        return weights.astype(np.int64), []
    power = min(300, math.floor(math.log10(LARGEST) - math.log10(largest)))
    whole = np.round(weights * 10.0**power)
    return whole.astype(np.int64), [f"{UNIT} 1e{-power}"]


def _unit(comments: list[str]) -> float:
    units = [line.removeprefix(UNIT).strip() for line in comments if line.startswith(UNIT)]
    matches = [unit for unit in units if re.fullmatch(r"1e-?\d{1,3}", unit)]
    return float(matches[0]) if matches else 1.0


def _places_text(coordinates: NDArray[np.float64], geographic: bool) -> str:
    comments = [] if geographic else [PLANE]
    places = np.round(coordinates * PER_DEGREE) if geographic else coordinates
    lines = [
        f"v {node} {_number(x)} {_number(y)}"
        for node, (x, y) in enumerate(places[:, :2].tolist(), start=1)
    ]
    return "\n".join([*comments, f"p aux sp co {len(lines)}", *lines, ""])


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)


def _read_places(
    path: str | Path, nodes: int, graph: str | Path
) -> tuple[NDArray[np.float64], bool]:
    listing = _read(path, PLACES)
    if listing.counts != [nodes]:
        raise InputError(
            f"{path} has coordinates for {listing.counts[0]} nodes, but {graph} has {nodes} nodes; "
            "use the file that belongs to it"
        )
    numbers = listing.ids[:, 0]
    places = np.full((nodes, 2), np.nan)
    wrong = (numbers < 1) | (numbers > nodes)
    if wrong.any():
        at = int(np.argmax(wrong))
        what = f"node {numbers[at]}: nodes are numbered 1..{nodes}"
        raise _line_error(path, PLACES, at, what)
    infinite = ~np.isfinite(listing.numbers).all(axis=1)
    if infinite.any():
        raise _line_error(path, PLACES, int(np.argmax(infinite)), "coordinates must be finite")
    places[numbers - 1] = listing.numbers
    missing = np.isnan(places[:, 0])
    if missing.any():  # as many lines as nodes, so another node is listed twice
        raise InputError(f"{path} has no coordinates for node {int(np.argmax(missing)) + 1}")
    degrees = places / PER_DEGREE
    geographic = (
        PLANE not in listing.comments
        and bool((places == np.round(places)).all())
        and bool((np.abs(degrees) <= [180, 90]).all())
    )
    return (degrees if geographic else places), geographic


def _read(path: str | Path, kind: Kind) -> Listing:
    data = read_bytes(path)
    counts, comments, start = _header(path, data, kind)
    ids, numbers = _bulk(data[start:], kind) or _line_by_line(path, data, kind)
    if len(ids) != counts[-1]:
        lines = data.count(b"\n") + (not data.endswith(b"\n"))
        what = f"{len(ids)} lines '{kind.letter}', but the header says {counts[-1]}"
        raise line_error(path, lines, what)
    return Listing(counts, ids, numbers, comments, len(data))


def _header(path: str | Path, data: bytes, kind: Kind) -> tuple[list[int], list[str], int]:
    """The counts in the line `p`, the comments before it, and the offset of the next line."""
    comments: list[str] = []
    number = start = 0
    wanted = " ".join((*kind.header, *kind.counts))
    stream = io.BytesIO(data)
    for number, line in enumerate(stream, start=1):
        text = line.decode("utf-8", "replace").strip()
        words = text.split()
        start = stream.tell()
        if not words or words[0].startswith("c"):
            comments += [text] if text.startswith((UNIT, PLANE)) else []
            continue
        counts = words[len(kind.header) :]
        if tuple(words[: len(kind.header)]) != kind.header or len(counts) != len(kind.counts):
            raise line_error(path, number, f"expected '{wanted}', not {shortened(text)}")
        if not all(count.isdecimal() and len(count) <= LONGEST for count in counts):
            raise line_error(path, number, f"{' and '.join(kind.counts)} must be integers")
        if int(counts[0]) < 1:
            raise line_error(path, number, "a graph needs at least one node")
        return [int(count) for count in counts], comments, start
    raise line_error(path, number, f"the file has no line '{wanted}'")


def _bulk(body: bytes, kind: Kind) -> tuple[NDArray[np.int64], NDArray[np.float64]] | None:
    """All lines at once; None if any line is invalid."""
    if b"\nc" in body or body.startswith(b"c"):
        body = re.sub(rb"(?m)^c.*$", b"", body)
    fields = [("letter", "S2")]
    fields += [(name, "i8") for name in kind.ids] + [(name, "f8") for name in kind.numbers]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            table = np.loadtxt(io.BytesIO(body), np.dtype(fields), comments=None, ndmin=1)
    except (ValueError, OverflowError, Warning):
        return None
    if not (table["letter"] == kind.letter.encode()).all():
        return None
    ids = np.stack([table[name] for name in kind.ids], axis=1)
    return ids, np.stack([table[name] for name in kind.numbers], axis=1)


def _line_by_line(
    path: str | Path, data: bytes, kind: Kind
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The slow way, which finds the invalid line."""
    ids: list[int] = []
    numbers: list[float] = []
    wanted = " ".join((kind.letter, *kind.ids, *kind.numbers))
    for number, words in _entries(data):
        split = 1 + len(kind.ids)
        if len(words) != split + len(kind.numbers) or words[0] != kind.letter:
            shown = shortened(" ".join(words))
            raise line_error(path, number, f"expected '{wanted}', not {shown}")
        for word in words[1:split]:
            if not (word.isdecimal() and len(word) <= LONGEST):
                raise line_error(path, number, f"{shortened(word)} is not a node number")
            ids.append(int(word))
        for word in words[split:]:
            try:
                numbers.append(float(word))
            except ValueError:
                raise line_error(path, number, f"{shortened(word)} is not a number") from None
    return (
        np.array(ids, np.int64).reshape(-1, len(kind.ids)),
        np.array(numbers, np.float64).reshape(-1, len(kind.numbers)),
    )


def _entries(data: bytes) -> Iterator[tuple[int, list[str]]]:
    """The words of each line after the header, with its line number."""
    begun = False
    for number, line in numbered_lines(data):
        words = line.decode("utf-8", "replace").split()
        if words and not words[0].startswith("c"):
            if begun:
                yield number, words
            begun = True


def _line_error(path: str | Path, kind: Kind, entry: int, what: str) -> InputError:
    """The error for an entry that was parsed in bulk."""
    number, _ = next(itertools.islice(_entries(read_bytes(path)), entry, None))
    return line_error(path, number, what)


def _is_dimacs(head: bytes, name: str) -> bool:
    """Whether the file starts with comments and then a line `p`, as far as the head shows."""
    lines = [line.split() for line in head.splitlines() if line.strip()]
    rest = [words for words in lines if words[0] != b"c"]
    return bool(lines) and (rest[0][0] == b"p" if rest else lines[0][0] == b"c")


FORMAT = Format(
    name="DIMACS .gr",
    endings=(".gr",),
    read=read_dimacs,
    write=write_dimacs,
    recognise=_is_dimacs,
)
