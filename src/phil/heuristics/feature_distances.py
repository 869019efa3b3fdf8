"""How far two nodes are apart in their features: inputs of the networks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import primitive

Floats = NDArray[np.float32]

ONE = np.float32(1.0)


@primitive
def write_distances(
    x: Floats, goal: Floats, ends: NDArray[np.int64], to_goal: bool, first: int
) -> None:
    """Write the distances of scaled features to the goal's into `x` itself, from `first` on.

    Without groups: Euclidean and cosine distance. Otherwise: both, and the largest absolute
    difference, for each group. In the frame of the goal, which is at 0 (`to_goal` is false), `goal`
    is the start, and the cosine distance is that of the directions of node and start.
    """
    begin = 0
    for group in range(max(1, ends.size)):
        end = ends[group] if ends.size > 0 else goal.size
        gap = np.float32(0.0)
        inner = np.float32(0.0)
        own = np.float32(0.0)
        other = np.float32(0.0)
        most = np.float32(0.0)
        for k in range(begin, end):
            here = x[k]
            there = goal[k]
            away = here - there if to_goal else here
            gap += away * away
            inner += here * there
            own += here * here
            other += there * there
            most = max(most, abs(away))
        at = first + (3 * group if ends.size > 0 else 0)
        x[at] = np.sqrt(gap)
        x[at + 1] = ONE - inner / max(np.sqrt(own * other), np.float32(1e-8))
        if ends.size > 0:
            x[at + 2] = most
        begin = end
