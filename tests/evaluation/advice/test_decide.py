"""From which cost on a learned method pays, and what to choose at a cost."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.evaluation.advice.decide import NEARLY, choose, pays, rivals
from phil.evaluation.advice.measure import Preparation
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


def test_the_spread_is_that_of_the_problems_and_the_same_every_time() -> None:
    count = LEARNED.seconds.size
    seconds = np.linspace(100e-6, 300e-6, count)
    uneven = replace(LEARNED, seconds=seconds, calls=np.full(count, 20.0))
    rival = replace(GREEDY, seconds=np.full(count, 50e-6), calls=np.full(count, 100.0))
    found = pays(uneven, [rival])
    assert found.low == pytest.approx((200e-6 - 50e-6) / 80)
    # As the mean is nearly normal, 95 % of its resamples are within 1.96 standard errors.
    error = seconds.std() / np.sqrt(count) / 80
    for end, sign in zip(found.likely, (-1, 1), strict=True):
        assert end == pytest.approx(found.low + sign * 1.96 * error, abs=0.25 * error)
    assert pays(uneven, [rival]) == found


@given(st.floats(0, 1e-3), st.sampled_from([1.0, inf]))
def test_nothing_that_promises_as_much_is_much_faster_than_the_choice(
    call: float, promise: float
) -> None:
    everything = [ASTAR, GREEDY, LEARNED]
    choice = choose(everything, call, promise)
    assert choice is not None
    assert choice.best.promise <= promise
    least = min(each.cost.at(call) for each in everything if each.promise <= promise)
    assert choice.fastest.cost.at(call) == least
    assert choice.best.cost.at(call) <= NEARLY * least


def test_of_methods_that_are_nearly_as_fast_the_better_or_simpler_is_chosen() -> None:
    learned = measured("learned", 100, 100, learned=True)
    prepared = measured("prepared", 105, 100, preparation=Preparation(0.1, 500))
    plain = measured("plain", 115, 100)
    better = measured("better", 118, 100, promise=1.5)
    slow = measured("slow", 125, 100, promise=1.0)
    methods = [slow, better, plain, prepared, learned]
    for best in (better, plain, prepared, learned):
        choice = choose(methods, 0.0, inf)
        assert choice is not None
        assert (choice.best, choice.fastest) == (best, learned)
        methods.remove(best)


def test_there_may_be_nothing_to_choose() -> None:
    assert choose([GREEDY], 0.0, 1.0) is None
