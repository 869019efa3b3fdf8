"""A heap gives the least key first, and equal keys in the order of their tags."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from phil.search.heap import (
    allocate_heap,
    clear,
    drop,
    key_at,
    make_tag,
    node_of,
    order_of,
    put,
    room_of,
    with_room,
)

keys = st.one_of(
    st.integers(-2, 2).map(float), st.floats(-1e9, 1e9), st.sampled_from([-0.0, np.inf, -np.inf])
)


@given(st.lists(st.one_of(st.none(), keys), max_size=60))
def test_entries_leave_by_key_then_by_order(steps: list[float | None]) -> None:
    """Any mix of putting in (a key) and taking out (None), with a heap that has just the room."""
    heap = allocate_heap(max(1, len(steps)))
    inside: list[tuple[float, int]] = []
    for order, key in enumerate(steps, start=1):
        if key is not None:
            put(heap, key, make_tag(order, order % 7))
            inside.append((key, order))
        elif inside:
            first = min(inside)
            assert (key_at(heap, 0), order_of(heap.tags[0])) == first
            assert node_of(heap.tags[0]) == first[1] % 7
            drop(heap)
            inside.remove(first)
        assert heap.size[0] == len(inside)
    for first in sorted(inside):
        assert (key_at(heap, 0), order_of(heap.tags[0])) == first
        drop(heap)


@given(st.lists(keys, min_size=1, max_size=30))
def test_more_room_keeps_the_entries(values: list[float]) -> None:
    heap = allocate_heap(len(values))
    for order, key in enumerate(values, start=1):
        put(heap, key, make_tag(order, 0))
    assert with_room(heap, room_of(heap)) is heap
    larger = with_room(heap, 2 * len(values))
    for order, key in enumerate(values, start=100):
        put(larger, key, make_tag(order, 0))
    left = []
    while larger.size[0]:
        left.append(float(key_at(larger, 0)))
        drop(larger)
    assert left == sorted(2 * values)


def test_a_cleared_heap_can_be_used_again() -> None:
    heap = allocate_heap(20)
    for order in range(1, 21):
        put(heap, -float(order), make_tag(order, 0))
    clear(heap)
    for order in range(1, 6):
        put(heap, float(order), make_tag(order, 0))
    for order in range(1, 6):
        assert key_at(heap, 0) == order
        drop(heap)
    assert heap.size[0] == 0


def test_a_tag_holds_the_largest_node_and_order() -> None:
    tag = make_tag(2**32 - 1, 2**31 - 1)
    assert node_of(tag) == 2**31 - 1
    assert order_of(tag) == 2**32 - 1
