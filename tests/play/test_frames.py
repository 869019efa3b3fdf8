"""Frames survive the way over the wire, and damaged ones are refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.errors import InputError
from phil.play.frames import pack, unpack


def test_columns_come_back_with_their_types() -> None:
    columns = {
        "free": np.array([True, False, True]),
        "node": np.array([1, -1, 2**31 - 1]),
        "g": np.array([0.5, np.inf, np.nan]),
    }
    header, found = unpack(pack({"type": "problem", "name": "Pándy"}, columns))
    assert header == {"type": "problem", "name": "Pándy"}
    assert [each.dtype for each in found.values()] == [np.uint8, np.int32, np.float32]
    for name, column in columns.items():
        np.testing.assert_array_equal(found[name], column)


def test_every_column_begins_at_a_multiple_of_four_bytes() -> None:
    frame = pack({"type": "x"}, {"a": np.ones(3, np.uint8), "b": np.arange(2)})
    assert len(frame) % 4 == 0
    np.testing.assert_array_equal(np.frombuffer(frame[-8:], "<i4"), [0, 1])


def test_an_expanded_node_takes_four_bytes() -> None:
    sizes = [len(pack({"type": "trace"}, {"node": np.zeros(n, int)})) for n in (10_000, 20_000)]
    assert sizes[1] - sizes[0] == 4 * 10_000


@given(st.binary(max_size=200))
def test_any_bytes_are_a_frame_or_refused(data: bytes) -> None:
    try:
        header, _ = unpack(data)
    except InputError:
        return
    assert isinstance(header, dict)


@pytest.mark.parametrize(
    "columns",
    [3, [3], [{"name": "a"}], [{"name": "a", "type": "float64", "length": 1}]]
    + [[{"name": "a", "type": "uint8", "length": length}] for length in (-1, 9, True, 1e3)],
)
def test_columns_that_are_not_there_are_refused(columns: object) -> None:
    frame = pack({"type": "edit", "columns": columns})
    with pytest.raises(InputError, match="a message is damaged"):
        unpack(frame)
