"""`generated/<family>`: maps by family, one at a time or as endless splits without repeats."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phil.arguments import SIDES, TEXT, WHOLE, of_type, takes
from phil.errors import InputError, unknown_name
from phil.graphs import GridGraph
from phil.memory import check_memory
from phil.problems.generated.canvas import PUBLIC_SIDE, Canvas
from phil.problems.generated.traps import (
    bugtrap_forest,
    forest,
    gaps_and_forest,
    multiple_bugtraps,
    single_bugtrap,
)
from phil.problems.generated.walls import alternating_gaps, mazes, shifting_gaps
from phil.problems.pairs import split_problems
from phil.problems.problem import ALL, SPLITS, ProblemSet, split_counts
from phil.problems.source import ProblemSource, SetInfo, SetOptions, share_info, share_of_each

# The order of families and splits is part of the seed: append new families at the end.
_DRAWINGS: dict[str, Callable[[Canvas, np.random.Generator], None]] = {
    "alternating_gaps": alternating_gaps,
    "single_bugtrap": single_bugtrap,
    "shifting_gaps": shifting_gaps,
    "forest": forest,
    "bugtrap_forest": bugtrap_forest,
    "gaps_and_forest": gaps_and_forest,
    "mazes": mazes,
    "multiple_bugtraps": multiple_bugtraps,
}
FAMILIES: tuple[str, ...] = tuple(_DRAWINGS)

COUNTS = {"train": 600, "validation": 100, "test": 100}
PUBLIC_SHAPE = (PUBLIC_SIDE, PUBLIC_SIDE)
CELL_BYTES = 8  # while a map is drawn
MIN_SIDE = 20  # below this, gaps, walls and squares can no longer be told apart
# A third of all maps belong to a split, so this many misses in a row mean that none is left.
MAX_MISSES = 5_000


@takes(family=TEXT, rng=of_type("a numpy Generator", np.random.Generator), shape=SIDES)
def generate_map(
    family: str, rng: np.random.Generator, shape: tuple[int, int] = PUBLIC_SHAPE
) -> NDArray[np.bool_]:
    """Draw one map of a family.

    The start (bottom-left cell) and the goal (top-right cell) are free. There may be no path
    between them in `gaps_and_forest`, as in a tenth of the public maps, and in `multiple_bugtraps`
    if rounding closes narrow passages, which happens only on maps of up to 60 cells per side.

    Parameters
    ----------
    family : str
        One of `FAMILIES`.
    rng : numpy.random.Generator
        The source of randomness.
    shape : tuple of int, optional
        Rows and columns, at least 20 each.

    Returns
    -------
    numpy.ndarray of bool
        The map: True is free, row 0 is the top.

    Examples
    --------
    >>> generate_map("mazes", np.random.default_rng(0), (40, 60)).shape
    (40, 60)
    """
    _check(family, shape)
    while True:
        canvas = Canvas.empty(shape)
        _DRAWINGS[family](canvas, rng)
        if canvas.free[0, 0] and canvas.free[-1, -1]:  # drawn from the bottom left: start and goal
            return canvas.free[::-1].copy()


@takes(family=TEXT, count=WHOLE, seed=WHOLE, split=TEXT, shape=SIDES)
def generate_maps(
    family: str,
    count: int,
    seed: int,
    split: str = "train",
    shape: tuple[int, int] = PUBLIC_SHAPE,
) -> NDArray[np.bool_]:
    """Draw the first `count` maps of a split.

    The same arguments give the same maps, a larger count only adds maps, and no map is repeated
    within a split. Nor does a map occur in another split, under any seed: its hash determines its
    split.

    Parameters
    ----------
    family : str
        One of `FAMILIES`.
    count : int
        How many maps.
    seed : int
        The seed of the maps.
    split : {"train", "validation", "test"}, optional
        The split.
    shape : tuple of int, optional
        Rows and columns, at least 20 each.

    Returns
    -------
    numpy.ndarray of bool, shape (count, rows, columns)
        The maps: True is free, row 0 is the top.

    Raises
    ------
    InputError
        If the family or the split is unknown, the shape is too small, or the family does not have
        that many different maps.

    Examples
    --------
    >>> few = generate_maps("forest", 2, seed=0)
    >>> np.array_equal(few, generate_maps("forest", 5, seed=0)[:2])
    True
    """
    _check(family, shape)
    if split not in SPLITS:
        raise unknown_name("split", split, SPLITS)
    count, seed = int(count), int(seed)
    if count < 0 or seed < 0:
        raise InputError(f"count and seed must not be negative, got {count} and {seed}")
    check_memory(count * shape[0] * shape[1], f"{count} maps of {shape[0]} x {shape[1]} cells")
    maps = np.empty((count, *shape), dtype=np.bool_)
    for index, cells in enumerate(islice(_different_maps(family, seed, split, shape), count)):
        maps[index] = cells
    return maps


def open_generated(family: str, options: SetOptions) -> ProblemSet:
    """The problems of a generated family."""
    name = f"generated/{family}"
    if family == ALL:
        return share_of_each(name, [open_generated(one, options) for one in FAMILIES])
    counts = split_counts({}, options.count)
    splits = {}
    for split, number in COUNTS.items():
        needed = min(number, counts.get(split, number))
        maps = generate_maps(family, needed, options.seed, split)
        grids = {f"{split}/{number}": GridGraph(free) for number, free in enumerate(maps)}
        splits[split] = split_problems(grids, name, options.pairs, options.seed, counts.get(split))
    return ProblemSet(name, **splits)


def generated_info(family: str, data: Path | None) -> SetInfo:
    """Information about a generated family."""
    if family == ALL:
        return share_info("generated", [generated_info(one, data) for one in FAMILIES])
    return SetInfo(f"generated/{family}", True, "made when opened", COUNTS, PUBLIC_SHAPE)


SOURCE = ProblemSource(
    "generated",
    members=lambda data: (*FAMILIES, ALL),
    open=open_generated,
    info=generated_info,
    pairs=("corners", "random"),
)


def _different_maps(
    family: str, seed: int, split: str, shape: tuple[int, int]
) -> Iterator[NDArray[np.bool_]]:
    """The maps of a split, all different."""
    share = SPLITS.index(split)
    rng = np.random.default_rng([seed, FAMILIES.index(family), share])
    seen: set[bytes] = set()
    misses = 0
    while misses < MAX_MISSES:
        cells = generate_map(family, rng, shape)
        digest = hashlib.blake2b(cells.tobytes(), digest_size=16).digest()
        if int.from_bytes(digest, "big") % len(SPLITS) != share or digest in seen:
            misses += 1
            continue
        misses = 0
        seen.add(digest)
        yield cells
    raise InputError(
        f"{family} has only about {len(seen)} different {split} maps of {shape[0]}x{shape[1]} "
        "cells; request fewer maps or a larger shape"
    )


def _check(family: str, shape: tuple[int, int]) -> None:
    if family not in _DRAWINGS:
        raise unknown_name("family", family, FAMILIES)
    if len(shape) != 2 or min(shape) < MIN_SIDE:
        raise InputError(
            f"a generated map needs at least {MIN_SIDE} rows and {MIN_SIDE} columns, got "
            f"{'x'.join(map(str, shape))}"
        )
    check_memory(CELL_BYTES * shape[0] * shape[1], f"a map of {shape[0]} x {shape[1]} cells")
