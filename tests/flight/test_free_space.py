"""Lines through a room."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.flight.free_space import FreeSpace, _far_apart_first
from phil.graphs.rooms import Room


def test_a_line_is_free_if_it_meets_nothing(room: Room) -> None:
    space = FreeSpace(room)
    west, east = np.array([0.2, 0.2, 0.2]), np.array([1.8, 0.2, 0.2])
    above = np.array([0, 0, 0.65])
    assert space.has_line(west, west + above)
    assert not space.has_line(west, east)
    assert space.has_line(west + above, east + above)


def test_extra_room_is_kept(room: Room) -> None:
    # The wall's top is 0.7 m high; the drone with its margin takes 4.5 cm.
    line = np.array([[0.2, 0.2, 0.75], [1.8, 0.2, 0.75]])
    assert FreeSpace(room).has_line(*line)
    assert FreeSpace(room, extra=0.004).has_line(*line)
    assert not FreeSpace(room, extra=0.006).has_line(*line)


@pytest.mark.parametrize("thickness", [0.001, 0.01])
def test_even_thin_things_block_a_line(room: Room, thickness: float) -> None:
    space = FreeSpace(room)
    places = np.array([[1.05 - 0.05 - 0.045 - thickness, 0.2, 0.3], [1.0 - 0.044, 0.2, 0.3]])
    assert space.free(places).tolist() == [True, False]


@given(st.integers(1, 300))
def test_every_place_of_a_line_is_asked_once(count: int) -> None:
    assert sorted(_far_apart_first(count)) == list(range(count))
