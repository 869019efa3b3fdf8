"""Tables in Markdown, and numbers as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table, the first column to the left, numbers to the right."""
    return [
        f"| {' | '.join(header)} |",
        "|---" + "|--:" * (len(header) - 1) + "|",
        *(f"| {' | '.join(row)} |" for row in rows),
        "",
    ]


def time_text(microseconds: float) -> str:
    """A time with three digits, in the unit that fits.

    >>> time_text(0.1234), time_text(98.76), time_text(12_345), time_text(3.21e6)
    ('0.123 µs', '98.8 µs', '12.3 ms', '3.21 s')
    """
    for unit, size in (("µs", 1.0), ("ms", 1e3)):
        if microseconds < 999.5 * size:
            return f"{_digits(microseconds / size)} {unit}"
    return f"{_digits(microseconds / 1e6)} s"


def times_text(ratio: float) -> str:
    """A ratio with three digits."""
    return f"{_digits(ratio)}x"


def _digits(value: float) -> str:
    if value >= 99.95:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 9.995 else f"{value:.2f}" if value >= 1 else f"{value:.3g}"
