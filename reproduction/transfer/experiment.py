"""Transfer as `python -m reproduction` knows it."""

from __future__ import annotations

from reproduction.experiment import Document, Experiment, Request, Value
from reproduction.parts import Part, Told
from reproduction.scores import mean
from reproduction.table1.experiment import study_of
from reproduction.transfer.study import CONDITIONS, Transfer, markdown, reproduce


def _parts(request: Request) -> list[Part]:
    transfer = Transfer(study_of(request))
    return [transfer.part(row) for row in transfer.rows]


def _reproduce(request: Request, told: Told) -> str:
    return markdown(reproduce(Transfer(study_of(request)), request.docs, told))


def _figures(document: Document) -> dict[str, Value]:
    return {
        f"{row}, {condition}, {family}": Value(mean(found[condition][family]["expansions"]))
        for row, found in document["rows"].items()
        for condition in CONDITIONS
        for family in document["families"]
    }


EXPERIMENT = Experiment(
    "transfer",
    "Transfer: other families, larger maps, random starts and goals",
    ("families",),
    _parts,
    _reproduce,
    _figures,
    part_seconds=(60.0, 2.0),
)
