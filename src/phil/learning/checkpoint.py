"""Checkpoints: a training run that is killed at any moment loses at most one iteration.

The folder holds `run.json`, the record of the run; the candidates' tensors of their last two
iterations; and the roll-outs of every iteration, each written once. The record is replaced last, so
even after a crash it refers only to complete files, and it has a digest of each of them. The record
before it is kept as `run-previous.json`.

Nothing damaged is used: if the last iteration of a candidate is damaged, the one before it is
resumed, with a warning. A folder without a record is no run.
"""

from __future__ import annotations

import contextlib
import shutil
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from phil.errors import InputError, one_line
from phil.files import write_atomic
from phil.heuristics.file import Tensors, check_tensors
from phil.heuristics.phil.specification import NetworkSettings, tensor_shapes
from phil.learning.objective import Score
from phil.learning.oracle import OracleProblems
from phil.learning.plan import Candidate
from phil.learning.rollout import Rollout
from phil.learning.run_record import KEPT, RunRecord, SavedCandidate, SavedIteration, digest_of
from phil.learning.saved_rollouts import Arrays, pack, unpack
from phil.learning.settings import TrainingSettings

RUN, PREVIOUS = "run.json", "run-previous.json"
RECORDS = "run*.json"  # both of them
VECTORS = ("weights", "average", "exp_avg", "exp_avg_sq", "step")
PROGRESS = (
    "iteration",
    "best",
    "best_iteration",
    "best_expansions",
    "best_calls",
    "idle",
    "seconds",
)
BEST = "best."  # prefix of the best weights in a candidate's file

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
    best: float | None = None  # mean cost of the best weights so far
    best_iteration: int = 0
    best_expansions: list[int] = field(default_factory=list)
    best_calls: list[int] = field(default_factory=list)
    best_tensors: Tensors = field(default_factory=dict)
    idle: int = 0  # validations since the last improvement
    seconds: float = 0.0  # of tuning
    rollouts: list[Rollout] = field(default_factory=list)
    fresh: Sequence[Rollout] = ()  # roll-outs of the last iteration

    def aggregate(self, rollouts: Sequence[Rollout]) -> None:
        """Add the roll-outs of an iteration to the data set."""
        self.fresh = rollouts
        self.rollouts += rollouts

    def after_iteration(self) -> CandidateState:
        """What an iteration has changed, for `follow`: everything but older roll-outs."""
        return replace(self, rollouts=[])

    def follow(self, other: CandidateState) -> None:
        """Take over what an iteration has changed elsewhere, in place."""
        for name in VECTORS:
            np.copyto(getattr(self, name), getattr(other, name))
        for name in (*PROGRESS, "best_tensors"):
            setattr(self, name, getattr(other, name))
        self.aggregate(other.fresh)

    @property
    def best_score(self) -> Score:
        """The score of the best weights so far."""
        assert self.best is not None, "nothing was validated yet"
        return Score(self.best, self.best_expansions, self.best_calls)

    def judge(self, score: Score | None, tensors: Tensors) -> float | None:
        """Keep the tensors if they are the best so far; returns their mean cost, if known."""
        self.idle += 1
        if score is None:
            return None
        if self.best is None or score.mean < self.best:
            self.best, self.best_iteration = score.mean, self.iteration
            self.best_expansions, self.best_calls = score.expansions, score.calls
            self.best_tensors = tensors
            self.idle = 0
        return score.mean

    def finished(self, settings: TrainingSettings) -> bool:
        """Whether all iterations are done, or training has run out of patience."""
        stale = 0 < settings.patience <= self.idle
        return stale or self.iteration >= settings.iterations


