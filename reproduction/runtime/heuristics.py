"""Where the heuristics that are timed come from: Table 1 if it has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from phil.evaluation import Solver, parse_method
from phil.heuristics.registry import SUFFIX, shipped_folder
from reproduction.legacy.columns import Column
from reproduction.legacy.table1.study import Study, train_part
from reproduction.legacy.training import train_once, trained_method

TABLE, SHIPPED, SHORT = "Table 1", "shipped", "short training"

# A network's time does not depend on its weights; what it expands does, and with that how many
# nodes an expansion uncovers. So these are for whoever has not trained for Table 1.
SHORT_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "phil_paper": {"iterations": 6, "steps": 20, "validate_every": 6, "validation": 5},
    "sail": {"explored": (1.0,), "iterations": 3, "searches": 50, "updates": 600, "validation": 20},
    "neural_astar": {"iterations": 2, "validation": 20},
}


@dataclass(frozen=True)
class Timed:
    """A method, and where its heuristic comes from ("" if it learns nothing)."""

    solver: Solver
    origin: str = ""


def timed_method(study: Study, column: Column, family: str) -> Timed:
    """A column's method for a family; its heuristic is trained if it is nowhere."""
    if not column.learned:
        return Timed(parse_method(column.text))
    file, origin = _file(study, column, family)
    return Timed(trained_method(column, file), origin)


def _file(study: Study, column: Column, family: str) -> tuple[Path, str]:
    known, shipped = study.heuristic(column, family, 0), shipped_folder() / (family + SUFFIX)
    if known.exists() or study.quick:
        return train_part(study, column, family, 0), TABLE
    if column.name == "phil" and shipped.exists():
        return shipped, SHIPPED
    if column.name not in SHORT_SETTINGS:
        return train_part(study, column, family, 0), TABLE
    output = study.heuristics / "runtime" / known.name
    short = replace(column, settings=SHORT_SETTINGS[column.name])
    return train_once(output, study.problems(family), short, 0, quick=False), SHORT
