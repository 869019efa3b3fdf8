"""Tables in Markdown, and the ratios in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from phil.evaluation.timing import digits


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table, the first column to the left, numbers to the right."""
    return [
        f"| {' | '.join(header)} |",
        "|---" + "|--:" * (len(header) - 1) + "|",
        *(f"| {' | '.join(row)} |" for row in rows),
        "",
    ]


def times_text(ratio: float) -> str:
    """A ratio with three digits."""
    return f"{digits(ratio)}x"
