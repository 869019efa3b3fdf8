"""Problem sets by name, or by the path of a map, of a graph, or of a folder of them.

`grids/`, `generated/` and `planning/<family>` are maps, `rooms/<name>` 3D maps, `citations/`,
`biology/`, `roads/` and `syntax_trees/<name>` graphs. `grids/all` and `generated/all` are an equal
share of the maps of every family.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from phil.errors import InputError, unknown_name
from phil.graphs import AnyGraph, GridGraph
from phil.graphs.formats import read_graph
from phil.problems.folder import open_folder
from phil.problems.generated import FAMILIES, generate_maps
from phil.problems.graph_file import open_graph_file
from phil.problems.graph_sets import GRAPH_SOURCES, graph_set_names
from phil.problems.grids import find_family, measure_family, open_grids
from phil.problems.info import SetInfo, not_found
from phil.problems.pair_file import pair_file_set
from phil.problems.pairs import PAIRS, split_problems
from phil.problems.planning import BANDS, find_planning, open_planning, read_planning
from phil.problems.problem import ProblemSet
from phil.problems.splits import split_counts

GENERATED_COUNTS = {"train": 600, "validation": 100, "test": 100}
GENERATED_SHAPE = (201, 201)
ALL = "all"
NAMES = (
    *(f"{source}/{family}" for source in ("grids", "generated") for family in (*FAMILIES, ALL)),
    *(f"planning/{family}" for family in FAMILIES),
)


def open_set(
    name: str,
    *,
    data: Path | None = None,
    pairs: str | None = None,
    seed: int = 0,
    count: int | None = None,
) -> ProblemSet:
    """Open a problem set by its name, or a map, a graph or a folder of either by its path.

    `data` is the folder of the public data (else `PHIL_DATA`, then the user's cache). `pairs`
    chooses start and goal: `corners` (bottom-left to top-right), `random`, or a file of pairs (see
    `phil.problems.pair_file`); None is `corners` for sets of 2D maps and `random` for all else.
    Planning sets have goals of their own. `seed` is that of random pairs and starts and of
    generated maps. `count` is how many random pairs there are to learn from and to report, with a
    tenth of that to choose by, or how many pairs of a file are taken.
    """
    if pairs is not None and pairs not in PAIRS:
        if not os.path.exists(pairs):
            raise InputError(f"{unknown_name('choice of pairs', pairs, PAIRS)}; or a file of pairs")
        return pair_file_set(name, _only_graph(name, data), pairs, count)
    source, _, member = name.partition("/")
    if source in GRAPH_SOURCES and member in GRAPH_SOURCES[source].names(data):
        if pairs == "corners":
            raise InputError(f"{name} is of graphs, which have no corners; leave --pairs out")
        return GRAPH_SOURCES[source].open(member, data=data, seed=seed, count=count)
    if name in NAMES:
        return _open_maps(name, data, pairs or "corners", seed, count)
    if os.path.isdir(name):
        return open_folder(Path(name), pairs=pairs, seed=seed, count=count)
    if os.path.exists(name):
        return open_graph_file(Path(name), pairs=pairs, seed=seed, count=count)
    known = (*NAMES, *graph_set_names(data))
    raise InputError(
        f"{unknown_name('problem set', name, known)}; or an existing map, graph or folder of maps"
    )


def _open_maps(
    name: str, data: Path | None, pairs: str, seed: int, count: int | None
) -> ProblemSet:
    source, family = name.split("/")
    if family == ALL:
        parts = [_open_maps(f"{source}/{one}", data, pairs, seed, count) for one in FAMILIES]
        return _share_of_each(name, parts)
    if source == "grids":
        return open_grids(family, data=data, pairs=pairs, seed=seed, count=count)
    if source == "planning":
        if count is not None:
            raise InputError(f"{name} has three problems a map; leave --count out")
        return open_planning(family, data=data, pairs=pairs, seed=seed)
    return _open_generated(family, pairs, seed, count)


def _only_graph(name: str, data: Path | None) -> AnyGraph:
    """The graph that a file of pairs is for."""
    if os.path.isfile(name):
        return read_graph(name)
    graphs = {id(problem.graph): problem.graph for problem in open_set(name, data=data).all}
    if len(graphs) > 1:
        raise InputError(
            f"{name} has {len(graphs)} graphs, and a file of pairs is for one; name that graph's "
            "own file"
        )
    return next(iter(graphs.values()))


def list_sets(data: Path | None = None) -> list[SetInfo]:
    """All named sets: whether their data is found, where, and how large they are."""
    public = [_grids_info(family, data) for family in FAMILIES]
    generated = [
        SetInfo(f"generated/{family}", True, "made when opened", GENERATED_COUNTS, GENERATED_SHAPE)
        for family in FAMILIES
    ]
    return [
        *public,
        _all_info("grids", public),
        *generated,
        _all_info("generated", generated),
        *(_planning_info(family, data) for family in FAMILIES),
        *(
            sets.info(member, data)
            for sets in GRAPH_SOURCES.values()
            for member in sets.names(data)
        ),
    ]


def _share_of_each(name: str, sets: Sequence[ProblemSet]) -> ProblemSet:
    """As many problems as one set has, taken from all in turn."""
    splits = {}
    for split in ("train", "validation", "test"):
        shares = [problems.split(split) for problems in sets]
        count = min(len(share) for share in shares) // len(shares)
        splits[split] = tuple(share[k] for k in range(count) for share in shares)
    return ProblemSet(name, **splits)


def _all_info(source: str, families: Sequence[SetInfo]) -> SetInfo:
    name = f"{source}/{ALL}"
    missing = [info.name for info in families if not info.found]
    if missing:
        return SetInfo(name, False, f"needs {', '.join(missing)}")
    share = {
        split: min(info.counts[split] for info in families) // len(families) * len(families)
        for split in GENERATED_COUNTS
    }
    return SetInfo(name, True, "a share of each family", share, families[0].shape)


def _open_generated(family: str, pairs: str, seed: int, count: int | None) -> ProblemSet:
    name = f"generated/{family}"
    counts = split_counts({}, count)
    splits = {}
    for split, maps in GENERATED_COUNTS.items():
        grids = {
            f"{split}/{number}": GridGraph(free)
            for number, free in enumerate(generate_maps(family, maps, seed, split, GENERATED_SHAPE))
        }
        splits[split] = split_problems(grids, name, pairs, seed, counts.get(split))
    return ProblemSet(name, **splits)


def _grids_info(family: str, data: Path | None) -> SetInfo:
    name = f"grids/{family}"
    place = find_family(family, data)
    if place is None:
        return not_found(name, data)
    try:
        counts, shape = measure_family(place)
    except InputError as error:
        return SetInfo(name, False, str(error))
    return SetInfo(name, True, str(place), counts, shape)


def _planning_info(family: str, data: Path | None) -> SetInfo:
    name = f"planning/{family}"
    place = find_planning(family, data)
    if place is None:
        return not_found(name, data)
    try:
        splits = read_planning(family, data)
    except InputError as error:
        return SetInfo(name, False, str(error))
    counts = {split: BANDS * len(maps) for split, (maps, _) in splits.items()}
    _, rows, columns = splits["train"][0].shape
    return SetInfo(name, True, str(place), counts, (rows, columns))
