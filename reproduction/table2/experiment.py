"""Table 2 as `python -m reproduction` knows it."""

from __future__ import annotations

from phil.view.sections import table_markdown
from reproduction.experiment import Document, Experiment, Request, Value
from reproduction.parts import Part, Told
from reproduction.table2.columns import COLUMNS
from reproduction.table2.command import reproduce
from reproduction.table2.page import ratios
from reproduction.table2.sets import QUICK_SETS, SETS, TIERS
from reproduction.table2.study import Study


def _study(request: Request) -> Study:
    return Study(
        sets=request.chosen("sets", QUICK_SETS if request.quick else SETS),
        tiers=request.chosen("tiers", TIERS),
        methods=request.chosen("methods", COLUMNS),
        seeds=request.seeds,
        data=request.data,
        results=request.results,
        heuristics=request.heuristics,
        quick=request.quick,
    )


def _parts(request: Request) -> list[Part]:
    study = _study(request)
    return [*study.parts(), *(study.times_parts() if request.times else ())]


def _reproduce(request: Request, told: Told) -> str:
    document = reproduce(_study(request), request.docs, told, times=request.times)
    return table_markdown(ratios(document))


def _figures(document: Document) -> dict[str, Value]:
    titles, tiers = document["titles"], document["tiers"]
    return {
        f"{name}, {tiers[tier]['title']}, {titles[method]}": Value.of_expansions(summary)
        for name, row in document["sets"].items()
        for tier, found in row["tiers"].items()
        for method, summary in found["methods"].items()
    }


EXPERIMENT = Experiment(
    "table2",
    "Table 2: graphs",
    ("sets", "tiers", "methods"),
    _parts,
    _reproduce,
    _figures,
    part_seconds=(10.0, 0.5),
)
