"""The runtime analysis as `phil reproduce` knows it."""

from __future__ import annotations

from phil.experiments.experiment import Document, Experiment, Request, Value
from phil.experiments.parts import Part, Told
from phil.experiments.runtime.command import reproduce
from phil.experiments.runtime.page import claims
from phil.experiments.runtime.study import Runtime
from phil.experiments.table1.experiment import study_of
from phil.view.sections import table_markdown


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
