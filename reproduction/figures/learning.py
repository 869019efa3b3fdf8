"""What trainings reach after how many distances of the oracle: the paper's claim of 5x less data.

"PHIL converges in up to N = 36 iterations, with m = 1, t_tau = 32 (i.e., after observing less than
N * t_tau * max(|V_new|) = 9,216 shortest path distances). According to figures reported in [SaIL],
this is approximately 5x less data than it takes for SaIL to converge."
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

from phil.heuristics.registry import SUFFIX
from reproduction.curves import TrainingCurve, curves_svg
from reproduction.figures.figure import Drawn, Figure
from reproduction.figures.sources import Sources
from reproduction.legacy.parts import Part, make_parts
from reproduction.legacy.table1.columns import COLUMNS
from reproduction.legacy.training import train_once
from reproduction.numbers import NOTHING

TRAINED = ("phil_paper", "phil", "sail")
RIVAL = "sail"
VALIDATION = 40  # maps, for all alike; the paper's preset has no more
CONVERGED = 1.05  # times the best that a training ever reaches
WORKERS = 2
PAPERS = {"distances": 9216, "factor": 5.0}

Points = Sequence[tuple[int, float]]  # distances so far, mean expansions on the validation maps


def draw(sources: Sources) -> Drawn:
    """A panel a family, a line a training; below, after how many distances each converged."""
    parts = parts_of(sources)
    make_parts(list(parts.values()), 1 if sources.quick else WORKERS, lambda _: None)
    found = {key: part.read() for key, part in parts.items()}
    titles = [COLUMNS[name].title for name in TRAINED]
    panels = {
        family: [
            TrainingCurve(COLUMNS[name].title, found[family, name]["points"]) for name in TRAINED
        ]
        for family in sources.families
    }
    summaries = {
        family: summaries_of({name: found[family, name]["points"] for name in TRAINED})
        for family in sources.families
    }
    return Drawn(
        curves_svg(
            panels,
            titles,
            "mean expansions on validation maps, best so far",
            "figures",
            across="distances of the oracle so far",
        ),
        f"One training each, all validated on the first {VALIDATION} validation maps. A distance "
        "counts once for every node written down with it to be learned from, in all runs and "
        "candidates of a training together; those that only steer the oracle's steps of a roll-out "
        "do not count. A training has converged at the first validation within "
        f"{100 * (CONVERGED - 1):.0f} % of the best it ever reaches. The paper says that PHIL has "
        f"then seen less than {PAPERS['distances']:,} distances, {PAPERS['factor']:.0f} times less "
        "than SaIL, of whose figures it takes those of SaIL's paper; here SaIL is our own, with "
        "more data than its authors give it. The last column is how many distances it takes to "
        "be as good as SaIL at its best.",
        {"paper": PAPERS, "families": summaries},
        [
            "family",
            "method",
            "best",
            "converged after",
            "SaIL's over that",
            "as good as SaIL after",
        ],
        [
            _row(family, name, summary, found[RIVAL]["converged"])
            for family, found in summaries.items()
            for name, summary in found.items()
        ],
    )


def parts_of(sources: Sources) -> dict[tuple[str, str], Part]:
    """The trainings, by family and method."""
    return {
        (family, name): _part(sources, name, family)
        for family in sources.families
        for name in TRAINED
    }


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


def _row(family: str, name: str, summary: Mapping[str, Any], rival: int) -> list[str]:
    met = summary["met_rival"]
    return [
        family,
        COLUMNS[name].title,
        f"{summary['best']:,.0f}",
        f"{summary['converged']:,}",
        f"{rival / summary['converged']:.1f}",
        NOTHING if met is None else f"{met:,}",
    ]


def _part(sources: Sources, name: str, family: str) -> Part:
    path = sources.folder / f"learning-{name}-{family}.json"
    return Part(path, partial(_train, sources, name, family))


def _train(sources: Sources, name: str, family: str) -> dict[str, Any]:
    column, problems = COLUMNS[name], sources.maps.problems(family)
    output = sources.heuristics / sources.name / f"{name}-{family}{SUFFIX}"
    alike = {"validation": VALIDATION}
    column = replace(column, settings={**column.settings, **alike}, quick={**column.quick, **alike})
    file = train_once(output, problems, column, 0, quick=sources.quick)
    rows = [json.loads(line) for line in Path(f"{file}.log.jsonl").read_text().splitlines()]
    return {"method": name, "family": family, "points": points_of(rows)}


FIGURE = Figure("learning", "Learning curves by distances seen", draw)