class Checkpoint:
    """The folder of one training run; `identity` distinguishes it from other runs."""

    def __init__(self, folder: Path, identity: dict[str, Any]) -> None:
        self.folder = folder
        self._record = RunRecord(identity=identity)  # as last written

    @property
    def iterations(self) -> dict[int, int]:
        """The number of saved iterations of each candidate."""
        return {int(k): len(kept.rollouts) for k, kept in self._record.candidates.items()}

    def create(self) -> None:
        """Start a new run; refuses to overwrite one that was interrupted."""
        if is_interrupted(self.folder) and any(self.folder.glob("candidate-*")):
            raise InputError(
                f"{self.folder} holds an interrupted run: continue it with --resume "
                "(resume=True), or delete the folder to start over"
            )
        self.remove()
        try:
            self.folder.mkdir()
        except OSError as error:
            raise InputError(f"cannot write {self.folder}: {error.strerror or error}") from error
        write_atomic(self.folder / RUN, self._record.encode())

    def remove(self) -> None:
        """Remove the folder of a finished run."""
        # First the records: what is left if this is interrupted is no run that could be resumed.
        for name in (PREVIOUS, RUN):
            with contextlib.suppress(OSError):
                (self.folder / name).unlink()
        shutil.rmtree(self.folder, ignore_errors=True)

    def save(self, number: int, state: CandidateState) -> None:
        """Save an iteration that a candidate has finished."""
        best = {BEST + name: value for name, value in state.best_tensors.items()}
        tensors = save(best | {name: getattr(state, name) for name in VECTORS})
        rollouts = save(pack(state.fresh))
        write_atomic(self._rollouts(number, state.iteration), rollouts)
        write_atomic(self._tensors(number, state.iteration), tensors)
        write_atomic(self.folder / PREVIOUS, self._record.encode())
        progress = {name: getattr(state, name) for name in PROGRESS}
        saved = SavedIteration(tensors=digest_of(tensors), **progress)
        old = self._record.candidates.get(str(number))
        rolled = digest_of(rollouts)
        new = (
            SavedCandidate(rollouts=[rolled], saved=[saved])
            if old is None
            else old.after(saved, rolled)
        )
        record = self._record.having(number, new)
        write_atomic(self.folder / RUN, record.encode())
        self._record = record
        with contextlib.suppress(OSError):
            self._tensors(number, state.iteration - KEPT).unlink()

    def load(self) -> None:
        """Read the progress of the run; raises `InputError` if it is another run or damaged."""
        if not is_interrupted(self.folder):
            raise InputError(
                f"nothing to resume: {self.folder} does not hold an interrupted run; train "
                "without --resume"
            )
        record = self._read_record()
        for key, value in self._record.identity.items():
            if record.identity.get(key) != value:
                raise InputError(
                    f"{self.folder} belongs to another run: "
                    f"{_difference(key, record.identity, value)}; "
                    "use the arguments of that run, or delete the folder to start over"
                )
        for number, candidate in record.candidates.items():
            record = record.having(int(number), self._whole(int(number), candidate))
        self._record = record

    def restore(
        self,
        candidate: Candidate,
        state: CandidateState,
        oracle: OracleProblems,
        settings: TrainingSettings,
    ) -> None:
        """Restore the saved state of a candidate that learns from this oracle, in place."""
        number = candidate.number
        kept = self._record.candidates.get(str(number))
        if kept is None:
            return
        # (In float32, the count of steps ends at 2^24.)
        steps = min(kept.saved[-1].iteration * settings.steps, 2**24)
        self._restore_state(candidate, state, kept.saved[-1], range(steps, steps + 1))
        for done, digest in enumerate(kept.rollouts, 1):
            path = self._rollouts(number, done)
            try:
                arrays = self._read(path, digest)
                state.rollouts += unpack(arrays, oracle, candidate.network, settings)
            except (OSError, SafetensorError, ValueError, KeyError) as error:
                raise self._damaged(path, error) from error

    def restore_tuner(self, tuner: Candidate, state: CandidateState, each: int) -> None:
        """Restore the saved state of a tuner, saved like a candidate's, but without roll-outs.

        Each round but the last has `each` steps.
        """
        kept = self._record.candidates.get(str(tuner.number))
        if kept is not None:
            last = kept.saved[-1]
            most = last.iteration * each
            self._restore_state(tuner, state, last, range(most - each + 1, most + 1))

    def _restore_state(
        self, candidate: Candidate, state: CandidateState, last: SavedIteration, steps: range
    ) -> None:
        """Restore what a candidate had after an iteration, and so many Adam steps."""
        path = self._tensors(candidate.number, last.iteration)
        try:
            arrays = self._read(path, last.tensors)
            _restore_tensors(arrays, state, candidate.network, steps)
            if bool(state.best_tensors) != (last.best is not None):
                raise ValueError("it does not fit the record of the run")
        except (OSError, SafetensorError, ValueError, KeyError) as error:
            raise self._damaged(path, error) from error
        for name in PROGRESS:
            setattr(state, name, getattr(last, name))

    def _read_record(self) -> RunRecord:
        """The record of the run, or the one before it if that is damaged."""
        path = self.folder / RUN
        try:
            return RunRecord.decode(path.read_bytes())
        except (OSError, ValueError) as error:
            fault = self._damaged(path, error)
        try:
            record = RunRecord.decode((self.folder / PREVIOUS).read_bytes())
        except (OSError, ValueError):
            raise fault from None
        warnings.warn(f"{path} is missing or damaged; resuming from {PREVIOUS}", stacklevel=2)
        return record

    def _whole(self, number: int, candidate: SavedCandidate) -> SavedCandidate:
        """The candidate up to its last iteration whose files are all whole."""
        found = (self._fault(number, candidate.up_to(saved)) for saved in candidate.saved[::-1])
        faults = list(found)
        if faults[0] is None:
            return candidate
        for saved, fault in zip(candidate.saved[::-1], faults, strict=True):
            if fault is None:
                warnings.warn(
                    f"{faults[0]} is missing or damaged; {Candidate.title_of(number)} continues "
                    f"after iteration {saved.iteration}, not {len(candidate.rollouts)}",
                    stacklevel=2,
                )
                return candidate.up_to(saved)
        raise self._damaged(faults[0], "its digest is not the recorded one")

    def _fault(self, number: int, candidate: SavedCandidate) -> Path | None:
        """The first file of a candidate that is missing or damaged."""
        last = candidate.saved[-1]
        digests = {
            self._rollouts(number, done): digest
            for done, digest in enumerate(candidate.rollouts, 1)
        }
        digests[self._tensors(number, last.iteration)] = last.tensors
        for path, digest in digests.items():
            try:
                if digest_of(path.read_bytes()) != digest:
                    return path
            except OSError:
                return path
        return None

    def _rollouts(self, number: int, iteration: int) -> Path:
        return self.folder / f"rollouts-{number}-{iteration:04d}.safetensors"

    def _tensors(self, number: int, iteration: int) -> Path:
        return self.folder / f"candidate-{number}-{iteration:04d}.safetensors"

    def _read(self, path: Path, digest: str) -> Arrays:
        data = path.read_bytes()
        if digest_of(data) != digest:
            raise ValueError("it was changed after it was written")
        return load(data)

    def _damaged(self, path: Path, why: object) -> InputError:
        return InputError(
            f"cannot resume: {path} is missing or damaged ({one_line(why)}); delete the folder "
            f"{self.folder} to start over"
        )


