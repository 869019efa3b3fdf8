"""The claims on Table 1.

The paper copies the figures of SaIL and its rivals from SaIL's paper, in a unit that takes 200 off
all expansions. Its own figures are possible only as ratios to A* (in SaIL's unit, one of them would
be below the shortest path), so PHIL's are judged so, with SaIL's unit beside. What is told in per
cent or times is judged in SaIL's unit and in plain expansions, and the worse verdict counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reproduction.everything.claims.verdicts import (
    PAPER,
    PHIL,
    PRINTED,
    SAIL,
    UNKNOWN,
    Methods,
    Outcome,
    Verdict,
    against,
    judged,
    verdict,
    within,
    worse,
)
from reproduction.experiment import Document
from reproduction.intervals import ratio_interval
from reproduction.markup import percent
from reproduction.table1.table import LEAST, SPAN

WHERE = "Table 1"
LIMIT, ASTAR = "oracle", "astar"
UNIT, PLAIN = "in_sail_unit", "expansions"
LARGEST_ON = "gaps_and_forest"
SAVING, LARGEST, TIMES = 0.585, 0.823, 4.0
NEAR = 0.01
LITERAL = {
    PAPER: "the paper's method, with roll-outs that reach the goal",
    PRINTED: "the paper's method, with its settings to the letter",
}
OF_ALL_BASELINES = 7 / 8  # in the paper's table CEM is below PHIL on single_bugtrap

Families = Mapping[str, Methods]


def claims(document: Document) -> Iterator[Verdict]:
    """PHIL against SaIL, against all baselines, and against the paper's own PHIL."""
    families: Families = {
        family: row["methods"]
        for family, row in document["families"].items()
        if {PHIL, SAIL} <= row["methods"].keys()
    }
    if not families:
        return
    yield _below_sail(families)
    yield _none_below(families, document["titles"])
    yield _saving(families)
    yield _times(families)
    if LARGEST_ON in families:
        yield _largest(families)
    yield from _own(families)
    yield from _literal(families)


def _below_sail(families: Families) -> Verdict:
    found = {family: against(row[PHIL], row[SAIL]) for family, row in families.items()}
    below = [family for family, which in found.items() if which == "less"]
    behind = [family for family, which in found.items() if which == "more"]
    open_ones = [family for family, which in found.items() if which == "undecided"]
    outcome: Outcome = "not reproduced" if behind else "undecided" if open_ones else "reproduced"
    return verdict(
        WHERE,
        "PHIL expands less than SaIL on every family",
        "8 of 8",
        f"{len(below)} of {len(families)}, by intervals over trainings and problems",
        outcome,
        f"not on {', '.join(behind)}" if behind else f"undecided on {', '.join(open_ones)}",
    )


def _none_below(families: Families, titles: Mapping[str, str]) -> Verdict:
    below = {
        family: [
            titles[name]
            for name, summary in row.items()
            if name != PHIL
            and summary["printed"] is not None
            and against(summary, row[PHIL]) == "less"
        ]
        for family, row in families.items()
    }
    kept = sum(not names for names in below.values())
    return Verdict(
        WHERE,
        "none of the paper's baselines expands less than PHIL",
        "on 7 of 8 families",
        f"on {kept} of {len(families)}, by intervals over trainings and problems",
        judged(kept / len(families), OF_ALL_BASELINES, margin=1e-9),
        "; ".join(f"{' and '.join(names)} on {family}" for family, names in below.items() if names),
    )


def _saving(families: Families) -> Verdict:
    ours = {unit: 1 - _total(families, PHIL, unit) / _total(families, SAIL, unit)
            for unit in (UNIT, PLAIN)}  # fmt: skip
    plain = 1 - _printed_total(families, PHIL) / _printed_total(families, SAIL)
    return Verdict(
        WHERE,
        "over all families PHIL expands 58.5 % less than SaIL",
        f"{percent(SAVING)} in SaIL's unit, {percent(plain)} in plain expansions",
        f"{percent(ours[UNIT])} in SaIL's unit, {percent(ours[PLAIN])} in plain expansions",
        worse(judged(ours[UNIT], SAVING, NEAR), judged(ours[PLAIN], plain, NEAR)),
        "SaIL, too, is better here than in the paper",
    )


