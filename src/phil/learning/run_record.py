"""The record of a training run, `run.json`: what its checkpoint holds, with digests."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

KEPT = 2  # iterations of each candidate whose tensors are kept

Count = Annotated[int, Field(ge=0)]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class SavedIteration(_Strict):
    """How far a candidate was after an iteration; the fields are those of `CandidateState`."""

    iteration: int = Field(ge=1)
    best: float | None
    best_iteration: Count
    best_expansions: list[Count]
    best_calls: list[Count]
    idle: Count
    seconds: float = Field(ge=0)
    tensors: Digest  # of the file with its tensors

    @model_validator(mode="after")
    def _has_a_best(self) -> SavedIteration:
        if (
            self.best_iteration > self.iteration
            or (self.best is None) == bool(self.best_expansions)
            or len(self.best_expansions) != len(self.best_calls)
        ):
            raise ValueError("the best iteration does not fit the others")
        return self


class SavedCandidate(_Strict):
    """The files of a candidate: the last iterations, and the roll-outs of all of them."""

    rollouts: list[Digest]
    saved: list[SavedIteration] = Field(min_length=1, max_length=KEPT)

    @model_validator(mode="after")
    def _is_in_order(self) -> SavedCandidate:
        end = len(self.rollouts) + 1
        if [one.iteration for one in self.saved] != [*range(end - len(self.saved), end)]:
            raise ValueError("the iterations are not in order")
        return self

    def up_to(self, saved: SavedIteration) -> SavedCandidate:
        """What it was before the iterations after this one."""
        return SavedCandidate(rollouts=self.rollouts[: saved.iteration], saved=[saved])

    def after(self, saved: SavedIteration, rollouts: str) -> SavedCandidate:
        """With one more iteration, and the digest of its roll-outs."""
        kept = [*self.saved, saved][-KEPT:]
        return SavedCandidate(rollouts=[*self.rollouts, rollouts], saved=kept)


class RunRecord(_Strict):
    """A run: what distinguishes it from others, and its candidates by number."""

    identity: dict[str, Any]
    candidates: dict[Annotated[str, Field(pattern="^[0-9]{1,9}$")], SavedCandidate] = {}

    def having(self, number: int, candidate: SavedCandidate) -> RunRecord:
        """The record with this candidate as it is now."""
        candidates = self.candidates | {str(number): candidate}
        return RunRecord(identity=self.identity, candidates=candidates)

    def encode(self) -> bytes:
        """The record as a file, with a digest of its own."""
        run = self.model_dump(mode="json")
        return json.dumps({"digest": _digest(run), "run": run}, indent=1).encode()

    @classmethod
    def decode(cls, data: bytes) -> RunRecord:
        """The record in a file; raises `ValueError` if it is damaged."""
        try:
            found: Any = json.loads(data)
        except RecursionError as error:
            raise ValueError("it is nested too deeply") from error
        if not isinstance(found, dict) or not {"digest", "run"} <= found.keys():
            raise ValueError("it is not the record of a run of this version")
        if found["digest"] != _digest(found["run"]):
            raise ValueError("it was changed after it was written")
        return cls.model_validate(found["run"])


def digest_of(data: bytes) -> str:
    """The digest of a file's content."""
    return hashlib.sha256(data).hexdigest()


def _digest(run: object) -> str:
    return digest_of(json.dumps(run, sort_keys=True).encode())
