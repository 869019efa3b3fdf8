"""Table 2 out of its parts: one document with every figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reproduction.scores import Expansions, over_reference, over_seeds
from reproduction.table2.columns import COLUMNS, REFERENCE
from reproduction.table2.sets import FIRST, TIERS, TableSet
from reproduction.table2.study import Cell, Study
from reproduction.training import training_summary

COMMAND = "python -m reproduction table2"


def assemble(study: Study) -> dict[str, Any]:
    """The table of all parts that are there."""
    rows = {name: study.known[name] for name in study.sets}
    return {
        "command": COMMAND + (" --quick" if study.quick else ""),
        "titles": {name: COLUMNS[name].title for name in study.methods},
        "tiers": {
            name: {"title": tier.title, "recipe": tier.recipe} for name, tier in TIERS.items()
        },
        "sets": {
            name: _row(study, row)
            for name, row in rows.items()
            if study.problems_part(name).done
            and study.part(Cell(name, FIRST, REFERENCE)).done
            and study.part(Cell(name, FIRST, "oracle")).done
        },
    }


def _row(study: Study, row: TableSet) -> dict[str, Any]:
    reference = study.part(Cell(row.name, FIRST, REFERENCE)).read()["test"]["expansions"]
    tiers: dict[str, dict[str, Any]] = {}
    for tier in row.tiers:
        features = study.features_part(row.name, tier)
        tiers[tier] = {
            "feature_seconds": features.read()["seconds"] if features.done else None,
            "methods": _methods(study, row.name, tier, reference),
        }
    return {
        "problems": study.problems_part(row.name).read(),
        "printed": dict(row.printed),
        "printed_for": row.other,
        "target": row.target,
        "limit": tiers[FIRST]["methods"]["oracle"]["ratio"],
        "tiers": tiers,
    }


def _methods(study: Study, name: str, tier: str, reference: Expansions) -> dict[str, Any]:
    methods = {}
    for method in study.methods:
        seeds = range(study.seeds if COLUMNS[method].learned else 1)
        cells = [Cell(name, tier, method, seed) for seed in seeds]
        found = [study.part(cell).read() for cell in cells if study.part(cell).done]
        if found:
            times = study.times_part(cells[0])
            methods[method] = _summary(found, reference) | {
                "milliseconds": times.read()["milliseconds"] if times.done else None
            }
    return methods


def _summary(parts: Sequence[dict[str, Any]], reference: Expansions) -> dict[str, Any]:
    runs = [part["test"] for part in parts]
    summary = over_seeds(runs)
    del summary["on_new_maps"]
    summary |= over_reference(runs, reference)
    if "training_seconds" in parts[0]:
        summary["trainings"] = [training_summary(part) for part in parts]
    return summary
