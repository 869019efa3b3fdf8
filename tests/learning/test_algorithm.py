"""Algorithm 1: its order, what counts as a gain, and what is not worth validating."""

from __future__ import annotations

import numpy as np

from phil.learning.algorithm import Finished, imitate
from phil.learning.learner import Learner
from phil.learning.validation import HOPELESS, Validation
from tests.learning.small import QUICK, Setup, grid_problems

STILL = QUICK | {"learning_rate": 1e-30}  # too small a rate to change any weight


def trained(rival: float) -> tuple[Learner, Finished]:
    """A candidate after one iteration that hardly changed its weights."""
    setup = Setup(grid_problems(3), "best", STILL)
    learner = setup.learner()
    finished = next(imitate(learner, setup.oracle, Validation(setup.oracle), rival=rival))
    return learner, finished


def test_far_above_its_rival_a_candidate_is_not_validated_to_the_end() -> None:
    alone, finished = trained(np.inf)
    best = alone.state.best
    assert best is not None
    assert finished.validation == best
    assert trained(best / HOPELESS * 1.001)[0].state.best == best
    hopeless, finished = trained(best / HOPELESS * 0.999)
    assert (hopeless.state.best, finished.validation, hopeless.state.idle) == (None, None, 1)


def test_all_iterations_are_rolled_out_labelled_fitted_and_judged() -> None:
    setup = Setup(grid_problems(3), "best", QUICK)
    learner = setup.learner()
    before = learner.state.weights.copy()
    iterations = list(imitate(learner, setup.oracle, Validation(setup.oracle)))
    state = learner.state
    assert len(iterations) == state.iteration == QUICK["iterations"]
    assert len(state.rollouts) == QUICK["iterations"] * QUICK["rollouts"]
    assert len(state.fresh) == QUICK["rollouts"]
    for rollout in state.rollouts:
        exact = setup.oracle.distances[rollout.problem][rollout.nodes]
        assert np.array_equal(rollout.distance, exact)
    assert state.step == QUICK["iterations"] * QUICK["steps"]
    assert not np.array_equal(state.weights, before)
    assert state.best == min(done.validation for done in iterations if done.validation is not None)
