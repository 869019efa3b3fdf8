"""What was asked of Table 3 before anything was trained, and whether it was reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reproduction.numbers import short
from reproduction.table3.columns import LIMIT, OF_PHIL, PHIL

NEAR_THE_PAPER = 0.05  # the shortest path over greedy Euclidean
OVER_SHORTEST = 0.05  # PHIL's expansions
OF_CHECKS, OF_TIME = 1 / 5, 1 / 4  # of A*'s, on the implicit graph

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Target:
    """What was asked, and what came of it."""

    asked: str
    reached: str
    met: bool


def targets(row: Row, titles: Mapping[str, str]) -> Iterator[Target]:
    """Those of a room that can be judged by what is there."""
    methods = row["methods"]
    yield _room_is_like_the_papers(row)
    if PHIL in methods:
        yield _near_shortest(methods[PHIL])
        yield _below_all(methods, titles)
    if row["checks"] is not None:
        yield from _checks(row["checks"]["methods"][PHIL])
    if row["flights"] is not None:
        yield _flights(row["flights"], row["problems"]["voxel"])


def _room_is_like_the_papers(row: Row) -> Target:
    ratio, printed = row["methods"][LIMIT]["ratio"], row["printed"][LIMIT]
    return Target(
        f"shortest path over greedy Euclidean within {NEAR_THE_PAPER} of {printed}",
        short(ratio),
        abs(ratio - printed) <= NEAR_THE_PAPER,
    )


def _near_shortest(phil: Row) -> Target:
    over = phil["over_shortest"]["ratio"] - 1
    return Target(
        f"PHIL's expansions within {OVER_SHORTEST:.0%} of the shortest path's",
        f"{over:.1%} more",
        over <= OVER_SHORTEST,
    )


def _below_all(methods: Row, titles: Mapping[str, str]) -> Target:
    rivals = {
        name: summary["ratio"] for name, summary in methods.items() if name not in (*OF_PHIL, LIMIT)
    }
    best = min(rivals, key=lambda name: rivals[name])
    ratio = methods[PHIL]["ratio"]
    return Target(
        "PHIL's expansions below those of every baseline",
        f"{short(ratio)}; the best baseline, {titles[best]}, {short(rivals[best])}",
        ratio < rivals[best],
    )


def _checks(phil: Row) -> Iterator[Target]:
    for what, title, most in (
        ("checks", "collision checks", OF_CHECKS),
        ("milliseconds", "wall time", OF_TIME),
    ):
        ratio = phil[f"{what}_ratio"]
        yield Target(
            f"on the implicit graph, PHIL's {title} at most {most} of A*'s",
            short(ratio),
            ratio <= most,
        )


def _flights(flights: Row, voxel: float) -> Target:
    error = flights["mean_error"]
    return Target(
        f"{flights['flights']} flights without contact, mean error below {50 * voxel:.0f} cm",
        f"{flights['touched']} with contact, {100 * error:.1f} cm",
        flights["touched"] == 0 and error < voxel / 2,
    )
