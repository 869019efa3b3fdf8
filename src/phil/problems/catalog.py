"""Problem sets by name, or a folder of maps.

`grids/`, `generated/` and `planning/<family>` are maps, `citations/`, `biology/`, `roads/` and
`syntax_trees/<name>` graphs. `grids/all` and `generated/all` are an equal share of the maps of
every family.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from phil.errors import InputError, unknown_name
from phil.problems.folder import open_folder
from phil.problems.generated import FAMILIES, generate_maps
from phil.problems.graph_sets import GRAPH_SOURCES, graph_set_names
from phil.problems.grids import find_family, measure_family, open_grids
from phil.problems.info import SetInfo, not_found
from phil.problems.pairs import map_problem
from phil.problems.planning import BANDS, find_planning, open_planning, read_planning
from phil.problems.problem import ProblemSet

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
    pairs: str = "corners",
    seed: int = 0,
    count: int | None = None,
) -> ProblemSet:
    """Open a problem set by its name, or a folder of PNG or .npy maps by its path.

    `data` is the folder of the public data (else `PHIL_DATA`, then the user's cache). `pairs`
    chooses start and goal on maps: `corners` (bottom-left to top-right) or `random`; planning sets
    have goals of their own, and graphs, without corners, always random pairs. `seed` is that of
    random pairs and starts and of generated maps. `count` is how many test problems a set of
    graphs has.
    """
    if count is not None and count < 1:
        raise InputError(f"count: at least one problem, not {count}")
    source, _, member = name.partition("/")
    if source in GRAPH_SOURCES and member in GRAPH_SOURCES[source].names(data):
        return GRAPH_SOURCES[source].open(member, data=data, seed=seed, count=count)
    if name in NAMES:
        source, family = name.split("/")
        if family == ALL:
            parts = [
                open_set(f"{source}/{one}", data=data, pairs=pairs, seed=seed) for one in FAMILIES
            ]
            return _share_of_each(name, parts)
        if source == "grids":
            return open_grids(family, data=data, pairs=pairs, seed=seed)
        if source == "planning":
            return open_planning(family, data=data, pairs=pairs, seed=seed)
        return _open_generated(family, pairs, seed)
    if os.path.isdir(name):
        return open_folder(Path(name), pairs=pairs, seed=seed)
    if os.path.exists(name):
        raise InputError(f"{name} is a file; a problem set is a name or a folder of maps")
    known = (*NAMES, *graph_set_names(data))
    raise InputError(f"{unknown_name('problem set', name, known)}; or an existing folder of maps")


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


def _open_generated(family: str, pairs: str, seed: int) -> ProblemSet:
    name = f"generated/{family}"
    return ProblemSet(
        name,
        **{
            split: tuple(
                map_problem(free, name, f"{split}/{number}", pairs, seed)
                for number, free in enumerate(
                    generate_maps(family, count, seed, split, GENERATED_SHAPE)
                )
            )
            for split, count in GENERATED_COUNTS.items()
        },
    )


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
