"""What a library must offer to be measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.speed.peers.query import KING, OCTILE, STRICT, Query

ALL_RULES = (KING.name, OCTILE.name, STRICT.name)


@dataclass(frozen=True)
class Built:
    """A library's own form of a map: `ask` is timed, `cells` reads what it gave back."""

    ask: Callable[[], Any]
    cells: Callable[[Any], NDArray[np.int64]]
    forget: Callable[[], None] | None = None  # so that a second query is like the first


@dataclass(frozen=True)
class Peer:
    """One way to ask one library."""

    name: str
    package: str  # its name on the package index
    module: str
    heuristic: str
    build: Callable[[Query], Built]
    rules: tuple[str, ...] = ALL_RULES
    optimal: bool = True  # whether its path must cost what the best one costs
    most_cells: int | None = None  # larger maps take too long, or too much memory
    note: str = ""
