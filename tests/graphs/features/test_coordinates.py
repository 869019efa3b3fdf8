"""Projected coordinates keep distances, wherever on the Earth a city lies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.graphs.features.coordinates import EARTH_RADIUS, project


def great_circle(first: np.ndarray, second: np.ndarray) -> float:
    (lon1, lat1), (lon2, lat2) = np.radians(first), np.radians(second)
    half = (
        np.sin((lat2 - lat1) / 2) ** 2
        + np.cos(lat1) * np.cos(lat2) * np.sin((lon2 - lon1) / 2) ** 2
    )
    return float(2 * EARTH_RADIUS * np.arcsin(np.sqrt(half)))


@given(
    longitude=st.floats(-180, 180),
    latitude=st.floats(-65, 65),
    seed=st.integers(0, 2**32),
)
def test_distances_in_a_city(longitude: float, latitude: float, seed: int) -> None:
    places = np.random.default_rng(seed).uniform(-0.1, 0.1, (20, 2))
    places += np.array([longitude, latitude])
    places[:, 0] = (places[:, 0] + 180) % 360 - 180
    plane = project(places, geographic=True)
    np.testing.assert_allclose(plane.mean(axis=0), 0, atol=1e-6)
    for first in range(0, 20, 5):
        straight = np.hypot(*(plane[first] - plane[7]))
        exact = great_circle(places[first], places[7])
        assert straight == pytest.approx(exact, rel=0.01, abs=1)


def test_height_is_kept_in_metres() -> None:
    places = np.array([[7.0, 46.0, 400.0], [7.1, 46.0, 600.0]])
    assert project(places, geographic=True)[:, 2].tolist() == [-100, 100]


def test_other_coordinates_are_only_centred() -> None:
    places = np.array([[5.0, 6.0], [700.0, 8.0]])
    assert project(places, geographic=False).tolist() == [[-347.5, -1.0], [347.5, 1.0]]
