"""The claims on Table 1.

The paper's figures are in SaIL's unit, which takes 200 off all expansions and so makes differences
larger. What is told in per cent or times is judged in that unit and in plain expansions, and the
worse verdict counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reproduction.everything.claims.verdicts import (
    LITERAL,
    PHIL,
    SAIL,
    UNKNOWN,
    Methods,
    Verdict,
    ahead,
    judged,
    verdict,
    worse,
)
from reproduction.experiment import Document
from reproduction.markup import percent
from reproduction.table1.table import LEAST, SPAN

WHERE = "Table 1"
LIMIT = "oracle"
UNIT, PLAIN = "in_sail_unit", "expansions"
LARGEST_ON = "gaps_and_forest"
SAVING, LARGEST, TIMES = 0.585, 0.823, 4.0
NEAR = 0.01
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
    below = [family for family, row in families.items() if _ahead(row, PHIL, SAIL)]
    behind = [family for family in families if family not in below]
    return verdict(
        WHERE,
        "PHIL expands less than SaIL on every family",
        "8 of 8",
        f"{len(below)} of {len(families)}, by more than trainings differ",
        not behind,
        f"not on {', '.join(behind)}",
    )


def _none_below(families: Families, titles: Mapping[str, str]) -> Verdict:
    below = {
        family: [
            titles[name]
            for name, summary in row.items()
            if name != PHIL and summary["printed"] is not None and _ahead(row, name, PHIL)
        ]
        for family, row in families.items()
    }
    kept = sum(not names for names in below.values())
    return Verdict(
        WHERE,
        "none of the paper's baselines expands less than PHIL",
        "on 7 of 8 families",
        f"on {kept} of {len(families)}, by more than trainings differ",
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
        phil = row[PHIL]
        ours, paper, spread = phil[UNIT], phil["printed"], phil["deviation"]
        if paper is None:
            continue
        beside = "" if spread is None else f" ± {spread:,.0f}"
        yield verdict(
            WHERE,
            f"PHIL on {family}, in SaIL's unit",
            f"{paper:.3f}",
            f"{ours:.3f} ({phil[PLAIN]:,.0f}{beside} expansions)",
            judged(-ours, -paper, (spread or 0.0) / SPAN),
            _limit(row, paper),
        )


def _literal(families: Families) -> Iterator[Verdict]:
    found = {
        family: (row[LITERAL][UNIT], row[PHIL]["printed"])
        for family, row in families.items()
        if LITERAL in row and row[PHIL]["printed"] is not None
    }
    if not found:
        return
    reached = [family for family, (ours, paper) in found.items() if ours <= paper]
    yield verdict(
        WHERE,
        "the method and settings as printed, read literally, reach the paper's figures",
        f"{len(found)} of {len(found)}",
        f"{len(reached)} of {len(found)}",
        len(reached) == len(found),
        "docs/method.md says what was changed, and why",
    )


def _ahead(row: Methods, first: str, second: str) -> bool:
    return ahead(row[first], row[second], PLAIN, "deviation")


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
