"""What the paper says of the time of PHIL per node, and the same of ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

MUCH = 2.0  # times as long: from there on in times, not in per cent


@dataclass(frozen=True)
class Claim:
    """That one method takes `ratio` of another's time per node, in the paper's words."""

    method: str
    other: str
    ratio: float


# "PHIL runs 57.9% faster than BFWS and 32.2% faster than SaIL, and not much slower than
# traditional A* (34.7%) and h_man (18.3%). Although Neural A* is 71.0% faster than PHIL ..."
CLAIMS = (
    Claim("phil", "bfws", 1 - 0.579),
    Claim("phil", "sail", 1 - 0.322),
    Claim("phil", "astar", 1 + 0.347),
    Claim("phil", "manhattan", 1 + 0.183),
    Claim("neural_astar", "phil", 1 - 0.710),
)


def ratio(claim: Claim, milliseconds: Mapping[str, float], phil: str) -> float:
    """Ours, with one of our networks as PHIL."""
    first, second = (phil if name == "phil" else name for name in (claim.method, claim.other))
    return milliseconds[first] / milliseconds[second]


def in_words(value: float) -> str:
    """A ratio of times as the paper puts it.

    >>> in_words(0.421), in_words(1.347), in_words(31.2)
    ('57.9 % faster', '34.7 % slower', '31.2 times as long')
    """
    if value >= MUCH:
        return f"{value:.1f} times as long"
    return f"{100 * abs(1 - value):.1f} % {'faster' if value < 1 else 'slower'}"


def agrees(value: float, claim: Claim) -> bool:
    """Whether the same of the two is the faster one."""
    return (value < 1) == (claim.ratio < 1)
