"""Algorithm 1 of the paper: roll out, ask the oracle, fit, validate, keep the best.

Names in brackets are the paper's. Every deviation from the paper is a setting (see
`phil.learning.settings`); the preset `paper` has none.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np

from phil.learning.fitting import Fitting
from phil.learning.oracle import OracleProblems
from phil.learning.progress import PartSeconds
from phil.learning.rolling import RollOut, alone
from phil.learning.validation import Judge


@dataclass(frozen=True)
class Finished:
    """The outcome of one iteration of Algorithm 1."""

    loss: float  # mean over its Adam steps
    validation: float | None  # mean cost, if it was validated on all problems
    seconds: PartSeconds


def imitate(
    learner: Fitting[Any],
    oracle: OracleProblems,
    validation: Judge,
    *,
    rival: float = math.inf,
    roll_out: RollOut | None = None,
) -> Generator[Finished, None, None]:
    """Train the network [h_theta] of `learner` to search as the oracle [h*] would.

    Yields after every iteration, when `learner.state` can be saved and resumed; it holds the best
    weights so far. `rival` is the mean cost of the best network known: the validation of a
    network that is much worse is cut short, since it would not be kept. `roll_out` makes the
    roll-outs of an iteration; by default, this thread does, one after the other.
    """
    settings, state = learner.settings, learner.state
    roll_out = roll_out or alone(learner, learner.roller(oracle))
    while not state.finished(settings):  # for i = 1, ..., N
        state.iteration += 1
        random = learner.random(state.iteration)

        # Roll out m searches on sampled problems. After a roll-in by the network alone, the policy
        # is a mixture: each step is the oracle's with probability beta_0^i, else the network's.
        rollouts, rolling = roll_out(state.iteration)
        began = time.thread_time()

        # Ask the oracle for the distance of every uncovered node to the goal, and add the labelled
        # roll-outs to the data set [D].
        state.aggregate([oracle.label(rollout) for rollout in rollouts])
        labelled = time.thread_time()

        # Fit the network to random batches of the whole data set.
        loss = float(np.mean([learner.step(random) for _ in range(settings.steps)]))
        fitted = time.thread_time()

        # Validate: count the expansions of searches on the validation problems, and keep the
        # weights if they are the best so far.
        mean = None
        if state.iteration % settings.validate_every == 0 or state.iteration == settings.iterations:
            heuristic = learner.heuristic()
            found = validation.score(heuristic, min(state.best or math.inf, rival))
            mean = state.judge(found, heuristic.tensors)
        validated = time.thread_time()

        seconds = PartSeconds(rolling + labelled - began, fitted - labelled, validated - fitted)
        yield Finished(loss, mean, seconds)
