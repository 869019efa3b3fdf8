"""Keeping a training run on disk, so that a kill at any moment loses at most one iteration.

The folder holds `run.json`, which names the iteration that each candidate has completed; the
candidates' tensors of that iteration; and the roll-outs of every iteration, each written once.
`run.json` is replaced last: whatever a crash leaves behind, it names files that are whole.
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
BEST = "best."  # prefix of the best tensors in a candidate's file

Arrays = dict[str, NDArray[Any]]
Floats = NDArray[np.float32]


@dataclass
class CandidateState:
    """All that the training of a candidate goes on from: what a checkpoint keeps.

    The vectors are the memory that the learner works on, not copies of it.
    """

    weights: Floats  # (P,) of the network
    average: Floats  # (P,) averaged over the steps
    exp_avg: Floats  # (P,) Adam's first moment
    exp_avg_sq: Floats  # (P,) Adam's second moment
    step: Floats  # (), steps of Adam so far
    iteration: int = 0
    best: float | None = None  # mean expansions of the best weights so far
    best_iteration: int = 0
    best_expansions: list[int] = field(default_factory=list)
    best_tensors: Tensors = field(default_factory=dict)
    idle: int = 0  # validations since the last gain
    rollouts: list[Rollout] = field(default_factory=list)
    fresh: Sequence[Rollout] = ()  # those of the last iteration

    def aggregate(self, rollouts: Sequence[Rollout]) -> None:
        """Add the roll-outs of an iteration to the data."""
        self.fresh = rollouts
        self.rollouts += rollouts

    def judge(self, expansions: list[int] | None, tensors: Tensors) -> float | None:
        """Keep tensors if they are the best so far; their mean expansions, if they were counted."""
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
        """Whether all iterations are done, or validation has not improved for too long."""
        stale = 0 < settings.patience <= self.idle
        return stale or self.iteration >= settings.iterations


class Checkpoint:
    """The folder of one training run; `identity` tells it from others."""

    def __init__(self, folder: Path, identity: dict[str, Any]) -> None:
        self.folder = folder
        self._identity = identity
        self._progress: dict[str, dict[str, Any]] = {}  # of each candidate, as last written

    @property
    def iterations(self) -> dict[int, int]:
        """How many iterations of each candidate are kept."""
        return {int(number): int(kept["iteration"]) for number, kept in self._progress.items()}

    def create(self) -> None:
        """Begin a new run, but never over the work of one that was interrupted."""
        if any(self.folder.glob("candidate-*")):
            raise InputError(
                f"{self.folder} holds a run that was interrupted: continue it with --resume "
                "(resume=True), or remove the folder to start anew"
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
        """Write down an iteration that a candidate has finished."""
        tensors = {BEST + name: value for name, value in state.best_tensors.items()}
        vectors = {name: getattr(state, name) for name in VECTORS}
        write_atomic(self._rollouts(number, state.iteration), save(_pack(state.fresh)))
        write_atomic(self._tensors(number, state.iteration), save(tensors | vectors))
        self._progress[str(number)] = {name: getattr(state, name) for name in PROGRESS}
        self._write_run()
        self._tensors(number, state.iteration - 1).unlink(missing_ok=True)

    def load(self) -> None:
        """Read how far the run is; an `InputError` if it is another run or cannot be read."""
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
                    "repeat the arguments of that run, or remove the folder to start anew"
                )
        self._progress = run["candidates"]

    def restore(self, number: int, state: CandidateState) -> None:
        """Bring a new candidate's state to where it was, in place."""
        kept = self._progress.get(str(number))
        if kept is None:
            return
        path = self._tensors(number, int(kept["iteration"]))
        arrays = self._read(path)
        for name in VECTORS:
            vector = getattr(state, name)
            if name not in arrays or arrays[name].shape != vector.shape:
                raise self._damaged(path, f"it has no fitting {name}")
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
            f"cannot resume: {path} is missing or damaged ({why}); remove the folder "
            f"{self.folder} to start anew"
        )


def _difference(key: str, old: dict[str, Any], new: Any) -> str:
    """In words, how two runs differ."""
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
