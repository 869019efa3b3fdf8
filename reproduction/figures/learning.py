"""What trainings reach after how many distances of the oracle: the paper's claim of 5x less data.

"PHIL converges in up to N = 36 iterations, with m = 1, t_tau = 32 (i.e., after observing less than
N * t_tau * max(|V_new|) = 9,216 shortest path distances). According to figures reported in [SaIL],
this is approximately 5x less data than it takes for SaIL to converge."
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import Any

from phil.heuristics.registry import SUFFIX
from reproduction.drawing import TrainingCurve, curves_svg
from reproduction.experiment import Request
from reproduction.markup import NOTHING, Section
from reproduction.methods import log_rows, train_once
from reproduction.page import Picture
from reproduction.runner import Part
from reproduction.store import Content, Parts
from reproduction.table1.methods import METHODS
from reproduction.table1.page import SHOWN
from reproduction.table1.table import TABLE1

NAME = "learning"
TITLE = "Learning curves by distances seen"
TRAINED = ("phil_printed", "phil_paper", "phil", "sail")
RIVAL = "sail"
QUICK_FAMILIES = ("forest",)
VALIDATION = 40  # maps, for all alike
CONVERGED = 1.05  # times the best that a training ever reaches
PAPERS = {"distances": 9216, "factor": 5.0}

Points = Sequence[tuple[int, float]]  # distances so far, mean expansions on the validation maps


def parts_of(request: Request) -> list[Part]:
    """One training each."""
    return [
        Part(_name(method, family), partial(_train, request, method, family))
        for family in (QUICK_FAMILIES if request.quick else SHOWN)
        for method in TRAINED
    ]


def found(parts: Parts) -> dict[str, dict[str, Points]]:
    """The points of all trainings, by family and method, of families where none is missing."""
    return {
        family: {method: parts[_name(method, family)]["points"] for method in TRAINED}
        for family in SHOWN
        if all(_name(method, family) in parts for method in TRAINED)
    }


def facts(parts: Parts) -> dict[str, Any]:
    """After how many distances the trainings converged."""
    families = {family: summaries_of(points) for family, points in found(parts).items()}
    return {"paper": PAPERS, "families": families}


def curves(parts: Parts) -> Picture:
    """A panel a family, a line a training."""
    panels = {
        family: [TrainingCurve(METHODS[method].title, known) for method, known in points.items()]
        for family, points in found(parts).items()
    }
    content = curves_svg(
        panels,
        [METHODS[name].title for name in TRAINED],
        "mean expansions on validation maps, best so far",
        "figures",
        across="distances of the oracle so far",
    )
    return Picture(TITLE, f"{NAME}.svg", content, heading=False)


def section(families: Mapping[str, Any]) -> Section:
    """After how many distances each training converged."""
    return Section(
        TITLE,
        [
            f"One training each, all validated on the first {VALIDATION} validation maps. A "
            "distance counts once for every node recorded with it as training data, in all runs "
            "and candidates of a training together; those that only steer the oracle's steps of a "
            "roll-out do not count. A training has converged at the first validation within "
            f"{100 * (CONVERGED - 1):.0f} % of the best it ever reaches. The paper says that PHIL "
            f"has then seen less than {PAPERS['distances']:,} distances, {PAPERS['factor']:.0f} "
            "times less than SaIL, by the figures of SaIL's paper; here SaIL is our own, with "
            "more data than its authors give it. The last column is how many distances it takes to "
            "be as good as SaIL at its best."
        ],
        [
            "family",
            "method",
            "best",
            "converged after",
            "SaIL's over that",
            "as good as SaIL after",
        ],
        [
            [
                family,
                METHODS[method].title,
                f"{summary['best']:,.0f}",
                f"{summary['converged']:,}",
                f"{summaries[RIVAL]['converged'] / summary['converged']:.1f}",
                NOTHING if summary["met_rival"] is None else f"{summary['met_rival']:,}",
            ]
            for family, summaries in families.items()
            for method, summary in summaries.items()
        ],
    )


def summaries_of(points: Mapping[str, Points]) -> dict[str, dict[str, Any]]:
    """Of each training: its best, and the distances until it had converged and met the rival's.

    >>> summaries_of({"sail": [(10, 90.0), (20, 50.0)], "phil": [(5, 60.0), (9, 50.0)]})["phil"]
    {'best': 50.0, 'converged': 9, 'met_rival': 9, 'seen': 9}
    """
    best = {name: min(value for _, value in known) for name, known in points.items()}
    return {
        name: {
            "best": best[name],
            "converged": _reached(known, CONVERGED * best[name]),
            "met_rival": _reached(known, best[RIVAL]),
            "seen": known[-1][0],
        }
        for name, known in points.items()
    }


def points_of(rows: Sequence[Mapping[str, Any]]) -> list[tuple[int, float]]:
    """The validations of a training's log, by the distances seen until then."""
    seen = accumulate(row["distances"] for row in rows)
    return [
        (count, row["validation"])
        for count, row in zip(seen, rows, strict=True)
        if row["validation"] is not None
    ]


def _reached(points: Points, level: float) -> int | None:
    return next((count for count, value in points if value <= level), None)


def _name(method: str, family: str) -> str:
    return f"{NAME}-{method}-{family}"


def _train(request: Request, method: str, family: str) -> Content:
    spec, alike = METHODS[method], {"validation": VALIDATION}
    spec = replace(spec, settings={**spec.settings, **alike}, quick={**spec.quick, **alike})
    output = request.heuristics / request.named("figures") / f"{method}-{family}{SUFFIX}"
    problems = TABLE1.problems(request, family)
    file = train_once(output, problems, spec, 0, quick=request.quick)
    return {"method": method, "family": family, "points": points_of(log_rows(file))}
