"""Places on the Earth as places on a plane."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

EARTH_RADIUS = 6371008.8  # metres, the mean radius


def project(coordinates: NDArray[np.float64], geographic: bool) -> NDArray[np.float64]:
    """Longitudes and latitudes in degrees as metres on a plane; other coordinates as they are.

    The projection is equirectangular about the mean latitude, and centred: distances are true to
    a few per mille within a city. Height, if it is given, is metres already.

    >>> project(np.array([[11.0, 44.0], [12.0, 44.0]]), geographic=True).round().tolist()
    [[-39994.0, 0.0], [39994.0, 0.0]]
    """
    if not geographic:
        return coordinates
    degrees = np.array(coordinates, np.float64)
    # Of a graph that lies across the 180th meridian both sides must stay together.
    turn = np.angle(np.exp(1j * np.radians(degrees[:, 0])).mean(), deg=True)
    degrees[:, 0] = (degrees[:, 0] - turn + 180) % 360 - 180
    plane = EARTH_RADIUS * np.radians(degrees[:, :2])
    plane[:, 0] *= np.cos(np.radians(degrees[:, 1].mean()))
    plane = np.concatenate([plane, degrees[:, 2:]], axis=1)
    centred: NDArray[np.float64] = plane - plane.mean(axis=0)
    return centred
