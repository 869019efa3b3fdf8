"""Round corners: straight lines into curves without kinks, still in free space.

A curve is a cubic B-spline. Its control points are the corners of the straight lines and, on both
sides of each, a point at the corner's reach: between corners it is then straight, and its curvature
is continuous. The smaller the reach, the nearer it keeps to the corner. Where it would leave free
space the reach is halved, and where it would get too small the drone stops and turns on the spot:
one curve ends there and another begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BSpline, CubicSpline

from phil.flight.free_space import FreeSpace, Points

LONGEST_REACH = 0.5  # metres
TIGHTEST = 0.007  # metres: the radius of the tightest bend that is flown without a stop
CUBIC = 3
SPACING = 0.002  # metres between the places that give a curve's length


@dataclass(frozen=True)
class Curve:
    """A curve by its length: `places(s)` is where it is after s metres."""

    places: CubicSpline
    length: float


def rounded(corners: Points, space: FreeSpace) -> list[Curve]:
    """Curves from the first of these points to the last, each beginning where another ends."""
    if len(corners) < 2:
        return []
    sides = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    least = _least_reaches(corners)
    reaches = np.minimum(np.minimum(sides[:-1], sides[1:]) / 2, LONGEST_REACH)
    while True:
        reaches[reaches < least] = 0
        stops = [0, *(np.flatnonzero(reaches == 0) + 1).tolist(), len(corners) - 1]
        curves: list[Curve] = []
        tight: set[int] = set()
        for first, last in pairwise(stops):
            inner = reaches[first : last - 1]
            curve, blocked = _through(corners[first : last + 1], inner, space)
            curves.append(curve)
            tight.update(first + corner for corner in blocked)
        if not tight:
            return curves
        reaches[list(tight)] /= 2


def _least_reaches(corners: Points) -> NDArray[np.float64]:
    """How far every inner corner must reach for its bend to be flown.

    By the spline's derivatives, a bend that turns by an angle a at a reach r has the radius
    r cos^2(a / 2) / (2 tan(a / 2)) in its middle.
    """
    ways = np.diff(corners, axis=0)
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    cosines = np.einsum("ij,ij->i", ways[:-1], ways[1:]).clip(-1 + 1e-12, 1)
    halves = np.arccos(cosines) / 2
    least: NDArray[np.float64] = TIGHTEST * 2 * np.tan(halves) / np.cos(halves) ** 2
    return least


def _through(
    corners: Points, reaches: NDArray[np.float64], space: FreeSpace
) -> tuple[Curve, set[int]]:
    """The curve along these corners, and which of the inner ones it is not free at."""
    controls, middles = _controls(corners, reaches)
    # Uniform knots, such that control number k counts most where the parameter is k.
    spline = BSpline(np.arange(len(controls) + CUBIC + 1) - 2.0, controls, CUBIC)
    bends = np.linalg.norm(np.diff(controls, axis=0), axis=1)
    spans = [
        np.linspace(k, k + 1, max(2, int(np.ceil(bends[k] / SPACING))), endpoint=False)
        for k in range(1, len(controls) - 2)
    ]
    parameters = np.concatenate([*spans, [len(controls) - 2.0]])
    points = spline(parameters)
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    asked = np.searchsorted(lengths, np.arange(0, lengths[-1], space.step))
    hit = parameters[asked[~space.free(points[asked])]]
    blocked: set[int] = set()
    if middles:
        nearest = np.abs(hit[:, None] - np.array(middles)).argmin(axis=1)
        blocked = {int(corner) for corner in nearest}
    return Curve(CubicSpline(lengths, points), float(lengths[-1])), blocked


def _controls(
    corners: Points, reaches: Sequence[float] | NDArray[np.float64]
) -> tuple[Points, list[int]]:
    """The control points, and the numbers of those that are inner corners."""
    controls = [corners[0]] * CUBIC
    middles = []
    for before, corner, after, reach in zip(
        corners, corners[1:], corners[2:], reaches, strict=False
    ):
        controls.append(_towards(corner, before, reach))
        middles.append(len(controls))
        controls += [corner, _towards(corner, after, reach)]
    return np.array([*controls, *[corners[-1]] * CUBIC]), middles


def _towards(start: Points, end: Points, metres: float) -> Points:
    return start + (end - start) * (metres / float(np.linalg.norm(end - start)))
