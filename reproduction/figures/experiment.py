"""The figures as `python -m reproduction` knows them."""

from __future__ import annotations

from reproduction.figures.command import reproduce
from reproduction.figures.learning import parts_of
from reproduction.figures.sources import Sources
from reproduction.legacy.experiment import Document, Experiment, Request, Value
from reproduction.legacy.parts import Part, Told


def _sources(request: Request) -> Sources:
    return Sources(request.data, request.results, request.heuristics, request.quick)


def _parts(request: Request) -> list[Part]:
    return [*parts_of(_sources(request)).values()]


def _reproduce(request: Request, told: Told) -> str:
    document = reproduce(_sources(request), request.docs, told)
    return "\n".join(
        f"{name}: {facts.get('missing', 'drawn')}" for name, facts in document["figures"].items()
    )


def _figures(document: Document) -> dict[str, Value]:
    return {
        f"{name}, {method}": Value(expansions)
        for name, facts in document["figures"].items()
        for method, expansions in facts.get("expansions", {}).items()
    }


EXPERIMENT = Experiment(
    "figures",
    "Figures",
    (),
    _parts,
    _reproduce,
    _figures,
    part_seconds=(60.0, 3.0),
)
