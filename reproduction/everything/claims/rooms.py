"""The claims on Table 3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reproduction.everything.claims.verdicts import (
    PAPER,
    PHIL,
    UNDECIDED,
    Methods,
    Outcome,
    Verdict,
    against,
    judged,
    verdict,
)
from reproduction.experiment import Document
from reproduction.intervals import Compared, difference_interval
from reproduction.markup import percent
from reproduction.table3.methods import LIMIT, METHODS, OF_PHIL

WHERE = "Table 3"
NEAR = 0.02  # of a saving over greedy search: still the same
_OTHER_ROOMS = "the paper's rooms are not published; these are others"
_BY_HEART = "a room hardly changes: rivals that train as long as PHIL learn it nearly by heart"

Row = Mapping[str, Any]


def claims(document: Document) -> Iterator[Verdict]:
    """In each room: PHIL against all, against the shortest path, against greedy search."""
    for room, row in document["rooms"].items():
        if {PHIL, LIMIT} <= row["methods"].keys():
            yield _below_all(room, row["methods"], document["titles"])
            yield _over_shortest(room, row)
            yield _over_greedy(room, row)
            yield from _literal(room, row)


def _below_all(room: str, methods: Methods, titles: Mapping[str, str]) -> Verdict:
    # Of those that search from the start, as all of the paper's do.
    rivals = {
        name: summary["ratio"]
        for name, summary in methods.items()
        if name not in (*OF_PHIL, LIMIT) and not METHODS[name].both_ends
    }
    best = min(rivals, key=lambda name: rivals[name])
    which = against(methods[PHIL], methods[best])
    low, high = difference_interval(methods[PHIL]["by_problem"], methods[best]["by_problem"])
    outcomes: dict[Compared, Outcome] = {
        "less": "reproduced",
        "more": "not reproduced",
        "undecided": "undecided",
    }
    return verdict(
        WHERE,
        f"PHIL expands less than every baseline in the room `{room}`",
        "yes",
        f"{methods[PHIL]['ratio']:.3f}; {titles[best]} {rivals[best]:.3f}; PHIL - {titles[best]} "
        f"{low:+.2f} to {high:+.2f} expansions (95 %)",
        outcomes[which],
        _BY_HEART if which == "more" else UNDECIDED,
    )


def _over_shortest(room: str, row: Row) -> Verdict:
    printed = row["printed"][PHIL] / row["printed"][LIMIT] - 1
    found = row["methods"][PHIL]["over_shortest"]
    ours, (low, high) = found["ratio"] - 1, (end - 1 for end in found["ratio_interval"])
    outcome: Outcome = "better" if high < printed else "reproduced"
    if printed < low:
        outcome = "not reproduced"
    return verdict(
        WHERE,
        f"what PHIL expands beyond a shortest path in `{room}`",
        percent(printed),
        f"{percent(ours)} (95 %: {percent(low)} to {percent(high)})",
        outcome,
        _OTHER_ROOMS,
    )


def _over_greedy(room: str, row: Row) -> Verdict:
    printed, ours = 1 - row["printed"][PHIL], 1 - row["methods"][PHIL]["ratio"]
    most = 1 - row["methods"][LIMIT]["ratio"]
    return verdict(
        WHERE,
        f"what PHIL saves over greedy Euclidean search in `{room}`",
        percent(printed),
        f"{percent(ours)}; a shortest path saves {percent(most)}",
        judged(ours, printed, NEAR),
        _OTHER_ROOMS,
    )


def _literal(room: str, row: Row) -> Iterator[Verdict]:
    """The paper's settings: what they reach is the paper's claim too."""
    found = row["methods"].get(PAPER)
    if found is None:
        return
    ours, printed = found["ratio"], row["printed"][PHIL]
    yield verdict(
        WHERE,
        f"PHIL with the paper's settings over greedy Euclidean search in `{room}`",
        f"{printed:.3f}",
        f"{ours:.3f}",
        judged(-ours, -printed, NEAR),
        "other settings train better here",
    )
