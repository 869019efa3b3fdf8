"""Algorithm 1 of the paper on one screen: roll out, ask the oracle, fit, validate, keep the best.

The names in brackets are the paper's. What differs from it is a setting (see
`phil.learning.settings`); with the preset `paper` nothing does.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from phil.learning.learner import Learner
from phil.learning.oracle import OracleProblems
from phil.learning.progress import PartSeconds
from phil.learning.rollout import Roller
from phil.learning.validation import Validation


@dataclass(frozen=True)
class Finished:
    """What one iteration of Algorithm 1 came to."""

    loss: float  # mean of its Adam steps
    validation: float | None  # mean expansions, where it was validated to the end
    seconds: PartSeconds


def imitate(
    learner: Learner, oracle: OracleProblems, validation: Validation, *, rival: float = math.inf
) -> Iterator[Finished]:
    """Train a network to search as the oracle would; its best weights are in `learner.state`.

    Yields after every iteration, with a state that training can go on from.

    Parameters
    ----------
    learner
        The network [h_theta], its optimiser, and the state that it begins with.
    oracle
        The problems to learn from, with the exact distances to their goals [h*].
    validation
        The problems to choose by.
    rival
        Mean expansions of the best network known. One that is much worse is not validated to the
        end, since it would not be kept.
    """
    settings, state = learner.settings, learner.state
    roller = Roller(oracle, settings, learner.candidate.scaling)
    while not state.finished(settings):  # for i = 1, ..., N
        state.iteration += 1
        random = learner.random(state.iteration)
        began = time.thread_time()

        # Roll out m searches on sampled problems. After a roll-in by the network alone, the policy
        # is a mixture: the oracle takes a step with the probability beta_0^i, else the network.
        weights = learner.packed_weights()
        beta = settings.beta**state.iteration
        sampled = random.integers(len(oracle.problems), size=settings.rollouts).tolist()
        may_hand_over = state.iteration > 1
        rollouts = [roller.roll_out(weights, p, beta, random, may_hand_over) for p in sampled]

        # Ask the oracle how far every node that was uncovered is from the goal, and add the
        # labelled roll-outs to all before [D].
        state.aggregate([oracle.label(rollout) for rollout in rollouts])
        rolled_out = time.thread_time()

        # Fit the network to random batches of all roll-outs so far.
        loss = float(np.mean([learner.step(random) for _ in range(settings.steps)]))
        fitted = time.thread_time()

        # Validate: count the expansions of searches on the validation problems.
        mean = None
        if state.iteration % settings.validate_every == 0 or state.iteration == settings.iterations:
            heuristic = learner.heuristic()
            found = validation.expansions(heuristic, min(state.best or math.inf, rival))
            # Keep the weights if none were better.
            mean = state.judge(found, heuristic.tensors)
        validated = time.thread_time()

        seconds = PartSeconds(rolled_out - began, fitted - rolled_out, validated - fitted)
        yield Finished(loss, mean, seconds)
