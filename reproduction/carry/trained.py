"""The heuristics for any map, `phil:map` and `phil:voxels`: what they are trained on, and how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from phil.heuristics.registry import SUFFIX
from phil.problems import open_set
from phil.problems.problem import ProblemSet
from reproduction.experiment import Request
from reproduction.methods import MethodSpec, train_once
from reproduction.table1.table import QUICK_FAMILIES, small_set

MAP_SETTINGS: dict[str, Any] = {
    "candidates": 1,
    "plain": 0,
    "hard_candidates": 0,
    "frame": "goal",
    "lengths": "both",
    "unit": "cost",
    "known": 3,
    "lazy": True,
    "width": 64,
    "memory": 32,
    "iterations": 400,
    "rollouts": 24,
    "steps": 60,
    "horizon": 6000,
    "learning_rate": 1.5e-3,
    "validate_every": 10,
    "validation": 180,
    "mean": "geometric",
    "tune": 200,
    "tune_sizes": (0.03,),
    "tune_limit": 1500,
}
VOXEL_SETTINGS: dict[str, Any] = {
    **MAP_SETTINGS,
    "lengths": "distance",
    "unit": "moves",
    "known": 1,
    "iterations": 150,
    "steps": 40,
    "tune": 20,
}
QUICK_SETTINGS: dict[str, Any] = {
    "iterations": 2,
    "rollouts": 4,
    "steps": 3,
    "horizon": 200,
    "validate_every": 1,
    "tune": 1,
    "tune_samples": 2,
    "tune_problems": 2,
}


@dataclass(frozen=True)
class Carried:
    """A heuristic for any problem: the set and the settings of its training."""

    problems: str
    settings: Mapping[str, Any]
    count: int | None = None  # training problems on maps; None: all of the set

    @property
    def spec(self) -> MethodSpec:
        """As a method to train."""
        settings = {**self.settings}
        return MethodSpec(
            "phil", "PHIL", method="phil", settings=settings, quick=settings | QUICK_SETTINGS
        )


CARRIED = {
    "map": Carried("maps/any", MAP_SETTINGS),
    "voxels": Carried("maps/voxels", VOXEL_SETTINGS),
}


def train_carried(request: Request, name: str, seed: int) -> Path:
    """Train a heuristic for any problem unless its file is there."""
    carried = CARRIED[name]
    file = request.heuristics / request.named("carry") / f"{name}-{seed}{SUFFIX}"
    if file.exists():
        return file
    problems = (
        small_maps() if request.quick else opened(carried.problems, carried.count, request.data)
    )
    return train_once(file, problems, carried.spec, seed, quick=request.quick)


@cache
def opened(name: str, count: int | None, data: Path | None) -> ProblemSet:
    """A set of many maps; kept while the process lives, since opening it reads a hundred maps."""
    return open_set(name, data=data, count=count)


@cache
def small_maps() -> ProblemSet:
    """A few small generated maps of two families, with random pairs."""
    sets = [small_set(family, "random") for family in QUICK_FAMILIES]
    return ProblemSet(
        "generated",
        train=tuple(problem for one in sets for problem in one.train),
        validation=tuple(problem for one in sets for problem in one.validation),
        test=tuple(problem for one in sets for problem in one.test),
    )
