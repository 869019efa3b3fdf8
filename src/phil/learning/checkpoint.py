"""Checkpoints: a training run that is killed at any moment loses at most one iteration.

The folder holds `run.json`, which records the last completed iteration of each candidate; the
candidates' tensors of that iteration; and the roll-outs of every iteration, each written once.
`run.json` is replaced last, so even after a crash it refers only to complete files.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from phil.errors import InputError
from phil.files import write_atomic
from phil.heuristics.file import Tensors
from phil.learning.rollout import Rollout
from phil.learning.settings import TrainingSettings

RUN = "run.json"
VECTORS = ("weights", "average", "exp_avg", "exp_avg_sq", "step")
PROGRESS = ("iteration", "best", "best_iteration", "best_expansions", "idle")
BEST = "best."  # prefix of the best weights in a candidate's file

Arrays = dict[str, NDArray[Any]]
Floats = NDArray[np.float32]


@dataclass
class CandidateState:
    """The training state of a candidate: everything that a checkpoint saves.

    The vectors share memory with the learner's network and optimiser.
    """

    weights: Floats  # (P,) the network's parameters
    average: Floats  # (P,) their moving average
    exp_avg: Floats  # (P,) Adam's first moment
    exp_avg_sq: Floats  # (P,) Adam's second moment
    step: Floats  # () Adam steps so far
    iteration: int = 0
    best: float | None = None  # mean expansions of the best weights so far
    best_iteration: int = 0
    best_expansions: list[int] = field(default_factory=list)
    best_tensors: Tensors = field(default_factory=dict)
    idle: int = 0  # validations since the last improvement
    rollouts: list[Rollout] = field(default_factory=list)
    fresh: Sequence[Rollout] = ()  # roll-outs of the last iteration

    def aggregate(self, rollouts: Sequence[Rollout]) -> None:
        """Add the roll-outs of an iteration to the data set."""
        self.fresh = rollouts
        self.rollouts += rollouts

    def judge(self, expansions: list[int] | None, tensors: Tensors) -> float | None:
        """Keep the tensors if they are the best so far; returns their mean expansions, if known."""
        self.idle += 1
        if expansions is None:
            return None
        mean = float(np.mean(expansions))
        if self.best is None or mean < self.best:
            self.best, self.best_iteration = mean, self.iteration
            self.best_expansions, self.best_tensors = expansions, tensors
            self.idle = 0
        return mean

    def finished(self, settings: TrainingSettings) -> bool:
        """Whether all iterations are done, or training has run out of patience."""
        stale = 0 < settings.patience <= self.idle
        return stale or self.iteration >= settings.iterations


class Checkpoint:
    """The folder of one training run; `identity` distinguishes it from other runs."""

    def __init__(self, folder: Path, identity: dict[str, Any]) -> None:
        self.folder = folder
        self._identity = identity
        self._progress: dict[str, dict[str, Any]] = {}  # of each candidate, as last written

    @property
    def iterations(self) -> dict[int, int]:
        """The number of saved iterations of each candidate."""
        return {int(number): int(kept["iteration"]) for number, kept in self._progress.items()}

    def create(self) -> None:
        """Start a new run; refuses to overwrite one that was interrupted."""
        if any(self.folder.glob("candidate-*")):
            raise InputError(
                f"{self.folder} holds an interrupted run: continue it with --resume "
                "(resume=True), or delete the folder to start over"
            )
        self.remove()
        try:
            self.folder.mkdir()
        except OSError as error:
            raise InputError(f"cannot write {self.folder}: {error.strerror or error}") from error
        self._write_run()

    def remove(self) -> None:
        """Remove the folder of a finished run."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def save(self, number: int, state: CandidateState) -> None:
        """Save an iteration that a candidate has finished."""
        tensors = {BEST + name: value for name, value in state.best_tensors.items()}
        vectors = {name: getattr(state, name) for name in VECTORS}
        write_atomic(self._rollouts(number, state.iteration), save(_pack(state.fresh)))
        write_atomic(self._tensors(number, state.iteration), save(tensors | vectors))
        self._progress[str(number)] = {name: getattr(state, name) for name in PROGRESS}
        self._write_run()
        self._tensors(number, state.iteration - 1).unlink(missing_ok=True)

    def load(self) -> None:
        """Read the progress of the run; raises `InputError` if it is another run or damaged."""
        path = self.folder / RUN
        try:
            run: dict[str, Any] = json.loads(path.read_text())
        except FileNotFoundError:
            raise InputError(
                f"nothing to resume: {self.folder} does not exist; train without --resume"
            ) from None
        except (OSError, ValueError) as error:
            raise self._damaged(path, error) from error
        if not isinstance(run, dict) or not {"identity", "candidates"} <= run.keys():
            raise self._damaged(path, "it is not the record of a run")
        for key, value in self._identity.items():
            if run["identity"].get(key) != value:
                raise InputError(
                    f"{self.folder} belongs to another run: "
                    f"{_difference(key, run['identity'], value)}; "
                    "use the arguments of that run, or delete the folder to start over"
                )
        self._progress = run["candidates"]

    def restore(self, number: int, state: CandidateState) -> None:
        """Restore the saved state of a candidate, in place."""
        kept = self._progress.get(str(number))
        if kept is None:
            return
        path = self._tensors(number, int(kept["iteration"]))
        arrays = self._read(path)
        for name in VECTORS:
            vector = getattr(state, name)
            if name not in arrays or arrays[name].shape != vector.shape:
                raise self._damaged(path, f"{name} is missing or has the wrong shape")
            np.copyto(vector, arrays[name])
        for name in PROGRESS:
            setattr(state, name, kept[name])
        state.best_tensors = {
            name.removeprefix(BEST): value.copy()
            for name, value in arrays.items()
            if name.startswith(BEST)
        }
        state.rollouts = [
            rollout
            for done in range(1, state.iteration + 1)
            for rollout in _unpack(self._read(self._rollouts(number, done)))
        ]

    def _write_run(self) -> None:
        run = {"identity": self._identity, "candidates": self._progress}
        write_atomic(self.folder / RUN, json.dumps(run, indent=1).encode())

    def _rollouts(self, number: int, iteration: int) -> Path:
        return self.folder / f"rollouts-{number}-{iteration:04d}.safetensors"

    def _tensors(self, number: int, iteration: int) -> Path:
        return self.folder / f"candidate-{number}-{iteration:04d}.safetensors"

    def _read(self, path: Path) -> Arrays:
        try:
            return load(path.read_bytes())
        except (OSError, SafetensorError) as error:
            raise self._damaged(path, error) from error

    def _damaged(self, path: Path, why: object) -> InputError:
        return InputError(
            f"cannot resume: {path} is missing or damaged ({why}); delete the folder "
            f"{self.folder} to start over"
        )


def _difference(key: str, old: dict[str, Any], new: Any) -> str:
    """How two runs differ, in words."""
    if key == "problems":
        return "its problems are different"
    if key == "settings":
        was = old.get(key, {})
        changed = [f"{name}={was.get(name)}" for name in new if was.get(name) != new[name]]
        return f"it was trained with {', '.join(changed)}"
    return f"its {key} is {old.get(key)}, not {new}"


FIELDS = ("nodes", "first", "distance", "memory", "events", "trail")


def _pack(rollouts: Sequence[Rollout]) -> Arrays:
    arrays: Arrays = {"count": np.array([len(rollouts)])}
    for k, rollout in enumerate(rollouts):
        arrays[f"{k}.about"] = np.array([rollout.problem, rollout.reached])
        arrays |= {f"{k}.{name}": getattr(rollout, name) for name in FIELDS}
    return arrays


def _unpack(arrays: Arrays) -> list[Rollout]:
    return [
        Rollout(
            problem=int(arrays[f"{k}.about"][0]),
            reached=bool(arrays[f"{k}.about"][1]),
            **{name: arrays[f"{k}.{name}"] for name in FIELDS},
        )
        for k in range(int(arrays["count"][0]))
    ]
