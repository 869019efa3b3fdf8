"""The roll-outs of an iteration, made one after the other.

`phil.learning.spread` makes the same ones side by side.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from phil.learning.fitting import Fitting
from phil.learning.mixture import Mixture, W
from phil.learning.rollout import Rollout

# Makes the roll-outs of the iteration with a number; also tells the seconds of CPU that they took.
RollOut = Callable[[int], tuple[list[Rollout], float]]


def alone(learner: Fitting[W], roller: Mixture[W]) -> RollOut:
    """Roll-outs by the learner's current network, in the thread that asks for them."""

    def roll_out(iteration: int) -> tuple[list[Rollout], float]:
        began = time.thread_time()
        weights = learner.packed_weights()
        rollouts = [roller.roll_out(weights, which) for which in learner.rollouts(iteration)]
        return rollouts, time.thread_time() - began

    return roll_out
