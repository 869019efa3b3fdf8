"""Table 1 as `python -m reproduction` knows it."""

from __future__ import annotations

from phil.problems.generated import FAMILIES
from phil.view.sections import table_markdown
from reproduction.experiment import Document, Experiment, Request, Value
from reproduction.parts import Part, Told
from reproduction.table1.columns import COLUMNS
from reproduction.table1.command import reproduce
from reproduction.table1.page import expansions
from reproduction.table1.study import QUICK_FAMILIES, Study


def study_of(request: Request) -> Study:
    """The study that is asked for; other experiments take its maps and heuristics."""
    return Study(
        families=request.chosen("families", QUICK_FAMILIES if request.quick else FAMILIES),
        methods=request.chosen("methods", COLUMNS),
        seeds=request.seeds,
        data=request.data,
        results=request.results,
        heuristics=request.heuristics,
        quick=request.quick,
    )


def _parts(request: Request) -> list[Part]:
    study = study_of(request)
    return [*study.parts(), *(study.times_parts() if request.times else ())]


def _reproduce(request: Request, told: Told) -> str:
    document = reproduce(study_of(request), request.docs, told, times=request.times)
    return table_markdown(expansions(document))


def _figures(document: Document) -> dict[str, Value]:
    return {
        f"{family}, {document['titles'][method]}": Value.of_expansions(summary)
        for family, row in document["families"].items()
        for method, summary in row["methods"].items()
    }


EXPERIMENT = Experiment(
    "table1",
    "Table 1: maps",
    ("families", "methods"),
    _parts,
    _reproduce,
    _figures,
    part_seconds=(20.0, 0.5),
)
