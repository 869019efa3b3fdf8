"""Table 1 out of its parts: one document with every figure."""

from __future__ import annotations

from typing import Any

from reproduction.columns import Column
from reproduction.scores import over_seeds
from reproduction.table1.columns import COLUMNS
from reproduction.table1.study import Study

COMMAND = "python -m reproduction table1"
LEAST, SPAN = 200, 4800  # SaIL's normalisation


def in_sail_unit(expansions: float) -> float:
    """Mean expansions as SaIL's paper prints them.

    >>> in_sail_unit(5000), in_sail_unit(30000), in_sail_unit(440)
    (1.0, 1.0, 0.05)
    """
    return min(1.0, (expansions - LEAST) / SPAN)


def assemble(study: Study) -> dict[str, Any]:
    """The table of all parts that are there."""
    families = {
        family: _row(study, family)
        for family in study.families
        if study.maps_part(family).done and study.part(COLUMNS["astar"], family, 0).done
    }
    return {
        "command": COMMAND + (" --quick" if study.quick else ""),
        "titles": {name: COLUMNS[name].title for name in study.methods},
        "families": families,
    }


def _row(study: Study, family: str) -> dict[str, Any]:
    maps = study.maps_part(family).read()
    repeated = {int(number) for number in maps["repeated"]}
    methods = {}
    for name in study.methods:
        summary = _summary(study, COLUMNS[name], family, repeated)
        if summary is not None:
            times = study.times_part(COLUMNS[name], family)
            milliseconds = times.read()["milliseconds"] if times.done else None
            methods[name] = summary | {"milliseconds": milliseconds}
    astar = methods["astar"]["expansions"]
    for name, summary in methods.items():
        summary["ratio_to_astar"] = summary["expansions"] / astar
        summary["in_sail_unit"] = in_sail_unit(summary["expansions"])
        summary["printed"] = COLUMNS[name].printed.get(family)
    return {"maps": maps, "methods": methods}


def _summary(
    study: Study, column: Column, family: str, repeated: set[int]
) -> dict[str, Any] | None:
    seeds = range(study.seeds) if column.learned else range(1)
    parts = [study.part(column, family, seed) for seed in seeds]
    found = [part.read() for part in parts if part.done]
    if not found:
        return None
    summary = over_seeds([part["test"] for part in found], repeated)
    if column.learned:
        summary["trainings"] = [
            {
                "seed": part["seed"],
                "seconds": part["training_seconds"],
                "validation": part["validation"]["expansions"]["mean"],
                "curve": part["curve"],
            }
            for part in found
        ]
    return summary
