"""The study of Table 1 that is asked for."""

from __future__ import annotations

from phil.problems.generated import FAMILIES
from reproduction.legacy.experiment import Request, chosen
from reproduction.legacy.table1.columns import COLUMNS
from reproduction.legacy.table1.study import QUICK_FAMILIES, Study


def study_of(request: Request) -> Study:
    """The study that is asked for; other experiments take its maps and heuristics."""
    return Study(
        families=chosen(request, "families", QUICK_FAMILIES if request.quick else FAMILIES),
        methods=chosen(request, "methods", COLUMNS),
        seeds=request.seeds,
        data=request.data,
        results=request.results,
        heuristics=request.heuristics,
        quick=request.quick,
    )
