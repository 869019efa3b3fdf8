"""Short trainings that differ from a base in one ingredient."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phil.evaluation import Solver, evaluate
from phil.heuristics.registry import SUFFIX, read_any
from phil.problems import open_set
from phil.problems.problem import ProblemSet
from reproduction.carry import benches
from reproduction.carry.trained import QUICK_SETTINGS, opened, small_maps
from reproduction.experiment import Request
from reproduction.methods import MethodSpec, train_once, training_json
from reproduction.scores import score_json
from reproduction.store import Content
from reproduction.table1.table import has_path, small_set

ANY = "any"
FAMILIES = ("bugtrap_forest", "multiple_bugtraps")
SETS = (*FAMILIES, ANY)
QUICK_SETS = ("bugtrap_forest", ANY)
COUNT, VALIDATED = 400, 60  # training and validation problems on any map
SHORT = {"candidates": 1, "plain": 0, "hard_candidates": 0}
FOR_FAMILIES: dict[str, Any] = {**SHORT, "iterations": 40, "tune": 30, "frame": "map"}
FOR_ANY: dict[str, Any] = {
    **SHORT,
    "iterations": 60,
    "tune": 30,
    "mean": "geometric",
    "frame": "goal",
    "lengths": "both",
    "unit": "cost",
}
BASE = "base"


@dataclass(frozen=True)
class Variant:
    """What differs from the base."""

    title: str
    settings: Mapping[str, Any]
    other_frame: bool = False
    sets: tuple[str, ...] = SETS


VARIANTS = {
    BASE: Variant("base", {}),
    "frame": Variant("other frame", {}, other_frame=True),
    "distance": Variant("no part in cells", {"lengths": "distance"}, sets=(ANY,)),
    "moves": Variant("moves instead of path cost", {"unit": "moves"}, sets=(ANY,)),
    "unknown": Variant("without known cells", {"known": 0, "lazy": False}),
    "eager": Variant("without lazy look-ahead", {"lazy": False}),
    "untuned": Variant("without tuning", {"tune": 0}),
    "before": Variant(
        "8 neighbours and walls, eager",
        {"neighbors": 8, "walls": True, "known": 0, "lazy": False, "memory": 16},
        sets=FAMILIES,  # walls are inputs of maps with equally many moves only
    ),
}


def spec(name: str, variant: str) -> MethodSpec:
    """The training of a variant on a set."""
    base = FOR_ANY if name == ANY else FOR_FAMILIES
    changes = VARIANTS[variant]
    settings = {**base, **changes.settings}
    if changes.other_frame:
        settings["frame"] = "map" if base["frame"] == "goal" else "goal"
    # In quick runs too, a variant without tuning has none.
    quick = {**settings, **QUICK_SETTINGS, **changes.settings}
    return MethodSpec("phil", "PHIL", method="phil", settings=settings, quick=quick)


def problems(request: Request, name: str) -> ProblemSet:
    """What a variant is trained on."""
    if request.quick:
        return small_maps() if name == ANY else small_set(name)
    if name != ANY:
        return open_set(f"grids/{name}", data=request.data)
    found = opened("maps/any", COUNT, request.data)
    validation = opened("maps/any", None, request.data).validation[:VALIDATED]
    return ProblemSet(found.name, found.train, validation)


def test(request: Request, name: str, variant: str, seed: int) -> Content:
    """Train a variant, and test it; the base also with the hedged search."""
    file = _file(request, name, variant, seed)
    train_once(file, problems(request, name), spec(name, variant), seed, quick=request.quick)
    heuristic = read_any(file)
    return {
        "set": name,
        "variant": variant,
        "seed": seed,
        "training_seconds": training_json(file)["training_seconds"],
        "test": _tested(request, name, benches.greedy(heuristic)),
        **({"hedge": _tested(request, name, benches.hedged(heuristic))} if variant == BASE else {}),
    }


def _tested(request: Request, name: str, solver: Solver) -> Content:
    if name == ANY:
        return benches.run(request, benches.MAPS, solver)
    solvable = [*filter(has_path, problems(request, name).test)]
    [score] = evaluate(solvable, [solver])
    return {name: score_json(score)}


def _file(request: Request, name: str, variant: str, seed: int) -> Path:
    folder = request.heuristics / request.named("carry")
    return folder / f"ablation-{name}-{variant}-{seed}{SUFFIX}"
