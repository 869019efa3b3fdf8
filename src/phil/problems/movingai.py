"""`maps/<name>`: random pairs on many different maps, for heuristics that carry over to any map.

- `maps/movingai`: the 2D maps of the MovingAI benchmarks (Sturtevant, 2012) in the data folder,
  `maps/<family>/<map>.map`: games, cities, mazes, rooms and random obstacles. Splits are by map: no
  test map is ever seen in training. Diagonal moves must not cut corners.
- `maps/any`: the same maps, the eight families of `grids/` and random worlds, with all rules for
  moving: 8 moves with and without cutting corners, and 4 moves. `phil:map` is trained on it.
- `maps/voxels`: boxes cut from the 3D maps of the benchmarks (Brewer and Sturtevant, 2018), with 6
  and 26 moves; in training, a third of the problems are in generated worlds. `phil:voxels` is
  trained on it.

A pair is drawn uniformly from the cells that are connected; the draw depends only on the seed, the
split and the names of the maps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.graphs.formats.movingai import read_movingai_map
from phil.graphs.formats.voxels import read_3dmap
from phil.graphs.stencil import Corners
from phil.problems.data_files import data_folders
from phil.problems.generated import FAMILIES
from phil.problems.generated.spaces import generate_world
from phil.problems.generated.worlds import random_world
from phil.problems.grids import read_family
from phil.problems.pairs import PairDraw, seeded
from phil.problems.problem import Problem, ProblemSet, split_counts
from phil.problems.source import ProblemSource, SetInfo, SetOptions, not_found

MEMBERS = ("movingai", "any", "voxels")
FLAT = (
    *("bg512", "cities", "da2", "dao", "mapf", "mazes", "random"),
    *("rooms", "sc1", "wc3maps512"),
)
VOXELS = "warframe3d"

# Maps that are not for training, by family; all others are.
VALIDATION = {
    "bg512/AR0300SR", "cities/Denver_0_512", "cities/Milan_0_512", "da2/ht_mansion2b",
    "dao/orz103d", "dao/den011d", "mapf/room-64-64-8", "mazes/maze512-16-0",
    "rooms/32room_000", "wc3maps512/harvestmoon",
}  # fmt: skip
TEST = {
    "bg512/AR0602SR", "bg512/AR0400SR", "cities/Paris_0_512", "cities/London_0_512",
    "da2/w_woundedcoast", "dao/brc202d", "dao/den520d", "dao/lak303d", "mazes/maze512-8-0",
    "random/random512-20-0", "rooms/16room_000", "sc1/BigGameHunters", "wc3maps512/duskwood",
}  # fmt: skip
COUNTS = {"train": 1200, "validation": 100, "test": 260}
# Further problems of `maps/any`.
OF_FAMILIES = {"train": 800, "validation": 80, "test": 0}
OF_WORLDS = {"train": 1200, "validation": 60, "test": 0}

# Rules for moving: 8 moves without cutting corners most often, as in games.
Rule = tuple[int, Corners]
RULES: tuple[Rule, ...] = ((8, "both_free"), (8, "both_free"), (8, "allow"), (4, "allow"))

VOXEL_MAPS = {"train": ("Simple", "A1", "EC2"), "validation": ("A1", "EC2"), "test": ("Complex",)}
VOXEL_COUNTS = {"train": 600, "validation": 60, "test": 100}
GENERATED = {"train": 3}  # one of this many problems of a split is in a generated world
BOX = 56  # cells per side
FEWEST_FREE = 0.3  # share of a box


def open_maps(name: str, options: SetOptions) -> ProblemSet:
    """The problems of a set of many maps."""
    full = f"maps/{name}"
    if name == "voxels":
        counts = split_counts(VOXEL_COUNTS, options.count)
        voxels = {split: _voxels(full, split, counts[split], options) for split in counts}
        return ProblemSet(
            full,
            **{
                split: _in_turn(list(found), full, split, options)
                for split, found in voxels.items()
            },
        )
    counts = split_counts(COUNTS, options.count)
    splits: dict[str, tuple[Problem, ...]] = {}
    for split, count in counts.items():
        maps = {key: read_movingai_map(path).free for key, path in _files(split, options.data)}
        rules = RULES if name == "any" else RULES[:1]
        drawn = list(_problems(full, split, maps, count, rules, options.seed))
        if name == "any":
            share = OF_FAMILIES[split] * count // COUNTS[split]
            drawn += _of_families(full, split, share, options)
            share = OF_WORLDS[split] * count // COUNTS[split]
            drawn += _of_worlds(full, split, share, options.seed)
        splits[split] = _in_turn(drawn, full, split, options)
    return ProblemSet(full, **splits)


def maps_info(name: str, data: Path | None) -> SetInfo:
    """Information about a set of many maps."""
    full = f"maps/{name}"
    folder = find_maps(data)
    if folder is None or (name == "voxels" and not (folder / VOXELS).is_dir()):
        return not_found(full, data)
    return SetInfo(full, True, str(folder), VOXEL_COUNTS if name == "voxels" else COUNTS)


SOURCE = ProblemSource("maps", members=lambda data: MEMBERS, open=open_maps, info=maps_info)


def find_maps(data: Path | None = None) -> Path | None:
    """The folder of the benchmark's maps, if found."""
    for folder in data_folders(data):
        for maps in (folder / "maps", folder):
            if any((maps / family).is_dir() for family in FLAT):
                return maps
    return None


