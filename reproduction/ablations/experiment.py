"""The ablations as `python -m reproduction` knows them."""

from __future__ import annotations

from phil.view.sections import table_markdown
from reproduction.ablations.command import reproduce
from reproduction.ablations.page import verdicts
from reproduction.ablations.parts import Ablations
from reproduction.ablations.studies import FAMILIES, QUICK_FAMILIES, QUICK_STUDIES, STUDIES
from reproduction.legacy.experiment import Document, Experiment, Request, Value, chosen
from reproduction.legacy.parts import Part, Told


def _ablations(request: Request) -> Ablations:
    return Ablations(
        families=chosen(request, "families", QUICK_FAMILIES if request.quick else FAMILIES),
        studies=chosen(request, "studies", QUICK_STUDIES if request.quick else STUDIES),
        seeds=request.seeds,
        data=request.data,
        results=request.results,
        heuristics=request.heuristics,
        quick=request.quick,
    )


def _parts(request: Request) -> list[Part]:
    return _ablations(request).parts()


def _reproduce(request: Request, told: Told) -> str:
    return table_markdown(verdicts(reproduce(_ablations(request), request.docs, told)))


def _figures(document: Document) -> dict[str, Value]:
    return {
        f"{family}, {variant}": Value.of_expansions(summary)
        for family, row in document["families"].items()
        for variant, summary in row["variants"].items()
    }


EXPERIMENT = Experiment(
    "ablations",
    "Ablations",
    ("families", "studies"),
    _parts,
    _reproduce,
    _figures,
    part_seconds=(12.0, 0.5),
)
