"""Columns of the features that belong together."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class FeatureGroup:
    """Columns of the features that belong together, such as coordinates or distances to landmarks.

    `alike`: they have one unit, so that scaling must not stretch one against another.
    """

    name: str
    size: int
    alike: bool = False
