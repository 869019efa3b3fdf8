"""A user's own maps or graphs: one file, or a folder of files, in any readable format.

If a folder has subfolders `train`, `validation` or `test`, they are the splits. A flat folder is
split 80/10/10 by file name, the same way on every machine and for every seed: a training map never
becomes a test map under another seed.

A folder of more than 256 MB or 5,000 files is not read at once: its graphs are read when they are
used (see `phil.problems.lazy`).

In a folder, only files with the extension of a graph format are read, and no files that belong to
others, such as the table of nodes of an edge list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.graphs.formats import read_graph
from phil.problems.folder_files import FLAT_MAPS, kind_of, names_digest, split_files
from phil.problems.lazy_folder import FolderRecipe
from phil.problems.pairs import SPLIT_COUNTS, single_graph_set, split_problems
from phil.problems.problem import SPLITS, ProblemSet, split_counts

MOST_BYTES = 2**28  # of the files of a folder that is read at once
MOST_FILES = 5000


def open_file(
    path: Path,
    *,
    pairs: str | None = None,
    seed: int = 0,
    count: int | None = None,
    weight: str | None = None,
) -> ProblemSet:
    """The problems of one graph: random pairs, or the `corners` of a map as one test problem."""
    graph = read_graph(path, weight=weight)
    if pairs == "corners":
        corners = split_problems({path.name: graph}, str(path.parent), pairs, seed, count)
        return ProblemSet(str(path), test=corners)
    return single_graph_set(str(path), graph, seed=seed, count=count)


def open_folder(
    folder: Path,
    *,
    pairs: str | None = None,
    seed: int = 0,
    count: int | None = None,
    weight: str | None = None,
) -> ProblemSet:
    """The problems of a folder of maps or graphs.

    By default `pairs` is `corners` for 2D maps and `random` for everything else. One random pair is
    drawn per 2D map; on graphs, enough pairs for at least 600 training, 60 validation and 100 test
    problems. `count` overrides these numbers (see `split_counts`).
    """
    splits = split_files(folder)
    files = [file for part in splits.values() for file in part]
    if len(files) > MOST_FILES or sum(file.stat().st_size for file in files) > MOST_BYTES:
        return _lazy_set(folder, splits, pairs, seed, count, weight)
    graphs = {
        split: {
            file.relative_to(folder).as_posix(): read_graph(file, weight=weight) for file in part
        }
        for split, part in splits.items()
    }
    return graphs_set(str(folder), graphs, pairs=pairs, seed=seed, count=count)


def graphs_set(
    name: str,
    splits: Mapping[str, Mapping[str, AnyGraph]],
    *,
    pairs: str | None = None,
    seed: int = 0,
    count: int | None = None,
) -> ProblemSet:
    """The problems of maps or graphs, by split and name; `pairs` and `count` as for a folder."""
    kind = _one_kind(name, [each for part in splits.values() for each in part.items()])
    chosen = pairs or _usual_pairs(kind)
    sizes = {split: len(part) for split, part in splits.items()}
    counts = _counts(sizes, kind, chosen, count)
    return ProblemSet(
        name,
        **{
            split: split_problems(part, name, chosen, seed, counts.get(split))
            for split, part in splits.items()
        },
    )


def _lazy_set(
    folder: Path,
    splits: Mapping[str, Sequence[Path]],
    pairs: str | None,
    seed: int,
    count: int | None,
    weight: str | None,
) -> ProblemSet:
    """The same problems on graphs that are read when they are used."""
    first = next(file for part in splits.values() for file in part)
    kind = kind_of(read_graph(first, weight=weight))
    chosen = pairs or _usual_pairs(kind)
    sizes = {split: len(part) for split, part in splits.items()}
    counts = _counts(sizes, kind, chosen, count)
    recipe = FolderRecipe(
        folder=str(folder),
        place=str(folder.resolve()),
        digest=names_digest(splits, folder),
        kind=kind,
        pairs=chosen,
        seed=seed,
        counts=tuple(counts.get(split) for split in SPLITS),
        weight=weight,
    )
    return ProblemSet(str(folder), *recipe.open().splits())


def _usual_pairs(kind: str) -> str:
    return "corners" if kind == FLAT_MAPS else "random"


def _counts(sizes: Mapping[str, int], kind: str, pairs: str, count: int | None) -> dict[str, int]:
    """The number of problems of each split, given its number of graphs."""
    usual = {split: _usual(split, graphs) for split, graphs in sizes.items()}
    return split_counts(usual if pairs == "random" and kind != FLAT_MAPS else {}, count)


def _usual(split: str, graphs: int) -> int:
    """The number of random pairs of a split: that of a single graph, rounded up to all graphs."""
    return graphs * -(-SPLIT_COUNTS[split] // max(1, graphs))


def _one_kind(name: str, graphs: Iterable[tuple[str, AnyGraph]]) -> str:
    kinds: dict[str, str] = {}
    for each, graph in graphs:
        kinds.setdefault(kind_of(graph), each)
    if len(kinds) > 1:
        found = " and ".join(f"{kind} ({Path(each).name})" for kind, each in kinds.items())
        raise InputError(f"{name} holds {found}; keep one kind in a folder")
    return next(iter(kinds))
