"""When to be where: curves with a speed, as a smooth function of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BSpline, make_interp_spline

from phil.flight.curve import Curve
from phil.flight.free_space import Point, Points

SPEED = 1.5  # metres a second, at most
ACCELERATION = 2.0  # metres a second squared, along the curve and across it
JERK = 8.0  # metres a second cubed, in bends
SOFTENING = 0.3  # seconds over which the acceleration changes
HOVER = 0.5  # seconds before and after
STEP = 0.01  # seconds between the places that fix the trajectory
SPACING = 0.005  # metres between the places that have a speed


@dataclass(frozen=True)
class Trajectory:
    """A place for every moment, with its derivatives; at rest at both ends."""

    spline: BSpline
    seconds: float
    length: float  # metres

    def at(self, times: NDArray[np.float64], derivative: int = 0) -> Points:
        """The places at these times, or their velocities (1), accelerations (2), jerks (3)."""
        places: Points = self.spline(times, nu=derivative)
        return places


def timed(curves: Sequence[Curve], start: Point) -> Trajectory:
    """Fly along curves, each from rest to rest, no faster than bends allow."""
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
    """How far along the curve the drone is at every step of time: as fast as it may, at once."""
    count = max(2, round(curve.length / SPACING)) + 1
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
    """The most speed at these lengths: bends are taken slowly, from before them until after.

    Since the speed is softened later, a bend's limit holds as far around it as the drone flies
    while that averages.
    """
    bends = np.linalg.norm(curve.places(lengths, nu=2), axis=1)
    bends = np.maximum(bends, 1e-9)
    # Through a bend of radius r the acceleration changes within about r, so that its jerk is about
    # v ** 3 / r ** 2.
    here = np.minimum(np.sqrt(ACCELERATION / bends), np.cbrt(JERK / bends**2)).clip(max=SPEED)
    limits: NDArray[np.float64] = here.copy()
    for length, speed in zip(lengths, here, strict=True):
        first, last = np.searchsorted(lengths, length + speed * SOFTENING / 2 * np.array([-1, 1]))
        limits[first:last] = np.minimum(limits[first:last], speed)
    return limits


def _soft(lengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same way with softer starts and stops: averages over time, twice."""
    count = round(SOFTENING / 2 / STEP)
    for _ in range(2):
        padded = np.concatenate(
            [np.repeat(lengths[0], count - 1), lengths, np.repeat(lengths[-1], count - 1)]
        )
        lengths = np.convolve(padded, np.full(count, 1 / count), "valid")
    return lengths
