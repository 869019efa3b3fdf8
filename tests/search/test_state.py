"""OPEN is a queue by key, then by age; states are lent, never shared."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from phil.search.state import OPEN_SIZE, StatePool, allocate, begin, push, remove

NODES = 12


@given(
    st.lists(st.integers(0, 3), min_size=NODES, max_size=NODES),
    st.lists(st.integers(0, 10**6), max_size=60),
)
def test_open_gives_the_least_key_first_and_equal_ones_by_age(
    values: list[int], choices: list[int]
) -> None:
    """Any mix of putting in, taking the best out, and taking one from the middle out."""
    state = allocate(NODES, 1)
    state.weights[:] = (0.0, 1.0, 0.0)
    begin(state, 0)
    assert remove(state, 0) == 0
    state.h[:] = values
    inside: list[int] = []  # in order of age
    for choice in choices:
        outside = [node for node in range(NODES) if node not in inside]
        if outside and choice % 3:
            node = outside[choice % len(outside)]
            push(state, node)
            inside.append(node)
        elif inside and choice % 2:
            node = inside[choice % len(inside)]
            assert remove(state, int(state.place[node])) == node
            inside.remove(node)
        elif inside:
            best = min(inside, key=lambda node: values[node])
            assert remove(state, 0) == best
            inside.remove(best)
        assert state.counters[OPEN_SIZE] == len(inside)
    for best in sorted(inside, key=lambda node: values[node]):
        assert remove(state, 0) == best


@given(st.tuples(*[st.floats(-4, 4)] * 3))
def test_a_key_is_the_weighted_sum(weights: tuple[float, float, float]) -> None:
    state = allocate(1, 1)
    state.weights[:] = weights
    begin(state, 0)
    remove(state, 0)
    state.g[0], state.h[0], state.depth[0] = 3.5, 7.25, 4
    push(state, 0)
    expected = 3.5 * weights[0] + 7.25 * weights[1] + 4 * weights[2]
    np.testing.assert_allclose(state.keys[0], expected, rtol=1e-12, atol=1e-12)


def test_a_state_is_used_again_when_it_is_large_enough() -> None:
    pool = StatePool()
    first = pool.take(100, 8)
    pool.give_back(first)
    assert pool.take(101, 8) is not first
    assert pool.take(100, 9) is not first
    assert pool.take(50, 8) is first
    assert pool.take(50, 8) is not first


def test_only_the_largest_states_are_kept() -> None:
    pool = StatePool()
    states = [pool.take(size, 1) for size in range(1, 11)]
    for state in states:
        pool.give_back(state)
    kept = [pool.take(1, 1).stamp.size for _ in states]
    assert sorted(size for size in kept if size > 1) == [7, 8, 9, 10]
