"""Keeping a training run on disk, so that a kill at any moment loses at most one iteration.

The folder holds `run.json`, which names the iteration that is complete; the candidates' tensors of
that iteration; and the trajectories of every iteration, each written once. `run.json` is replaced
last: whatever a crash leaves behind, it names files that are whole.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from phil.errors import InputError
from phil.files import write_atomic
from phil.learning.candidate import Candidate
from phil.learning.rollout import Rollout

RUN = "run.json"
Arrays = dict[str, NDArray[Any]]


class Checkpoint:
    """The folder of one training run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._progress: dict[str, Any] = {}  # of each candidate, as last written

    def create(self, identity: dict[str, Any]) -> None:
        """Begin a new run, but never over the work of one that was cut off."""
        if any(self.folder.glob("candidate-*")):
            raise InputError(
                f"{self.folder} holds a run that was cut off: continue it with --resume "
                "(resume=True), or remove the folder to start anew"
            )
        self.remove()
        try:
            self.folder.mkdir()
        except OSError as error:
            raise InputError(f"cannot write {self.folder}: {error.strerror or error}") from error
        self._write_run({"identity": identity, "candidates": {}})

    def remove(self) -> None:
        """Remove the folder of a finished run."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def save(self, identity: dict[str, Any], candidate: Candidate) -> None:
        """Write down an iteration that a candidate has finished."""
        self._save_candidate(candidate)
        self._progress[str(candidate.number)] = candidate.progress()
        self._write_run({"identity": identity, "candidates": self._progress})
        before = self._name(candidate.number, candidate.iteration - 1)
        (self.folder / before).unlink(missing_ok=True)

    def load(self, identity: dict[str, Any]) -> dict[str, Any]:
        """The run as it stands; an `InputError` if it is another run's or cannot be read."""
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
            raise self._damaged(path, "it is no record of a run")
        for key, value in identity.items():
            if run["identity"].get(key) != value:
                raise InputError(
                    f"{self.folder} is of another run: {_difference(key, run['identity'], value)}; "
                    "give what that run was given, or remove the folder to start anew"
                )
        self._progress = run["candidates"]
        return run

    def restore(self, candidate: Candidate, progress: dict[str, Any]) -> None:
        """Bring a new candidate to where it was."""
        iteration = int(progress["iteration"])
        if iteration == 0:
            return
        tensors = self._read(self.folder / self._name(candidate.number, iteration))
        trajectories = [
            trajectory
            for done in range(1, iteration + 1)
            for trajectory in _unpack(self._read(self._trajectories(candidate.number, done)))
        ]
        candidate.restore(progress, tensors, trajectories)

    def _save_candidate(self, candidate: Candidate) -> None:
        fresh = candidate.fresh_trajectories
        write_atomic(self._trajectories(candidate.number, candidate.iteration), save(_pack(fresh)))
        write_atomic(
            self.folder / self._name(candidate.number, candidate.iteration),
            save(candidate.tensors()),
        )

    def _write_run(self, run: dict[str, Any]) -> None:
        write_atomic(self.folder / RUN, json.dumps(run, indent=1).encode())

    def _trajectories(self, number: int, iteration: int) -> Path:
        return self.folder / f"trajectories-{number}-{iteration:04d}.safetensors"

    @staticmethod
    def _name(number: int, iteration: int) -> str:
        return f"candidate-{number}-{iteration:04d}.safetensors"

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
    """In words, what of two runs differs."""
    if key == "problems":
        return "its problems are others"
    if key == "settings":
        was = old.get(key, {})
        changed = [f"{name}={was.get(name)}" for name in new if was.get(name) != new[name]]
        return f"it was trained with {', '.join(changed)}"
    return f"its {key} is {old.get(key)}, not {new}"


FIELDS = ("nodes", "first", "distance", "memory", "events", "trail")


def _pack(trajectories: Sequence[Rollout]) -> Arrays:
    arrays: Arrays = {"count": np.array([len(trajectories)])}
    for k, trajectory in enumerate(trajectories):
        arrays[f"{k}.about"] = np.array([trajectory.problem, trajectory.reached])
        arrays |= {f"{k}.{field}": getattr(trajectory, field) for field in FIELDS}
    return arrays


def _unpack(arrays: Arrays) -> list[Rollout]:
    return [
        Rollout(
            problem=int(arrays[f"{k}.about"][0]),
            reached=bool(arrays[f"{k}.about"][1]),
            **{field: arrays[f"{k}.{field}"] for field in FIELDS},
        )
        for k in range(int(arrays["count"][0]))
    ]