def need_maps(data: Path | None = None) -> Path:
    """Like `find_maps`, but missing maps are an error."""
    folder = find_maps(data)
    if folder is None:
        looked = " or ".join(map(str, data_folders(data)))
        raise InputError(
            f"no MovingAI maps (maps/{FLAT[0]}/*.map, ...) in {looked}; fetch them from "
            "movingai.com/benchmarks and name their folder with --data or PHIL_DATA"
        )
    return folder


def split_of(name: str) -> str:
    """The split of a map, named `<family>/<map>`.

    >>> split_of("dao/den520d")
    'test'
    """
    return "validation" if name in VALIDATION else "test" if name in TEST else "train"


def _files(split: str, data: Path | None) -> Iterator[tuple[str, Path]]:
    folder = need_maps(data)
    for family in FLAT:
        for path in sorted((folder / family).glob("*.map")):
            name = f"{family}/{path.stem}"
            if split_of(name) == split:
                yield name, path


def _problems(
    full: str,
    split: str,
    maps: Mapping[str, NDArray[np.bool_]],
    count: int,
    rules: tuple[Rule, ...],
    seed: int,
) -> Iterator[Problem]:
    """So many problems on the maps in turn, each map with all rules in turn."""
    each = -(-count // max(1, len(maps)))
    left = count
    for name, free in maps.items():
        random = seeded(seed, full, split, name)
        several = [
            (GridGraph(free, connectivity=k, corners=c), k, c) for k, c in dict.fromkeys(rules)
        ]
        draws = {(k, c): (grid, PairDraw(grid, name)) for grid, k, c in several}
        for number in range(min(each, left)):
            grid, draw = draws[rules[number % len(rules)]]
            yield Problem(grid, *draw.pair(random), f"{full}/{split}/{name}/{number}")
        left -= min(each, left)


def _of_families(full: str, split: str, count: int, options: SetOptions) -> Iterator[Problem]:
    """Problems on maps of the eight families, one a map."""
    each = count // len(FAMILIES)
    for family in FAMILIES if each else ():
        found = read_family(family, options.data)[split]
        maps = {f"{family}/{number}": free for number, free in list(found.items())[:each]}
        for number, (name, free) in enumerate(maps.items()):
            # The families' own rule is that corners may be cut.
            rule: Rule = ((8, "allow"), (8, "both_free"))[number % 4 == 3]
            yield from _problems(full, split, {name: free}, 1, (rule,), options.seed)


def _of_worlds(full: str, split: str, count: int, seed: int) -> Iterator[Problem]:
    """Problems on random worlds, one each."""
    number = 0
    random = seeded(seed, full, split, "worlds")
    while number < count:
        connectivity, corners = RULES[number % len(RULES)]
        grid = GridGraph(random_world(random), connectivity=connectivity, corners=corners)
        name = f"worlds/{number}"
        try:
            pair = PairDraw(grid, name).pair(random)
        except InputError:  # no two cells are connected
            continue
        yield Problem(grid, *pair, f"{full}/{split}/{name}")
        number += 1


def _in_turn(
    drawn: list[Problem], full: str, split: str, options: SetOptions
) -> tuple[Problem, ...]:
    """The problems shuffled, so that the first ones of a split are of all kinds."""
    order = seeded(options.seed, full, split).permutation(len(drawn))
    return tuple(drawn[k] for k in order)


def _voxels(full: str, split: str, count: int, options: SetOptions) -> Iterator[Problem]:
    """Problems in boxes cut from 3D maps, and in generated worlds."""
    folder = need_maps(options.data) / VOXELS
    generated = count // GENERATED[split] if split in GENERATED else 0
    random = seeded(options.seed, full, split, "generated")
    for number in range(generated):
        yield _voxel_problem(generate_world(random), f"{full}/{split}/generated", number, random)
    names, count = VOXEL_MAPS[split], count - generated
    for turn, name in enumerate(names):
        free = _read_voxels(folder / f"{name}.3dmap")
        blocked = np.argwhere(~free)
        random = seeded(options.seed, full, split, name)
        for number in range(count * turn // len(names), count * (turn + 1) // len(names)):
            box = _box(free, blocked, random)
            yield _voxel_problem(box, f"{full}/{split}/{name}", number, random)


def _voxel_problem(
    free: NDArray[np.bool_], name: str, number: int, random: np.random.Generator
) -> Problem:
    grid = GridGraph(free, connectivity=(26, 6)[number % 2], corners="both_free")
    return Problem(grid, *PairDraw(grid, name).pair(random), f"{name}/{number}")


@lru_cache(maxsize=4)
def _read_voxels(path: Path) -> NDArray[np.bool_]:
    # Splits share maps, and reading a large one takes seconds.
    if not path.exists():
        raise InputError(
            f"no 3D map {path}; fetch the voxel benchmarks from movingai.com/benchmarks"
        )
    return read_3dmap(path).free


def _box(
    free: NDArray[np.bool_], blocked: NDArray[np.int64], random: np.random.Generator
) -> NDArray[np.bool_]:
    """A part of a 3D map around an obstacle, since most of the space is empty."""
    while True:
        near = blocked[int(random.integers(len(blocked)))] - random.integers(BOX, size=3)
        corner = np.clip(near, 0, np.maximum(0, np.array(free.shape) - BOX))
        box = free[tuple(slice(low, low + BOX) for low in corner)]
        if box.mean() >= FEWEST_FREE:
            return np.ascontiguousarray(box)
