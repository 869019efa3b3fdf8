"""The runtime analysis as `python -m reproduction` knows it."""

from __future__ import annotations

from phil.view.sections import table_markdown
from reproduction.legacy.experiment import Document, Experiment, Request, Value
from reproduction.legacy.parts import Part, Told
from reproduction.legacy.table1.experiment import study_of
from reproduction.runtime.command import reproduce
from reproduction.runtime.page import claims
from reproduction.runtime.study import Runtime


def _parts(request: Request) -> list[Part]:
    runtime = Runtime(study_of(request))
    return [runtime.part(family) for family in runtime.study.families]


def _reproduce(request: Request, told: Told) -> str:
    return table_markdown(claims(reproduce(Runtime(study_of(request)), request.docs, told)))


def _figures(document: Document) -> dict[str, Value]:
    return {
        f"{document['titles'][method]}, {engine}, milliseconds per node": Value(milliseconds)
        for engine, means in document["mean"].items()
        for method, milliseconds in means.items()
    }


EXPERIMENT = Experiment(
    "runtime",
    "Runtime: milliseconds per node",
    ("families",),
    _parts,
    _reproduce,
    _figures,
    part_seconds=(70.0, 8.0),
)
