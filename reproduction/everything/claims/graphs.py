"""The claims on Table 2, judged with the paper's features; our best ones are told beside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from statistics import mean
from typing import Any

from reproduction.everything.claims.verdicts import (
    PAPER,
    PHIL,
    Verdict,
    judged,
    verdict,
    within,
)
from reproduction.experiment import Document
from reproduction.markup import percent
from reproduction.table2.page import best_rival

WHERE = "Table 2"
AHEAD = 10 / 12
OVER_BEST, OVER_BEST_WITHOUT, OVER_EUCLIDEAN = 0.134, 0.195, 0.204
OF_OGB = ("molhiv", "syntax_trees")
FIRST, BEST = 0, -1  # tiers of features

Row = Mapping[str, Any]
Rows = Mapping[str, Row]
Saving = Callable[[Row, int], float]
PrintedSaving = Callable[[Mapping[str, float]], float]


def claims(document: Document) -> Iterator[Verdict]:
    """On how many sets PHIL is ahead, and by how much over all."""
    rows = {
        name: row
        for name, row in document["sets"].items()
        if all(PHIL in _methods(row, tier) for tier in (FIRST, BEST))
    }
    if not rows:
        return
    without = {name: row for name, row in rows.items() if name not in OF_OGB}
    yield _ahead(rows, document["titles"])
    over_best = (_over_best, _printed_over_best)
    yield _saving("the best baseline of each set", OVER_BEST, rows, *over_best)
    if without:
        text = "the best baseline of each set, without OGB's two sets"
        yield _saving(text, OVER_BEST_WITHOUT, without, *over_best)
    over_euclidean = (_over_euclidean, _printed_over_euclidean)
    yield _saving("greedy Euclidean search", OVER_EUCLIDEAN, rows, *over_euclidean)
    yield from _literal(rows)


def _ahead(rows: Rows, titles: Mapping[str, str]) -> Verdict:
    behind = {
        tier: [name for name, row in rows.items() if _over_best(row, tier) <= 0]
        for tier in (FIRST, BEST)
    }
    counts = {tier: len(rows) - len(names) for tier, names in behind.items()}
    return Verdict(
        WHERE,
        "PHIL expands less than every baseline on all sets but two",
        "10 of 12",
        f"{counts[FIRST]} of {len(rows)} ({counts[BEST]} with our best features)",
        judged(counts[FIRST] / len(rows), AHEAD, margin=1e-9),
        "; ".join(_remarks(behind[FIRST], rows, titles)),
    )


def _remarks(behind: list[str], rows: Rows, titles: Mapping[str, str]) -> Iterator[str]:
    if behind:
        yield f"behind on {', '.join(behind)}"
    others = [name for name, row in rows.items() if row["printed_for"]]
    if others:
        yield f"{', '.join(others)} stand in for the paper's own data (docs/data.md)"
    for method in dict.fromkeys(method for row in rows.values() for method in row["printed"]):
        missing = [name for name, row in rows.items() if method not in _methods(row, FIRST)]
        if missing:
            yield f"{titles[method]} was not run on {', '.join(missing)}"


def _saving(
    rival: str, printed: float, rows: Rows, saving: Saving, printed_saving: PrintedSaving
) -> Verdict:
    ours, best = (mean(saving(row, tier) for row in rows.values()) for tier in (FIRST, BEST))
    by_table = mean(printed_saving(row["printed"]) for row in rows.values())
    outcome = judged(ours, max(printed, by_table))
    saved = {name: saving(row, FIRST) for name, row in rows.items()}
    least = min(saved, key=lambda name: saved[name])
    return Verdict(
        WHERE,
        f"PHIL saves {percent(printed)} over {rival}",
        f"{percent(printed)}; mean over its table: {percent(by_table)}",
        f"{percent(ours)} ({percent(best)} with our best features), mean of {len(rows)} sets",
        outcome,
        "" if outcome == "better" else f"least on {least}, {percent(saved[least])}",
    )


def _literal(rows: Rows) -> Iterator[Verdict]:
    """On the paper's own data: what its method reaches is its claim too."""
    found = {
        name: within(_methods(row, FIRST)[PAPER]["ratio_interval"], row["printed"][PHIL])
        for name, row in rows.items()
        if PAPER in _methods(row, FIRST) and not row["printed_for"]
    }
    if not found:
        return
    missed = [name for name, outcome in found.items() if outcome == "not reproduced"]
    yield verdict(
        WHERE,
        "the paper's method reaches the paper's figures, over greedy Euclidean search",
        f"{len(found)} of {len(found)}",
        f"{len(found) - len(missed)} of {len(found)}",
        not missed,
        f"not on {', '.join(missed)}; other settings train better here",
    )


def _methods(row: Row, tier: int) -> Row:
    found: Row = [*row["tiers"].values()][tier]["methods"]
    return found


def _over_best(row: Row, tier: int) -> float:
    """What PHIL saves over the best of the others that have the same features.

    Only those that search from the start, as all of the paper's do, count as baselines.
    """
    rival = best_rival(row, [*row["tiers"]][tier], both_ends=False)
    assert rival is not None  # what learns nothing is always run
    return 1 - float(_methods(row, tier)[PHIL]["ratio"]) / rival[1]


def _over_euclidean(row: Row, tier: int) -> float:
    return 1 - float(_methods(row, tier)[PHIL]["ratio"])


def _printed_over_best(printed: Mapping[str, float]) -> float:
    return 1 - printed[PHIL] / min(value for name, value in printed.items() if name != PHIL)


def _printed_over_euclidean(printed: Mapping[str, float]) -> float:
    return 1 - printed[PHIL]
