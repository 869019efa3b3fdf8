"""All problem sets: opening them by name or path, and listing them.

A source of problem sets is one module with a `SOURCE` (see `phil.problems.source`) and one line in
`SOURCES`; it is imported on demand. Listings, help texts and errors are derived from it.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from phil.arguments import FILE, FUNCTION, NOTHING, TEXT, WHOLE, is_path, takes
from phil.errors import LONGEST, InputError, unknown_name
from phil.files import missing_file, names_a_file
from phil.graphs import AnyGraph
from phil.graphs.checks import GRAPH
from phil.graphs.formats import read_graph
from phil.problems.folder import open_file, open_folder
from phil.problems.given import NAME, given_set
from phil.problems.lazy import by_graph
from phil.problems.pair_file import pair_file_set
from phil.problems.pairs import PAIRS
from phil.problems.parquet import ENDING, is_parquet, open_parquet, write_parquet
from phil.problems.problem import PROBLEM_SET, SPLITS, ProblemSet
from phil.problems.source import ProblemSource, SetInfo, SetOptions

# In the order of listings. `rooms` is an optional layer to the right of this one.
SOURCES = {
    "grids": "phil.problems.grids",
    "maps": "phil.problems.movingai",
    "generated": "phil.problems.generated.maps",
    "planning": "phil.problems.planning",
    "citations": "phil.problems.citations",
    "biology": "phil.problems.biology",
    "syntax_trees": "phil.problems.syntax_trees",
    "roads": "phil.problems.roads",
    "rooms": "phil.rooms.problems",
}

_registered: dict[str, Callable[[SetOptions], ProblemSet]] = {}


@takes(
    data=FILE | NOTHING,
    pairs=FILE | NOTHING,
    seed=WHOLE,
    count=WHOLE | NOTHING,
    weight=TEXT | NOTHING,
)
def open_set(
    name: str | Path | Any,
    *,
    data: str | Path | None = None,
    pairs: str | Path | None = None,
    seed: int = 0,
    count: int | None = None,
    weight: str | None = None,
) -> ProblemSet:
    """Open a problem set by name, or a map, graph, folder of either or Parquet file by path.

    Of Parquet files (see `phil.problems.parquet`), and of folders of more than 256 MB or 5,000
    files, graphs are read when their problems are used, so that a set may be larger than memory.

    Parameters
    ----------
    name : str, Path, graph or list
        A name listed by `phil problems`, such as `grids/mazes`, or a path. Or a graph, as for
        `phil.search`, on which random pairs are drawn; a list of graphs or maps, which are split
        like the files of a folder; or a list of problems, the last tenth of them for validation.
    data : Path, optional
        The folder of the public data; by default `PHIL_DATA`, then the user's cache.
    pairs : str, optional
        How starts and goals are chosen: `corners` (bottom-left to top-right), `random`, or a file
        of pairs (see `phil.problems.pair_file`). The default is `corners` for sets of 2D maps and
        `random` for everything else; planning sets have their own.
    seed : int, optional
        The seed for random pairs, for pairs drawn from a file, and for generated maps.
    count : int, optional
        The number of random training pairs and of test pairs, with a tenth as many for validation;
        or the number of pairs to draw from the whole of a file.
    weight : str, optional
        For files and folders: the edge attribute to use as weight (see `phil.read_graph`).

    Returns
    -------
    ProblemSet

    Raises
    ------
    InputError
        If there is no such set, its data is missing or damaged, or an option does not apply to it.

    Examples
    --------
    >>> import phil
    >>> phil.open_set("generated/mazes", pairs="random", count=20)
    ProblemSet('generated/mazes', train=20, validation=2, test=20)
    >>> phil.open_set(phil.GridGraph([[True] * 9] * 9))
    ProblemSet('given', train=600, validation=60, test=100)
    """
    data = None if data is None else Path(data)
    pairs = None if pairs is None else os.fspath(pairs)
    is_given = not is_path(name)
    if is_given and weight is not None:
        raise InputError("weight is for files; give a graph that has the weights")
    if pairs is not None and pairs not in PAIRS:
        if not os.path.exists(pairs):
            if names_a_file(pairs):
                raise missing_file(pairs, "file of pairs")
            raise InputError(f"{unknown_name('choice of pairs', pairs, PAIRS)}; or a file of pairs")
        if is_given:
            return pair_file_set(NAME, GRAPH.take(name, "open_set: name"), pairs, count, seed)
        name = os.fspath(name)
        return pair_file_set(name, _only_graph(name, data, weight), pairs, count, seed)
    if is_given:
        return given_set(name, pairs=pairs, seed=seed, count=count)
    name = os.fspath(name)
    is_named = name in _registered or _is_built_in(name, data)
    if is_named and weight is not None:
        raise InputError(f"--weight is for graph files; the weights of {name} are given")
    if name in _registered:
        return _registered[name](SetOptions(data, pairs or "random", seed, count))
    if is_named:
        source, _, member = name.partition("/")
        options = SetOptions(data, _choice_of_pairs(name, _source(source), pairs), seed, count)
        return _source(source).open(member, options)
    if os.path.exists(name) and is_parquet(Path(name)):
        if pairs is not None or count is not None or weight is not None:
            raise InputError(
                f"{name} holds problems with their starts, goals and weights; leave out --pairs, "
                "--count and --weight"
            )
        return open_parquet(Path(name))
    if os.path.isdir(name):
        return open_folder(Path(name), pairs=pairs, seed=seed, count=count, weight=weight)
    if os.path.exists(name):
        return open_file(Path(name), pairs=pairs, seed=seed, count=count, weight=weight)
    raise _unknown(name, data)


@takes(path=FILE, problems=PROBLEM_SET)
def write_set(path: str | Path, problems: ProblemSet | Any) -> None:
    """Write a problem set as a Parquet file, one row per graph, which `phil.open_set` opens.

    A set that is larger than memory is written graph by graph. Problems on one graph follow each
    other in the file. Needs pyarrow, of the extra `ray`.

    Parameters
    ----------
    path : str or Path
        The file to write, ending in `.parquet`.
    problems : ProblemSet
        The problem set, or what `phil.open_set` takes for one.

    Raises
    ------
    InputError
        If the file has another ending or cannot be written, or if a graph is not known in full.

    Examples
    --------
    >>> import tempfile
    >>> import phil
    >>> problems = phil.open_set("generated/mazes", pairs="random", count=3)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     phil.write_set(f"{folder}/maps.parquet", problems)
    ...     len(phil.open_set(f"{folder}/maps.parquet").train)
    3
    """
    path = Path(path)
    if path.suffix.lower() != ENDING:
        raise InputError(f"cannot write {path}: problem sets are written to files named *{ENDING}")
    write_parquet(path, problems)


@takes(name=TEXT, open=FUNCTION)
def register_problem_set(name: str, open: Callable[[SetOptions], ProblemSet]) -> None:
    """Make your own problem set available by name, in the library and in every command.

    Parameters
    ----------
    name : str
        A name `<source>/<set>`, with a source that is not built in.
    open : callable
        Makes the set from a `SetOptions` (`data`, `pairs`, `seed`, `count`); called whenever the
        set is opened.

    Raises
    ------
    InputError
        If the name has no slash, or if its source is built in.

    Examples
    --------
    >>> import phil
    >>> from phil.problems import single_graph_set
    >>> def ring(options):
    ...     graph = phil.Graph.from_edges(9, [(k, (k + 1) % 9) for k in range(9)])
    ...     return single_graph_set("mine/ring", graph, seed=options.seed, count=options.count)
    >>> phil.register_problem_set("mine/ring", ring)
    >>> phil.open_set("mine/ring", count=10)
    ProblemSet('mine/ring', train=10, validation=1, test=10)
    """
    source, slash, member = name.partition("/")
    if not (source and slash and member):
        raise InputError(f"a problem set is named SOURCE/SET, such as mine/maps, not {name!r}")
    if source in SOURCES:
        raise InputError(f"{name}: the source {source}/ is built in; choose another name")
    _registered[name] = open


def set_names(data: Path | None = None) -> Iterator[str]:
    """The names of all sets, including those whose data is missing."""
    for source in SOURCES:
        yield from (f"{source}/{member}" for member in _source(source).members(data))
    yield from _registered


@takes(data=FILE | NOTHING)
def list_sets(data: Path | None = None) -> list[SetInfo]:
    """List all named sets: whether and where their data was found, and their size.

    Parameters
    ----------
    data : Path, optional
        The folder of the public data; by default `PHIL_DATA`, then the user's cache.

    Returns
    -------
    list of SetInfo
    """
    data = None if data is None else Path(data)
    known = [
        _source(source).info(member, data)
        for source in SOURCES
        for member in _source(source).members(data)
    ]
    return [*known, *(SetInfo(name, True, "registered by a plugin") for name in _registered)]


def info_of(name: str, data: Path | None = None) -> SetInfo:
    """How many problems and graphs a set has, by name or path; lazy sets are not read."""
    opened = open_set(name, data=data)
    counts = {split: len(opened.split(split)) for split in SPLITS}
    return SetInfo(name, True, name, counts, graphs=len(by_graph(opened.all)))


def download_sets(
    names: Sequence[str],
    data: Path | None = None,
    *,
    place: str | None = None,
    report: Callable[[str], None] = lambda step: None,
) -> None:
    """Download sets by name, or all sets of a source, into a data folder (the user's cache).

    `place` is the place whose roads a set `roads/<name>` holds; `report` is called at each step.
    """
    by_source: dict[str, list[str]] = {}
    for name in names:
        by_source.setdefault(name.partition("/")[0], []).append(name)
    for source, chosen in by_source.items():
        downloader = _source(source).downloader if source in SOURCES else None
        if downloader is None:
            possible = [one for one in SOURCES if _source(one).downloader is not None]
            raise InputError(f"{chosen[0]} cannot be downloaded; sets of {', '.join(possible)} can")
        import_module(downloader).download(chosen, data, place=place, report=report)


def _unknown(name: str, data: Path | None) -> InputError:
    """The error for a name that is neither a problem set nor an existing file."""
    names = tuple(set_names(data))
    near = difflib.get_close_matches(name[:LONGEST], names, n=1, cutoff=0.8)
    source = (near or [name])[0].partition("/")[0]
    of_source = [one for one in names if one.partition("/")[0] == source]
    if names_a_file(name) and (not of_source or Path(name).suffix):
        error = missing_file(name, "file or folder")
        return InputError(f"{error} (nor a problem set of that name; list them: phil problems)")
    error = unknown_name("problem set", name, of_source or names)
    return InputError(f"{error}; or an existing map, graph or folder of maps")


def _is_built_in(name: str, data: Path | None) -> bool:
    source, _, member = name.partition("/")
    return source in SOURCES and member in _source(source).members(data)


def _source(name: str) -> ProblemSource:
    source: ProblemSource = import_module(SOURCES[name]).SOURCE
    return source


def _choice_of_pairs(name: str, source: ProblemSource, pairs: str | None) -> str:
    if pairs is None or pairs in source.pairs:
        return pairs or next(iter(source.pairs), "")
    if not source.pairs:
        raise InputError(f"the problems of {name} have fixed starts and goals; remove --pairs")
    raise InputError(f"{name} holds graphs, which have no {pairs}; remove --pairs")


def _only_graph(name: str, data: Path | None, weight: str | None) -> AnyGraph:
    """The graph that a file of pairs is for."""
    if os.path.isfile(name):
        return read_graph(name, weight=weight)
    opened = open_set(name, data=data, weight=weight)
    graphs = by_graph(opened.all)
    if len(graphs) > 1:
        raise InputError(
            f"{name} has {len(graphs)} graphs, but a file of pairs applies to one; give the path "
            "of that graph"
        )
    return opened.all[graphs[0][0]].graph
