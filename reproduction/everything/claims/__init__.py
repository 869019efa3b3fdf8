"""What the paper claims, judged by the documents that are there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from reproduction.everything.claims import graphs, maps, rooms, studies
from reproduction.everything.claims.verdicts import Verdict
from reproduction.experiment import Document

JUDGES: Mapping[str, Callable[[Document], Iterator[Verdict]]] = {
    "table1": maps.claims,
    "table2": graphs.claims,
    "table3": rooms.claims,
    "ablations": studies.ablations,
    "runtime": studies.runtime,
    "figures": studies.figures,
    "speed": studies.speed,
}


def verdicts(documents: Mapping[str, Document]) -> list[Verdict]:
    """The verdicts on all claims that the documents, by name, can judge."""
    return [
        verdict
        for name, judge in JUDGES.items()
        if name in documents
        for verdict in judge(documents[name])
    ]