def _times(families: Families) -> Verdict:
    ours = {
        unit: max(row[SAIL][unit] / row[PHIL][unit] for row in families.values())
        for unit in (UNIT, PLAIN)
    }
    plain = max(
        _plain(row[SAIL]["printed"]) / _plain(row[PHIL]["printed"]) for row in families.values()
    )
    return Verdict(
        "Introduction",
        "on some family PHIL is 4 times better than learned heuristics (SaIL)",
        f"{TIMES:.1f}; by its table {plain:.1f} in plain expansions",
        f"{ours[UNIT]:.1f} in SaIL's unit, {ours[PLAIN]:.1f} in plain expansions",
        worse(judged(ours[UNIT], TIMES), judged(ours[PLAIN], plain, 0.1 * plain)),
    )


def _largest(families: Families) -> Verdict:
    row = families[LARGEST_ON]
    ours = 1 - row[PHIL][UNIT] / row[SAIL][UNIT]
    return verdict(
        WHERE,
        f"on {LARGEST_ON} PHIL saves 82.3 % over SaIL, in SaIL's unit",
        percent(LARGEST),
        f"{percent(ours)}: PHIL {row[PHIL][UNIT]:.3f} (paper {row[PHIL]['printed']:.3f}), SaIL "
        f"{row[SAIL][UNIT]:.3f} ({row[SAIL]['printed']:.3f})",
        judged(ours, LARGEST, NEAR),
        _limit(row, row[PHIL]["printed"]),
    )


def _own(families: Families) -> Iterator[Verdict]:
    for family, row in families.items():
        phil, paper = row[PHIL], row[PHIL]["printed"]
        if paper is None or ASTAR not in row:
            continue
        low, high = _over_astar(row, PHIL)
        yield verdict(
            WHERE,
            f"PHIL on {family}, over A*",
            f"{paper:.3f}",
            f"{phil[PLAIN] / row[ASTAR][PLAIN]:.3f} (95 %: {low:.3f} to {high:.3f}; "
            f"{phil[PLAIN]:,.0f} expansions, {phil[UNIT]:.3f} in SaIL's unit)",
            within((low, high), paper),
        )


def _literal(families: Families) -> Iterator[Verdict]:
    for name, text in LITERAL.items():
        found = {
            family: within(_over_astar(row, name), row[PHIL]["printed"])
            for family, row in families.items()
            if {name, ASTAR} <= row.keys() and row[PHIL]["printed"] is not None
        }
        if not found:
            continue
        missed = [family for family, outcome in found.items() if outcome == "not reproduced"]
        yield verdict(
            WHERE,
            f"{text}, reaches the paper's figures, over A*",
            f"{len(found)} of {len(found)}",
            f"{len(found) - len(missed)} of {len(found)}",
            not missed,
            f"not on {', '.join(missed)}; docs/method.md says how the paper is read",
        )


def _over_astar(row: Methods, name: str) -> tuple[float, float]:
    return ratio_interval(row[name]["by_problem"], row[ASTAR]["by_problem"])


def _limit(row: Methods, paper: float) -> str:
    """Whether any search could have reached the paper's figure."""
    if LIMIT in row and row[LIMIT][UNIT] > paper:
        return f"a shortest path has {row[LIMIT][UNIT]:.3f} here: no search can be below"
    return UNKNOWN


def _total(families: Families, method: str, unit: str) -> float:
    return float(sum(row[method][unit] for row in families.values()))


def _printed_total(families: Families, method: str) -> float:
    return sum(_plain(row[method]["printed"]) for row in families.values())


def _plain(printed: float) -> float:
    """A printed figure in expansions."""
    return LEAST + SPAN * printed
