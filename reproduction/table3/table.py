"""Table 3 out of its parts: one document with every figure."""

from __future__ import annotations

from typing import Any

from reproduction.scores import Expansions, over_reference, over_seeds
from reproduction.table3 import checks, flights
from reproduction.table3.columns import COLUMNS, LIMIT, REFERENCE
from reproduction.table3.rooms import ROOMS
from reproduction.table3.study import Cell, Study
from reproduction.training import training_summary

COMMAND = "python -m reproduction table3"


def assemble(study: Study) -> dict[str, Any]:
    """The table of all parts that are there."""
    needed = (REFERENCE, LIMIT)
    return {
        "command": COMMAND + (" --quick" if study.quick else ""),
        "titles": {name: COLUMNS[name].title for name in study.methods},
        "rooms": {
            room: _row(study, room)
            for room in study.rooms
            if study.problems_part(room).done
            and all(study.part(Cell(room, method)).done for method in needed)
        },
    }


def _row(study: Study, room: str) -> dict[str, Any]:
    reference = study.part(Cell(room, REFERENCE)).read()["test"]["expansions"]
    shortest = study.part(Cell(room, LIMIT)).read()["test"]["expansions"]
    methods = {}
    for method in study.methods:
        summary = _summary(study, room, method, reference, shortest)
        if summary is not None:
            methods[method] = summary
    return {
        "problems": study.problems_part(room).read(),
        "printed": dict(ROOMS[room].printed),
        "methods": methods,
        "checks": checks.over_runs(study, room),
        "flights": flights.over_flights(study, room),
    }


def _summary(
    study: Study, room: str, method: str, reference: Expansions, shortest: Expansions
) -> dict[str, Any] | None:
    column = COLUMNS[method]
    cells = [Cell(room, method, seed) for seed in range(study.seeds if column.learned else 1)]
    found = [study.part(cell).read() for cell in cells if study.part(cell).done]
    if not found:
        return None
    runs = [part["test"] for part in found]
    summary = over_seeds(runs) | over_reference(runs, reference)
    del summary["on_new_maps"]
    summary["over_shortest"] = over_reference(runs, shortest)
    times = study.times_part(cells[0])
    summary["milliseconds"] = times.read()["milliseconds"] if times.done else None
    if column.learned:
        summary["trainings"] = [training_summary(part) for part in found]
        summary["validated"] = found[0]["validation"]["problems"]
    return summary
