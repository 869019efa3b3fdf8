"""Searches side by side in a room, where there is off-screen rendering."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from phil.errors import InputError
from phil.flight.room_pictures import room_pictures
from phil.flight.search_marks import SearchMarks
from phil.graphs.rooms import Room
from tests.flight.rooms import ACROSS, searched

SIZE = (160, 112)


def test_searches_of_one_problem_differ_by_their_marks_alone(room: Room) -> None:
    flight, result = searched(room, *ACROSS)
    assert result.trace is not None
    shorter = replace(result, trace=result.trace[: len(result.path)])
    try:
        whole, part, same = (
            np.asarray(picture).astype(int)
            for picture in room_pictures(
                [SearchMarks(flight, each) for each in (result, shorter, result)], SIZE
            )
        )
    except InputError as error:
        pytest.skip(str(error))
    assert whole.shape == (SIZE[1], SIZE[0], 3)
    assert (whole == same).all()
    changed = (whole != part).any(axis=2).mean()
    assert 0 < changed < 0.5
