"""One of the networks that compete in a training run, with the best weights it has had."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from phil.heuristics.file import Tensors
from phil.learning.learner import Learner, tensors_of
from phil.learning.progress import PartSeconds
from phil.learning.rollout import Rollout
from phil.learning.settings import TrainingSettings
from phil.learning.validation import Validator

Arrays = dict[str, NDArray[Any]]
MOMENTS = ("exp_avg", "exp_avg_sq")


class Candidate:
    """A learner and its record on the validation problems.

    `rival` is the best that others had before this one began: far above it nothing is validated to
    the end, for it will not be kept.
    """

    def __init__(
        self,
        learner: Learner,
        validator: Validator,
        settings: TrainingSettings,
        rival: float = np.inf,
    ) -> None:
        self.number = learner.number
        self.network = learner.network.settings
        self.scaling = learner.scaling
        self.iteration = 0
        self.loss = float("nan")
        self.validation: float | None = None  # of the last iteration, if it was validated
        self.best: float | None = None
        self.best_iteration = 0
        self.best_expansions: list[int] = []
        self.best_tensors: Tensors = {}
        self.seconds = PartSeconds()  # of the last iteration
        self.idle = 0  # validations since the last gain
        self._learner = learner
        self._validator = validator
        self._settings = settings
        self._rival = rival
        self._seen = 0

    @property
    def finished(self) -> bool:
        """Whether all iterations are done, or as many without gain as it has patience for."""
        patience = self._settings.patience
        stale = patience > 0 and self.idle >= patience
        return stale or self.iteration >= self._settings.iterations

    @property
    def fresh_trajectories(self) -> list[Rollout]:
        """The trajectories of the last iteration."""
        return self._learner.trajectories[self._seen :]

    def iterate(self) -> None:
        """Train one iteration, and validate if it is time."""
        self._seen = len(self._learner.trajectories)
        self.iteration += 1
        began = time.thread_time()
        self.loss = self._learner.iterate(self.iteration)
        learned = time.thread_time()
        self.validation = None
        settings = self._settings
        if self.iteration % settings.validate_every == 0 or self.iteration == settings.iterations:
            self._validate()
        rollout = self._learner.rollout_seconds
        self.seconds = PartSeconds(rollout, learned - began - rollout, time.thread_time() - learned)

    def _validate(self) -> None:
        self.idle += 1
        tensors = tensors_of(self._learner.judged)
        found = self._validator.expansions(tensors, min(self.best or np.inf, self._rival))
        if found is None:
            return
        self.validation = float(np.mean(found))
        if self.best is None or self.validation < self.best:
            self.best, self.best_iteration = self.validation, self.iteration
            self.best_expansions, self.best_tensors = found, tensors
            self.idle = 0

    def progress(self) -> dict[str, Any]:
        """What a checkpoint writes down beside the tensors."""
        return {
            "iteration": self.iteration,
            "best": self.best,
            "best_iteration": self.best_iteration,
            "best_expansions": self.best_expansions,
            "idle": self.idle,
        }

    def tensors(self) -> Arrays:
        """All tensors that training goes on from."""
        learner = self._learner
        arrays: Arrays = {f"best.{name}": value for name, value in self.best_tensors.items()}
        arrays |= {f"network.{name}": v for name, v in tensors_of(learner.network).items()}
        arrays |= {f"average.{name}": v for name, v in tensors_of(learner.average).items()}
        state = learner.optimiser.state[learner.weights]
        arrays |= {moment: state[moment].numpy() for moment in MOMENTS}
        arrays["step"] = np.array([float(state["step"])], np.float32)
        return {name: np.ascontiguousarray(value) for name, value in arrays.items()}

    def restore(
        self, progress: dict[str, Any], arrays: Arrays, trajectories: list[Rollout]
    ) -> None:
        """Continue from what a checkpoint kept."""
        learner = self._learner
        self.iteration = int(progress["iteration"])
        self.best, self.best_iteration = progress["best"], int(progress["best_iteration"])
        self.best_expansions, self.idle = list(progress["best_expansions"]), int(progress["idle"])
        self.best_tensors = _part(arrays, "best.")
        for prefix, network in (("network.", learner.network), ("average.", learner.average)):
            network.load_state_dict(
                {name: torch.from_numpy(value) for name, value in _part(arrays, prefix).items()}
            )
        state: dict[str, Any] = {
            moment: torch.from_numpy(arrays[moment].copy()) for moment in MOMENTS
        }
        state["step"] = torch.tensor(float(arrays["step"][0]))
        learner.optimiser.state[learner.weights] = state
        learner.trajectories = trajectories
        self._seen = len(trajectories)


def _part(arrays: Arrays, prefix: str) -> Tensors:
    return {
        name.removeprefix(prefix): value.copy()
        for name, value in arrays.items()
        if name.startswith(prefix)
    }
