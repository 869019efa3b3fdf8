"""The rows of Table 3: rooms, and what the paper prints for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

PRINTED = ("supervised", "astar", "euclidean", "bfs", "sail", "bfws", "phil", "oracle")


@dataclass(frozen=True)
class TableRoom:
    """A row of the table."""

    name: str  # of the room
    printed: Mapping[str, float]  # ratios to greedy Euclidean in the paper, by column


def _row(name: str, *printed: float) -> TableRoom:
    return TableRoom(name, dict(zip(PRINTED, printed, strict=True)))


ROOMS = {
    row.name: row
    for row in (
        _row("simple", 1.124, 76.052, 1.0, 291.888, 0.973, 1.286, 0.785, 0.782),
        _row("adversarial", 2.022, 67.215, 1.0, 238.768, 0.944, 1.583, 0.895, 0.853),
    )
}
