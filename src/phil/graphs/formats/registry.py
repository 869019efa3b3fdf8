"""All formats: files are read by content and written by file name extension."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from phil.arguments import FILE, FLAG, NOTHING, TEXT, of_type, takes
from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.graphs.checks import GRAPH
from phil.graphs.formats.format import Format, root_element
from phil.graphs.formats.source import errors_name, outside_allowed, read_head

# Modules that declare a `FORMAT`, imported in this order until one recognises a file: those that
# accept almost any text come last.
MODULES = (
    "phil.graphs.formats.npz",
    "phil.graphs.formats.image",
    "phil.graphs.formats.npy",
    "phil.graphs.formats.movingai",
    "phil.graphs.formats.voxels",
    "phil.graphs.formats.ros",
    "phil.rooms.mjcf",
    "phil.graphs.formats.graphml",
    "phil.graphs.formats.dimacs",
    "phil.graphs.formats.edge_list",
    "phil.graphs.formats.geojson",
)
PACKED = ".gz"
LONG_HEAD = 2**22  # bytes in which the root element of XML must begin

_registered: dict[str, Format] = {}  # by users


@takes(given=of_type("a Format", Format))
def register_format(given: Format) -> None:
    """Make a format available wherever PHIL reads, writes or searches for graphs.

    Registered formats take precedence over built-in ones. Registering another format of the same
    name replaces it.

    Parameters
    ----------
    given : Format
        The format to add.

    Examples
    --------
    >>> from pathlib import Path
    >>> import tempfile
    >>> import phil
    >>> def read_chain(path):
    ...     nodes = len(path.read_text().split("-"))
    ...     return phil.Graph.from_edges(nodes, [(k, k + 1) for k in range(nodes - 1)])
    >>> phil.register_format(phil.Format("chain", endings=(".chain",), read=read_chain))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "abc.chain"
    ...     _ = path.write_text("a-b-c")
    ...     phil.read_graph(path)
    Graph(nodes=3, edges=2, features=0, undirected)
    """
    _registered[given.name] = given


def formats() -> Iterator[Format]:
    """All formats, registered ones first."""
    yield from tuple(_registered.values())
    for name in MODULES:
        yield import_module(name).FORMAT


@takes(path=FILE, weight=TEXT | NOTHING)
def read_graph(
    path: str | Path, *, weight: str | None = None, allow_outside: bool | None = None
) -> AnyGraph:
    """Read a graph or map in any format, plain or gzipped, recognised by its content.

    Parameters
    ----------
    path : str or Path
        The file. Files that belong to it, such as DIMACS coordinates or a table of nodes, are
        found next to it.
    weight : str, optional
        The edge attribute to use as weight, in formats whose edges can have several, such as
        `travel_time` in GraphML. By default the one that the format prefers.
    allow_outside : bool, optional
        Whether the file may name files outside its own folder, such as the image of a ROS map or
        the meshes of a scene. Allow it only for files that you trust. By default it may not.

    Returns
    -------
    Graph or GridGraph

    Raises
    ------
    InputError
        If the file cannot be read, has an unknown format, is damaged, or has no such weight; the
        message names the file and, for text, the line.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "edges"
    ...     _ = path.write_text("source,target\\nhome,shop\\n")
    ...     read_graph(path)
    Graph(nodes=2, edges=1, features=0, undirected)
    """
    path = Path(path)
    found = recognise(path)
    if found is None or found.read is None:
        raise InputError(f"{path} does not have a known format. Known formats: {readable()}")
    if weight is not None and not found.weights:
        able = ", ".join(known.endings[0] for known in formats() if known.weights)
        raise InputError(
            f"{path} ({found.name}) gives no choice of weights; --weight is for graphs whose edges "
            f"have several attributes: {able}"
        )
    with errors_name(path), outside_allowed(allow_outside):
        return found.read(path) if weight is None else found.read(path, weight=weight)


def recognise(path: str | Path) -> Format | None:
    """The format of a file; None if it is unknown."""
    head = read_head(path)
    if root_element(head) == b"":
        head = read_head(path, LONG_HEAD)
    name = Path(path).name.lower().removesuffix(PACKED)
    return next((known for known in formats() if known.is_in(head, name)), None)


@takes(path=FILE, graph=GRAPH, mapped=FLAG)
def write_graph(path: str | Path, graph: AnyGraph | Any, *, mapped: bool = False) -> None:
    """Write a graph or map in the format given by the file name extension.

    Parameters
    ----------
    path : str or Path
        The file to write. `.npz` preserves everything. Graphs can also be written as `.graphml`;
        `.gr` with `.co` (DIMACS: weights become integers); `.csv` with `.nodes.csv`; `.geojson`
        (geographic coordinates only). Maps: `.png` and `.map` (2D) or `.3dmap` (3D), which hold
        the cells but not the rules for moves; or as graphs, with a node for every free cell and an
        edge for every move, labelled `ROW,COL` or `X,Y,Z`.
    graph : Graph or GridGraph
        What to write, or what `phil.search` takes for it.
    mapped : bool, optional
        For `.npz`: whether the arrays of the graph shall be mapped into memory when it is read,
        instead of copied. It then opens in about a second per 100 million edges, and all processes
        of a machine share its memory. The file is larger, since nothing is compressed.

    Raises
    ------
    InputError
        If no format with that extension holds such a graph, or if the file cannot be written; an
        existing file is then left unchanged.

    Examples
    --------
    >>> import tempfile
    >>> from phil.graphs import Graph
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "small.graphml"
    ...     write_graph(path, Graph.from_edges(2, [(0, 1)], labels=["home", "shop"]))
    ...     read_graph(path).labels
    ('home', 'shop')
    """
    path = Path(path)
    known: AnyGraph = graph
    if mapped:
        _write_mapped(path, known)
        return
    kind: Literal["graphs", "maps"] = "maps" if known.is_grid else "graphs"
    found = _writer(path, kind)
    if found is None and known.is_grid:
        found = _writer(path, "graphs")
        if found is not None:
            from phil.graphs.convert import from_grid

            known = from_grid(known)
    if found is None or found.write is None:
        able = [*(written("maps") if known.is_grid else ()), *written("graphs")]
        endings = ", ".join(dict.fromkeys(able))
        raise InputError(f"cannot write {path}: {kind} can be written to files ending in {endings}")
    with errors_name(path):
        found.write(path, known)


def _write_mapped(path: Path, graph: AnyGraph) -> None:
    from phil.graphs.formats import npz

    if path.suffix.lower() not in npz.FORMAT.endings:
        raise InputError(f"cannot write {path}: only .npz files are mapped into memory")
    with errors_name(path):
        npz.write_mapped_npz(path, graph)


def _writer(path: Path, kind: Literal["graphs", "maps"]) -> Format | None:
    """The format that writes graphs, or maps, to a file of this name."""
    ending = path.suffix.lower()
    return next((one for one in formats() if one.writes(kind) and ending == one.endings[0]), None)


def readable() -> str:
    """The names of all readable formats, for help texts and errors."""
    return "; ".join(known.name for known in formats() if known.read is not None)


def written(kind: Literal["graphs", "maps"]) -> list[str]:
    """The extensions with which graphs, or maps, can be written."""
    return list(dict.fromkeys(known.endings[0] for known in formats() if known.writes(kind)))


def file_endings() -> list[str]:
    """The extensions of all readable files."""
    found = (end for known in formats() if known.read is not None for end in known.endings)
    return list(dict.fromkeys(found))


def graph_files(folder: Path) -> list[Path]:
    """The files in a folder with a known extension, sorted; not hidden ones nor parts of others."""
    files: list[Path] = []
    parts: set[Path] = set()
    for file in sorted(folder.iterdir()):
        bare = file.with_suffix("") if file.suffix.lower() == PACKED else file
        ending = bare.suffix.lower()
        found = [known for known in formats() if known.read and ending in known.endings]
        if found and not file.name.startswith(".") and file.is_file():
            files.append(file)
            parts.update(part for known in found if known.parts for part in known.parts(file))
    return [file for file in files if file not in parts]
