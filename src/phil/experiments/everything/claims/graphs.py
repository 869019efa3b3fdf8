"""The claims on Table 2, judged with the paper's features and again with our best ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import mean
from typing import Any

from phil.experiments.everything.claims.verdict import PHIL, Verdict, judged, percent
from phil.experiments.experiment import Document
from phil.experiments.table2.page import best_rival

WHERE = "Table 2"
AHEAD = 10 / 12
OVER_BEST, OVER_BEST_WITHOUT, OVER_EUCLIDEAN_WITHOUT = 0.134, 0.195, 0.204
OF_OGB = ("molhiv", "syntax_trees")

Row = Mapping[str, Any]
Rows = Mapping[str, Row]


def claims(document: Document) -> Iterator[Verdict]:
    """On how many sets PHIL is ahead, and by how much over all."""
    for title, position in (("the paper's features", 0), ("our best features", -1)):
        tiers = {name: [*row["tiers"]][position] for name, row in document["sets"].items()}
        rows = {
            name: row
            for name, row in document["sets"].items()
            if PHIL in row["tiers"][tiers[name]]["methods"]
        }
        if rows:
            yield from _with_features(title, rows, tiers)


def _with_features(title: str, rows: Rows, tiers: Mapping[str, str]) -> Iterator[Verdict]:
    saved = {name: _over_best(row, tiers[name]) for name, row in rows.items()}
    behind = [name for name, share in saved.items() if share <= 0]
    yield Verdict(
        WHERE,
        f"with {title} PHIL expands less than every baseline on all sets but two",
        "10 of 12",
        f"{len(rows) - len(behind)} of {len(rows)}",
        judged(1 - len(behind) / len(rows), AHEAD, margin=1e-9),
        "; ".join(_remarks(behind, rows)),
    )
    for text, printed, measure, left_out in (
        ("the best baseline of each set", OVER_BEST, _over_best, ()),
        ("the same, without OGB's two sets", OVER_BEST_WITHOUT, _over_best, OF_OGB),
        (
            "greedy Euclidean search, without OGB's two sets",
            OVER_EUCLIDEAN_WITHOUT,
            _over_euclidean,
            OF_OGB,
        ),
    ):
        kept = {name: row for name, row in rows.items() if name not in left_out}
        if kept:
            yield _mean_saving(
                f"with {title} PHIL saves over {text}", printed, measure, kept, tiers
            )


def _remarks(behind: Sequence[str], rows: Rows) -> Iterator[str]:
    if behind:
        yield f"behind on {', '.join(behind)}"
    others = [name for name, row in rows.items() if row["printed_for"]]
    if others:
        yield f"{', '.join(others)} stand in for the paper's own data (docs/data.md)"


def _mean_saving(
    claim: str,
    printed: float,
    measure: Callable[[Row, str], float],
    rows: Rows,
    tiers: Mapping[str, str],
) -> Verdict:
    saved = {name: measure(row, tiers[name]) for name, row in rows.items()}
    ours = mean(saved.values())
    least = min(saved, key=lambda name: saved[name])
    outcome = judged(ours, printed)
    return Verdict(
        WHERE,
        claim,
        percent(printed),
        f"{percent(ours)}, mean of {len(saved)} sets",
        outcome,
        "" if outcome == "better" else f"least on {least}, {percent(saved[least])}",
    )


def _over_best(row: Row, tier: str) -> float:
    """What PHIL saves over the best of the others that have the same features."""
    rival = best_rival(row, tier)
    assert rival is not None  # what learns nothing is always run
    return 1 - float(row["tiers"][tier]["methods"][PHIL]["ratio"]) / rival[1]


def _over_euclidean(row: Row, tier: str) -> float:
    return 1 - float(row["tiers"][tier]["methods"][PHIL]["ratio"])
