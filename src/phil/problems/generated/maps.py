"""Maps by the name of their family: one at a time, or split into endless sets without repeats."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError, unknown_name
from phil.problems.generated.bugtraps import multiple_bugtraps, single_bugtrap
from phil.problems.generated.canvas import PUBLIC_SIDE, Canvas
from phil.problems.generated.forests import bugtrap_forest, forest, gaps_and_forest
from phil.problems.generated.mazes import mazes
from phil.problems.generated.walls import alternating_gaps, shifting_gaps

# The order of the families, like that of the splits, is part of the seeding: add at the end.
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
SPLITS = ("train", "validation", "test")

PUBLIC_SHAPE = (PUBLIC_SIDE, PUBLIC_SIDE)
MIN_SIDE = 20  # below this the gaps, walls and squares are no longer told apart
# A third of all maps belongs to a split, so this many misses in a row mean that none is left.
MAX_MISSES = 5_000


def generate_map(
    family: str, rng: np.random.Generator, shape: tuple[int, int] = PUBLIC_SHAPE
) -> NDArray[np.bool_]:
    """Draw one map of a family; True is free, row 0 is the top.

    The start (bottom-left cell) and the goal (top-right cell) are free. A path between them may be
    missing in `gaps_and_forest`, as in a tenth of the public maps, and where rounding closes the
    narrow passages of `multiple_bugtraps`, which was seen at sides of up to 60 cells only.

    >>> generate_map("mazes", np.random.default_rng(0), (40, 60)).shape
    (40, 60)
    """
    _check(family, shape)
    while True:
        canvas = Canvas.empty(shape)
        _DRAWINGS[family](canvas, rng)
        if canvas.free[0, 0] and canvas.free[-1, -1]:  # drawn from the bottom left: start and goal
            return canvas.free[::-1].copy()


def generate_maps(
    family: str,
    count: int,
    seed: int,
    split: str = "train",
    shape: tuple[int, int] = PUBLIC_SHAPE,
) -> NDArray[np.bool_]:
    """The first `count` maps of a split, as (count, rows, columns).

    The same arguments give the same maps, a larger count only adds to them, and no map is repeated
    inside a split. Nor is it in another split, for any seeds: a map's digest says which split it
    belongs to.

    >>> few = generate_maps("forest", 2, seed=0)
    >>> np.array_equal(few, generate_maps("forest", 5, seed=0)[:2])
    True
    """
    _check(family, shape)
    if split not in SPLITS:
        raise unknown_name("split", split, SPLITS)
    if count < 0 or seed < 0:
        raise InputError(f"count and seed must not be negative, got {count} and {seed}")
    maps = np.empty((count, *shape), dtype=np.bool_)
    for index, cells in enumerate(islice(_different_maps(family, seed, split, shape), count)):
        maps[index] = cells
    return maps


def _different_maps(
    family: str, seed: int, split: str, shape: tuple[int, int]
) -> Iterator[NDArray[np.bool_]]:
    """The maps of a split one by one, each different from all before it."""
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
        "cells; ask for fewer maps or a larger shape"
    )


def _check(family: str, shape: tuple[int, int]) -> None:
    if family not in _DRAWINGS:
        raise unknown_name("family", family, FAMILIES)
    if len(shape) != 2 or min(shape) < MIN_SIDE:
        raise InputError(
            f"a generated map needs at least {MIN_SIDE} rows and {MIN_SIDE} columns, got "
            f"{'x'.join(map(str, shape))}"
        )
