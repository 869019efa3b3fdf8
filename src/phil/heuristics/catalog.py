"""Heuristics by name: built-in ones, shipped ones, files."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path

from phil.errors import InputError, unknown_name
from phil.heuristics.file import HeuristicFile, LearnedHeuristic, read_learned
from phil.heuristics.geometric import Euclidean, Manhattan, Zero
from phil.heuristics.landmarks import Landmarks
from phil.heuristics.mlp import MlpHeuristic
from phil.heuristics.neural_astar import NeuralAstarHeuristic
from phil.heuristics.obstacle_distance import ObstacleDistance
from phil.heuristics.octile import Octile
from phil.heuristics.oracle import Oracle
from phil.heuristics.phil import PhilHeuristic, read_heuristic
from phil.search.guide import Heuristic

BUILT_IN: dict[str, Heuristic] = {
    heuristic.name: heuristic
    for heuristic in (Euclidean, Landmarks, Manhattan, ObstacleDistance, Octile, Oracle, Zero)
}
LEARNED: tuple[type[LearnedHeuristic], ...] = (PhilHeuristic, NeuralAstarHeuristic, MlpHeuristic)
READERS: dict[str, Callable[[HeuristicFile, str], LearnedHeuristic]] = {
    method: kind.from_file for kind in LEARNED for method in kind.methods
}
PREFIX = "phil:"
SUFFIX = ".safetensors"


def shipped_folder() -> Path:
    """Where the heuristics inside the package are."""
    return Path(str(resources.files("phil.heuristics.phil") / "shipped"))


def shipped_names() -> tuple[str, ...]:
    """The heuristics inside the package, as `phil:<family>`."""
    return tuple(PREFIX + path.stem for path in sorted(shipped_folder().glob("*" + SUFFIX)))


def load_heuristic(name: str, *, precompute: bool = False) -> Heuristic:
    """A heuristic by name: a built-in one, `phil:<family>`, or a file.

    Built in are `euclidean`, `manhattan`, `octile`, `obstacles`, `landmarks`, `zero` and `oracle`.

    With `precompute=True` a learned heuristic computes what it can for all nodes of a graph when a
    goal is first searched for: for graphs that stay as they are, with many searches to few goals.

    >>> load_heuristic("euclidean").name
    'euclidean'
    """
    if name in BUILT_IN:
        if precompute:
            raise InputError(f"{name} has nothing to precompute; only learned heuristics have")
        return BUILT_IN[name]
    if name.startswith(PREFIX):
        return _shipped(name, precompute)
    path = Path(name)
    if os.path.exists(name):  # unlike Path.exists, it knows that a name too long is no file
        return read_heuristic(path, precompute=True) if precompute else read_any(path)
    if path.suffix == SUFFIX or len(path.parts) > 1:
        raise InputError(f"there is no heuristic file {name}")
    raise unknown_name("heuristic", name, [*BUILT_IN, *shipped_names()])


def read_any(path: Path, name: str | None = None) -> LearnedHeuristic:
    """The heuristic of a file, whatever method learned it."""
    return read_learned(path, READERS, name)


@cache
def _shipped(name: str, precompute: bool) -> PhilHeuristic:
    path = shipped_folder() / (name.removeprefix(PREFIX) + SUFFIX)
    if name not in shipped_names():
        raise unknown_name("shipped heuristic", name, shipped_names())
    return read_heuristic(path, name, precompute=precompute)
