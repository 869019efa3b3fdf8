"""A candidate's record: what counts as a gain, and what is not worth validating."""

from __future__ import annotations

import numpy as np

from phil.learning.candidate import Candidate
from phil.learning.learner import Learner
from phil.learning.validation import HOPELESS, Validator
from tests.learning.small import QUICK, Setup, grid_problems


def trained(rival: float) -> Candidate:
    """A candidate after one iteration that hardly changed its weights."""
    setup = Setup(grid_problems(3), "best", QUICK | {"learning_rate": 1e-30})
    names = setup.heuristic.metadata.feature_names
    validator = Validator(setup.oracle, setup.network_settings, setup.scaling, names)
    learner = Learner(setup.oracle, setup.settings, setup.network_settings, setup.scaling, 0, 0)
    candidate = Candidate(learner, validator, setup.settings, rival)
    candidate.iterate()
    return candidate


def test_far_above_its_rival_a_candidate_is_not_validated_to_the_end() -> None:
    alone = trained(np.inf)
    assert alone.best is not None
    assert trained(alone.best / HOPELESS * 1.001).best == alone.best
    hopeless = trained(alone.best / HOPELESS * 0.999)
    assert (hopeless.best, hopeless.validation, hopeless.idle) == (None, None, 1)