def is_interrupted(folder: Path) -> bool:
    """Whether a checkpoint folder holds a run; one that is finished or never began is none."""
    return any(folder.glob(RECORDS))


def _restore_tensors(
    arrays: Arrays, state: CandidateState, network: NetworkSettings, steps: range
) -> None:
    """Set what a candidate had after some Adam steps; raises `ValueError` if it is not that."""
    best = {name.removeprefix(BEST): arrays.pop(name) for name in [*arrays] if BEST in name}
    check_tensors({name: getattr(state, name).shape for name in VECTORS}, arrays)
    if best:
        check_tensors(tensor_shapes(network), best)
    if arrays["step"] not in steps or (arrays["exp_avg_sq"] < 0).any():
        raise ValueError("the state of the optimiser is impossible")
    for name in VECTORS:
        np.copyto(getattr(state, name), arrays[name])
    state.best_tensors = best


def _difference(key: str, old: dict[str, Any], new: Any) -> str:
    """How two runs differ, in words."""
    if key == "problems":
        return "its problems are different"
    was = old.get(key)
    if key == "settings" and isinstance(was, dict):
        changed = [f"{name}={was.get(name)}" for name in new if was.get(name) != new[name]]
        return f"it was trained with {', '.join(changed)}"
    return f"its {key} is {was}, not {new}"
