"""How many iterations a run of PHIL has in all, and how long the rest of them will take.

All that may come is counted from the beginning: the first candidates, further ones if the set is
hard, and the rounds of tuning. Candidates that stop early, or are not needed, make the total
smaller; nothing makes it larger.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from phil.learning.checkpoint import CandidateState
from phil.learning.plan import Plan
from phil.learning.settings import TrainingSettings
from phil.learning.tuning import ROUND


class Outlook:
    """Predicts the rest of a run while its candidates are trained."""

    def __init__(self, plan: Plan[TrainingSettings], workers: int) -> None:
        self._settings = settings = plan.settings
        self._validation = len(plan.validation.problems)
        self._workers = workers
        self._first = len(plan.candidates)
        self._round: float | None = None
        problems = min(settings.tune_problems, len(plan.train.problems))
        # In a generation, the network and all changed ones search the same problems.
        self._searches = ROUND * (2 * settings.tune_samples + 1) * problems

    def validated(self, seconds: float) -> None:
        """Predict the length of a round of tuning from that of a validation, in CPU time."""
        search = seconds / self._validation
        self._round = self._searches * search / self._workers + seconds

    def iterations(self, states: Sequence[CandidateState]) -> int:
        """Those of all candidates, of which these have begun."""
        settings = self._settings
        begun = sum(
            state.iteration if state.finished(settings) else settings.iterations for state in states
        )
        further = settings.hard_candidates if len(states) <= self._first else 0
        return begun + settings.iterations * further

    def rounds(self, pace: float) -> int:
        """Those of tuning."""
        settings = self._settings
        if settings.tune or not settings.tune_seconds:
            return math.ceil(settings.tune / ROUND)
        return max(1, math.ceil(settings.tune_seconds / (self._round or pace or 1.0)))

    def seconds(self, iterations: int, pace: float) -> float:
        """The time of iterations at a pace, and of all tuning."""
        settings = self._settings
        tuning = self.rounds(pace) * (pace if self._round is None else self._round)
        if settings.tune_seconds:
            tuning = min(tuning, settings.tune_seconds) if settings.tune else settings.tune_seconds
        return iterations * pace + tuning
