"""All formats: which one a file has, by content, and which one to write, by the name's ending."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Literal

from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.graphs.formats.format import Format
from phil.graphs.formats.source import errors_name, read_head

# Modules that declare a `FORMAT`, imported when files are first read, written or looked for. The
# first that recognises a file reads it, so those that take whatever looks like text come last.
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

_registered: dict[str, Format] = {}  # by users


def register_format(given: Format) -> None:
    """Make a format known wherever PHIL reads, writes or looks for graphs.

    A registered format is asked before the built-in ones whether it recognises a file. Registering
    another one of the same name replaces it.

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


def formats() -> tuple[Format, ...]:
    """All formats, those of users first."""
    return (*_registered.values(), *_built_in())


@cache
def _built_in() -> tuple[Format, ...]:
    return tuple(import_module(name).FORMAT for name in MODULES)


def read_graph(path: str | Path) -> AnyGraph:
    """Read a graph or map of any format, plain or gzip, recognised by its content.

    Parameters
    ----------
    path : str or Path
        The file. Files that belong to it, such as DIMACS coordinates or a table of nodes, are
        found beside it.

    Returns
    -------
    Graph or GridGraph

    Raises
    ------
    InputError
        If the file cannot be read, is not of a known format, or is damaged; the message names the
        file and, for text, the line.

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
        raise InputError(f"{path} is not of a known format. Known formats: {readable()}")
    with errors_name(path):
        return found.read(path)


def recognise(path: str | Path) -> Format | None:
    """The format of a file; None if it is none of those that are known."""
    head = read_head(path)
    name = Path(path).name.lower().removesuffix(PACKED)
    return next((known for known in formats() if known.is_in(head, name)), None)


def write_graph(path: str | Path, graph: AnyGraph) -> None:
    """Write a graph or map in the format that the ending of the file's name says.

    Parameters
    ----------
    path : str or Path
        Where to write. `.npz` holds all that a graph or map has. Graphs can also be written as
        `.graphml`; `.gr` with `.co` (DIMACS: weights become whole numbers); `.csv` with
        `.nodes.csv`; `.geojson` (geographic coordinates only). Maps: `.png` and `.map` (2D) or
        `.3dmap` (3D), which hold cells and not the rules of moves.
    graph : Graph or GridGraph
        What to write.

    Raises
    ------
    InputError
        If no format of that ending holds such a graph, or if the file cannot be written; a file
        that was there before then stays as it was.

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
    kind: Literal["graphs", "maps"] = "maps" if graph.is_grid else "graphs"
    for known in formats():
        if known.write is not None and known.writes(kind) and _ending(path) == known.endings[0]:
            with errors_name(path):
                return known.write(path, graph)
    what = "map" if graph.is_grid else "graph"
    raise InputError(
        f"cannot write {path}: the name of a {what} must end with {', '.join(written(kind))}"
    )


def readable() -> str:
    """The names of all formats that are read, for help texts and errors."""
    return "; ".join(known.name for known in formats() if known.read is not None)


def written(kind: Literal["graphs", "maps"]) -> list[str]:
    """The endings by which graphs, or maps, are written."""
    return list(dict.fromkeys(known.endings[0] for known in formats() if known.writes(kind)))


def file_endings() -> list[str]:
    """The endings of all files that are read."""
    found = (end for known in formats() if known.read is not None for end in known.endings)
    return list(dict.fromkeys(found))


def graph_files(folder: Path) -> list[Path]:
    """The files of a folder that hold graphs or maps, by their endings, in order of their names.

    Hidden files are left out, and those that only belong to another one's graph.
    """
    files: list[Path] = []
    parts: set[Path] = set()
    for file in sorted(folder.iterdir()):
        bare = file.with_suffix("") if file.suffix.lower() == PACKED else file
        found = [
            known
            for known in formats()
            if known.read is not None and _ending(bare) in known.endings
        ]
        if found and not file.name.startswith(".") and file.is_file():
            files.append(file)
            parts.update(part for known in found if known.parts for part in known.parts(file))
    return [file for file in files if file not in parts]


def _ending(path: Path) -> str:
    return path.suffix.lower()
