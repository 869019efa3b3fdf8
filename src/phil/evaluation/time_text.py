"""Times and ratios as people read them."""

from __future__ import annotations

MICRO = 1e6  # microseconds of a second


def time_text(microseconds: float) -> str:
    """A time with three digits, in the unit that fits.

    >>> time_text(0.1234), time_text(98.76), time_text(12_345), time_text(3.21e6), time_text(0)
    ('0.123 µs', '98.8 µs', '12.3 ms', '3.21 s', '0 µs')
    """
    for unit, size in (("µs", 1.0), ("ms", 1e3)):
        if microseconds < 999.5 * size:
            return f"{digits(microseconds / size)} {unit}"
    return f"{digits(microseconds / 1e6)} s"


def digits(value: float) -> str:
    """A number with three digits.

    >>> digits(1234.5), digits(12.345), digits(1.2345), digits(0.012345)
    ('1,234', '12.3', '1.23', '0.0123')
    """
    if value >= 99.95:
        return f"{value:,.0f}"
    return (
        f"{value:.1f}" if value >= 9.995 else f"{value:.2f}" if value >= 0.9995 else f"{value:.3g}"
    )
