"""Table 3 as `python -m reproduction` knows it."""

from __future__ import annotations

from phil.view.sections import table_markdown
from reproduction.experiment import Document, Experiment, Request, Value
from reproduction.parts import Part, Told
from reproduction.table3.checks import checks_parts
from reproduction.table3.columns import COLUMNS
from reproduction.table3.command import reproduce
from reproduction.table3.flights import flights_parts
from reproduction.table3.page import ratios
from reproduction.table3.rooms import ROOMS
from reproduction.table3.study import Study


def _study(request: Request) -> Study:
    return Study(
        rooms=request.chosen("rooms", ROOMS),
        methods=request.chosen("methods", COLUMNS),
        seeds=request.seeds,
        results=request.results,
        heuristics=request.heuristics,
        quick=request.quick,
    )


def _parts(request: Request) -> list[Part]:
    study = _study(request)
    timed = [*study.times_parts(), *checks_parts(study)] if request.times else []
    return [*study.parts(), *flights_parts(study), *timed]


def _reproduce(request: Request, told: Told) -> str:
    document = reproduce(_study(request), request.docs, told, times=request.times)
    return table_markdown(ratios(document))


def _figures(document: Document) -> dict[str, Value]:
    return {
        f"{room}, {document['titles'][method]}": Value.of_expansions(summary)
        for room, row in document["rooms"].items()
        for method, summary in row["methods"].items()
    }


EXPERIMENT = Experiment(
    "table3",
    "Table 3: drones in rooms",
    ("rooms", "methods"),
    _parts,
    _reproduce,
    _figures,
    part_seconds=(45.0, 1.0),
)
