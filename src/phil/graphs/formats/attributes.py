"""What the names of attributes and columns mean, in every format that names them."""

from __future__ import annotations

import math
from collections.abc import Collection

from phil.errors import InputError

WEIGHTS = ("weight", "length", "travel_time")  # the first that a file has
DEGREES = (("lon", "lat"), ("longitude", "latitude"))
PLACES = frozenset({"x", "y", "z", "lon", "lat", "longitude", "latitude"})


def weight_name(given: Collection[str], chosen: str | None, where: str) -> str | None:
    """The attribute that is the weight: the chosen one, else the first of `WEIGHTS` that is there.

    >>> weight_name(["name", "travel_time", "length"], None, "roads.graphml")
    'length'
    """
    if chosen is None:
        return next((name for name in WEIGHTS if name in given), None)
    if chosen not in given:
        known = ", ".join(given) or "none"
        raise InputError(f"{where}: edges have no attribute {chosen!r}; they have: {known}")
    return chosen


def place_names(given: Collection[str]) -> tuple[str, ...]:
    """The attributes that say where nodes are: x, y or lon, lat, and z if it is there; or none.

    >>> place_names(["size", "y", "x"])
    ('x', 'y')
    """
    pairs = (("x", "y"), *DEGREES)
    found = next((pair for pair in pairs if pair[0] in given and pair[1] in given), ())
    return (*found, "z") if found and "z" in given else found


def finite(text: str) -> float | None:
    """The number that a text says; None where it says none, or one that is not finite."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
