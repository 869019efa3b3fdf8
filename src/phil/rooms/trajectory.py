"""Trajectories: rounded corners and a speed profile, as a smooth function of time.

A curve is a cubic B-spline. Its control points are the corners of the straight lines and, on both
sides of each, a point at a distance called the corner's reach. So the curve is straight between
corners, and its curvature is continuous. The smaller the reach, the closer the curve stays to the
corner. If the curve leaves free space, the reach is halved; if the reach gets too small, the drone
stops and turns on the spot: one curve ends there and another starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BSpline, CubicSpline, make_interp_spline

from phil.rooms.path import FreeSpace, Point, Points

# Curves, in metres.
MAX_REACH = 0.5
MIN_RADIUS = 0.007  # of the tightest bend that is flown without a stop
CURVE_SPACING = 0.002  # between the sample points of a curve
CUBIC = 3
# Speeds.
SPEED = 1.5  # maximum, metres per second
ACCELERATION = 2.0  # metres per second squared, along the curve and across it
JERK = 8.0  # metres per second cubed, in bends
SOFTENING = 0.3  # seconds over which the acceleration changes
HOVER = 0.5  # seconds before and after
STEP = 0.01  # seconds between the sample points of the trajectory
SPEED_SPACING = 0.005  # metres between the sample points of the speed


@dataclass(frozen=True)
class Curve:
    """A curve parametrised by arc length: `places(s)` is the point after s metres."""

    places: CubicSpline
    length: float


def rounded(corners: Points, space: FreeSpace) -> list[Curve]:
    """Curves from the first corner to the last, each starting where the previous one ends."""
    if len(corners) < 2:
        return []
    sides = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    least = _least_reaches(corners)
    reaches = np.minimum(np.minimum(sides[:-1], sides[1:]) / 2, MAX_REACH)
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
    """The least reach of each inner corner at which its bend can be flown.

    From the spline's derivatives, a bend by an angle a with reach r has a radius of
    r cos^2(a / 2) / (2 tan(a / 2)) in its middle.
    """
    ways = np.diff(corners, axis=0)
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    cosines = np.einsum("ij,ij->i", ways[:-1], ways[1:]).clip(-1 + 1e-12, 1)
    halves = np.arccos(cosines) / 2
    least: NDArray[np.float64] = MIN_RADIUS * 2 * np.tan(halves) / np.cos(halves) ** 2
    return least


def _through(
    corners: Points, reaches: NDArray[np.float64], space: FreeSpace
) -> tuple[Curve, set[int]]:
    """The curve along these corners, and the inner corners at which it is blocked."""
    controls, middles = _controls(corners, reaches)
    # Uniform knots, such that control point k has most influence at parameter k.
    spline = BSpline(np.arange(len(controls) + CUBIC + 1) - 2.0, controls, CUBIC)
    bends = np.linalg.norm(np.diff(controls, axis=0), axis=1)
    spans = [
        np.linspace(k, k + 1, max(2, int(np.ceil(bends[k] / CURVE_SPACING))), endpoint=False)
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
    """The control points, and the indices of those that are inner corners."""
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


@dataclass(frozen=True)
class Trajectory:
    """A position as a function of time, with its derivatives; at rest at both ends."""

    spline: BSpline
    seconds: float
    length: float  # metres

    def at(self, times: NDArray[np.float64], derivative: int = 0) -> Points:
        """The positions at these times, or the velocities (1), accelerations (2) or jerks (3)."""
        places: Points = self.spline(times, nu=derivative)
        return places


def timed(curves: Sequence[Curve], start: Point) -> Trajectory:
    """The trajectory along curves, each from rest to rest, as fast as bends allow."""
    waiting = np.repeat(start[None], round(HOVER / STEP), axis=0)
    parts = [waiting]
    for curve in curves:
        parts.append(curve.places(_soft(_lengths_in_time(curve))))
    end = parts[-1][-1]
    parts.append(np.repeat(end[None], round(HOVER / STEP), axis=0))
    places = np.concatenate(parts)
    times = STEP * np.arange(len(places))
    rest = [(1, np.zeros(3)), (2, np.zeros(3))]
    spline = make_interp_spline(times, places, k=5, bc_type=(rest, rest))
    return Trajectory(spline, float(times[-1]), sum(curve.length for curve in curves))


def _lengths_in_time(curve: Curve) -> NDArray[np.float64]:
    """The distance along the curve at each time step, flying as fast as allowed."""
    count = max(2, round(curve.length / SPEED_SPACING)) + 1
    lengths = np.linspace(0.0, curve.length, count)
    gap = lengths[1]
    speeds = _limits(curve, lengths)
    speeds[0] = speeds[-1] = 0.0
    gain = 2 * ACCELERATION * gap  # of the square of the speed, over one gap
    for number in range(1, count):
        speeds[number] = min(speeds[number], np.sqrt(speeds[number - 1] ** 2 + gain))
    for number in range(count - 2, -1, -1):
        speeds[number] = min(speeds[number], np.sqrt(speeds[number + 1] ** 2 + gain))
    moments = np.concatenate([[0.0], np.cumsum(2 * gap / (speeds[:-1] + speeds[1:]))])
    return np.interp(np.arange(0.0, moments[-1] + STEP, STEP), moments, lengths)


def _limits(curve: Curve, lengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """The speed limit at these lengths.

    Since the speed is averaged over time later, a bend's limit extends as far around it as the
    drone flies in that time.
    """
    bends = np.linalg.norm(curve.places(lengths, nu=2), axis=1)
    bends = np.maximum(bends, 1e-9)
    # In a bend of radius r the acceleration changes within about r, so the jerk is about
    # v ** 3 / r ** 2.
    here = np.minimum(np.sqrt(ACCELERATION / bends), np.cbrt(JERK / bends**2)).clip(max=SPEED)
    limits: NDArray[np.float64] = here.copy()
    for length, speed in zip(lengths, here, strict=True):
        first, last = np.searchsorted(lengths, length + speed * SOFTENING / 2 * np.array([-1, 1]))
        limits[first:last] = np.minimum(limits[first:last], speed)
    return limits


def _soft(lengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same motion with smoother starts and stops: averaged over time, twice."""
    count = round(SOFTENING / 2 / STEP)
    for _ in range(2):
        padded = np.concatenate(
            [np.repeat(lengths[0], count - 1), lengths, np.repeat(lengths[-1], count - 1)]
        )
        lengths = np.convolve(padded, np.full(count, 1 / count), "valid")
    return lengths
