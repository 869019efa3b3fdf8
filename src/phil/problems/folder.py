"""A user's own maps or graphs: one file, or a folder of files, in any readable format.

If a folder has subfolders `train`, `validation` or `test`, they are the splits. A flat folder is
split 80/10/10 by file name, the same way on every machine and for every seed: a training map never
becomes a test map under another seed.

In a folder, only files with the extension of a graph format are read, and no files that belong to
others, such as the table of nodes of an edge list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.graphs.formats import read_graph
from phil.graphs.formats.registry import file_endings, graph_files
from phil.problems.pairs import SPLIT_COUNTS, single_graph_set, split_problems
from phil.problems.problem import SPLITS, ProblemSet, shuffled_split, split_counts

FLAT_MAPS = "2D maps"


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
    try:
        splits = _split_files(folder)
    except OSError as error:
        raise InputError(f"cannot read {folder}: {error.strerror or error}") from error
    files = [file for part in splits.values() for file in part]
    if not files:
        raise InputError(
            f"{folder} holds no maps or graphs; put files ending in {', '.join(file_endings())} "
            "into it, or into its subfolders train, validation and test"
        )
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
    chosen = pairs or ("corners" if kind == FLAT_MAPS else "random")
    usual = {split: _usual(split, len(part)) for split, part in splits.items()}
    many = chosen == "random" and kind != FLAT_MAPS
    counts = split_counts(usual if many else {}, count)
    return ProblemSet(
        name,
        **{
            split: split_problems(part, name, chosen, seed, counts.get(split))
            for split, part in splits.items()
        },
    )


def _usual(split: str, graphs: int) -> int:
    """The number of random pairs of a split: that of a single graph, rounded up to all graphs."""
    return graphs * -(-SPLIT_COUNTS[split] // max(1, graphs))


def _one_kind(name: str, graphs: Iterable[tuple[str, AnyGraph]]) -> str:
    kinds: dict[str, str] = {}
    for each, graph in graphs:
        kinds.setdefault(_kind(graph), each)
    if len(kinds) > 1:
        found = " and ".join(f"{kind} ({Path(each).name})" for kind, each in kinds.items())
        raise InputError(f"{name} holds {found}; keep one kind in a folder")
    return next(iter(kinds))


def _kind(graph: AnyGraph) -> str:
    return {0: "graphs", 2: FLAT_MAPS, 3: "3D maps"}[graph.axes]


def _split_files(folder: Path) -> dict[str, list[Path]]:
    flat = graph_files(folder)
    split_folders = [split for split in SPLITS if (folder / split).is_dir()]
    if not split_folders:
        names = shuffled_split(file.name for file in flat)
        return {split: [folder / name for name in part] for split, part in names.items()}
    if flat:
        raise InputError(
            f"{folder} holds both maps or graphs ({flat[0].name}) and a folder "
            f"{split_folders[0]}; move the files into train, validation or test, or elsewhere"
        )
    return {split: graph_files(folder / split) for split in split_folders}
