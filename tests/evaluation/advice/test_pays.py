"""From which cost on a learned method pays, and what to choose at a cost."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.evaluation.advice.choose import choose
from phil.evaluation.advice.pays import pays, rivals
from tests.evaluation.advice.measured import ASTAR, GREEDY, measured

LEARNED = measured("learned", 130, 20, learned=True, expansions=10)


def test_rivals_are_classical_and_promise_as_much() -> None:
    bounded = measured("bounded(learned, 1.5)", 1, 1, learned=True, promise=1.5)
    everything = [ASTAR, GREEDY, LEARNED, bounded]
    assert rivals(LEARNED, everything) == [ASTAR, GREEDY]
    assert rivals(bounded, everything) == [ASTAR]


def test_the_break_even_and_its_spread() -> None:
    found = pays(LEARNED, [ASTAR, GREEDY])
    assert found.low == pytest.approx(1e-6)
    assert found.high == inf
    assert found.likely[0] <= found.low <= found.likely[1]
    assert found.low_without_looking_ahead == pytest.approx(80e-6 / 90)
    assert pays(LEARNED, [ASTAR, GREEDY]) == found


@given(st.floats(0, 1e-3), st.sampled_from([1.0, inf]))
def test_nothing_that_promises_as_much_is_faster_than_the_choice(
    call: float, promise: float
) -> None:
    everything = [ASTAR, GREEDY, LEARNED]
    choice = choose(everything, call, promise)
    assert choice is not None
    assert choice.best.promise <= promise
    fit = [each for each in everything if each.promise <= promise]
    assert choice.best.totals(call).mean() == min(each.totals(call).mean() for each in fit)


def test_there_may_be_nothing_to_choose() -> None:
    assert choose([GREEDY], 0.0, 1.0) is None
