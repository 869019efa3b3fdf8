"""Numbers as the pages of tables show them."""

from __future__ import annotations

from collections.abc import Callable

NOTHING = "-"


def short(value: float | None) -> str:
    """Three digits that count, but none behind the third place.

    >>> short(1234.5), short(12.345), short(0.12345), short(None)
    ('1,234', '12.35', '0.123', '-')
    """
    if value is None:
        return NOTHING
    return f"{value:,.0f}" if value >= 100 else f"{value:.{2 if value >= 10 else 3}f}"


def count(value: float) -> str:
    """A mean of counts.

    >>> count(1234.5), count(12.345)
    ('1,234', '12.3')
    """
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def whole(value: float | None) -> str:
    """A count without decimals.

    >>> whole(1234.5), whole(None)
    ('1,234', '-')
    """
    return NOTHING if value is None else f"{value:,.0f}"


def with_spread(value: float, spread: float | None, written: Callable[[float], str] = short) -> str:
    """A mean over trainings, and the deviation between them if there are several.

    >>> with_spread(0.8, 0.02), with_spread(0.8, None)
    ('0.800 ± 0.020', '0.800')
    """
    return written(value) + (f" ± {written(spread)}" if spread is not None else "")


def round_to(value: float | None, digits: int = 4) -> float | None:
    """A number with so many significant digits, for files that stay small.

    >>> round_to(0.00123456)
    0.001235
    """
    return None if value is None else float(f"{value:.{digits}g}")
