"""Checkpoints: a run goes on where it stood, whatever a crash left behind."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from phil.errors import InputError
from phil.files import write_atomic
from phil.learning.candidate import Candidate
from phil.learning.checkpoint import RUN, Checkpoint
from phil.learning.learner import Learner
from phil.learning.rollout import Rollout
from phil.learning.validation import Validator
from tests.learning.small import QUICK, Setup, grid_problems

IDENTITY: dict[str, Any] = {"settings": {"width": 8, "beta": 0.6}, "seed": 3, "problems": "abc"}


class Competition(Setup):
    """Makes candidates."""

    def __init__(self, preset: str) -> None:
        super().__init__(grid_problems(3), preset, QUICK | {"iterations": 10})
        names = self.heuristic.metadata.feature_names
        self.validator = Validator(self.oracle, self.network_settings, self.scaling, names)

    def candidate(self, number: int = 0, iterations: int = 0) -> Candidate:
        """A candidate that has trained some iterations."""
        learner = Learner(
            self.oracle, self.settings, self.network_settings, self.scaling, 0, number
        )
        candidate = Candidate(learner, self.validator, self.settings)
        for _ in range(iterations):
            candidate.iterate()
        return candidate


@pytest.fixture(scope="module", params=["best", "paper"])
def competition(request: pytest.FixtureRequest) -> Competition:
    return Competition(request.param)


@pytest.fixture
def checkpoint(tmp_path: Path) -> Checkpoint:
    checkpoint = Checkpoint(tmp_path / "run.checkpoint")
    checkpoint.create(IDENTITY)
    return checkpoint


def assert_same(left: Candidate, right: Candidate) -> None:
    assert left.progress() == right.progress()
    one, other = left.tensors(), right.tensors()
    assert one.keys() == other.keys()
    for name in one:
        assert np.array_equal(one[name], other[name]), name


def restored(checkpoint: Checkpoint, competition: Competition, number: int = 0) -> Candidate:
    candidate = competition.candidate(number)
    progress = Checkpoint(checkpoint.folder).load(IDENTITY)["candidates"]
    if str(number) in progress:
        checkpoint.restore(candidate, progress[str(number)])
    return candidate


def trained(checkpoint: Checkpoint, competition: Competition, iterations: int) -> Candidate:
    """A candidate with every iteration saved."""
    candidate = competition.candidate()
    for _ in range(iterations):
        candidate.iterate()
        checkpoint.save(IDENTITY, candidate)
    return candidate


def test_a_restored_candidate_is_the_one_that_was_saved(
    checkpoint: Checkpoint, competition: Competition
) -> None:
    candidate = trained(checkpoint, competition, 3)
    again = restored(checkpoint, competition)
    assert_same(again, candidate)
    assert again.iteration == 3
    assert again.best_expansions == candidate.best_expansions != []


def test_a_restored_candidate_goes_on_alike(
    checkpoint: Checkpoint, competition: Competition
) -> None:
    candidate = trained(checkpoint, competition, 2)
    again = restored(checkpoint, competition)
    for _ in range(2):
        candidate.iterate()
        again.iterate()
        assert_same(again, candidate)
        assert (again.loss, again.validation) == (candidate.loss, candidate.validation)
    assert len(again.fresh_trajectories) == len(candidate.fresh_trajectories) > 0
    for left, right in zip(again.fresh_trajectories, candidate.fresh_trajectories, strict=True):
        for field in fields(Rollout):
            assert np.array_equal(getattr(left, field.name), getattr(right, field.name))


def test_before_the_first_iteration_there_is_nothing_to_restore(
    checkpoint: Checkpoint, competition: Competition
) -> None:
    assert checkpoint.load(IDENTITY)["candidates"] == {}
    fresh = competition.candidate()
    checkpoint.restore(fresh, {"iteration": 0})
    fresh.iterate()
    assert_same(fresh, competition.candidate(iterations=1))


def test_candidates_are_kept_apart(checkpoint: Checkpoint, competition: Competition) -> None:
    first, second = competition.candidate(0), competition.candidate(1)
    for candidate in (first, second, second, first, second):
        candidate.iterate()
        checkpoint.save(IDENTITY, candidate)
    for number, candidate in enumerate((first, second)):
        assert_same(restored(checkpoint, competition, number), candidate)
    assert first.iteration == 2
    assert second.iteration == 3


def test_what_was_kept_stays_when_a_resumed_run_saves(
    checkpoint: Checkpoint, competition: Competition
) -> None:
    first, second = competition.candidate(0), competition.candidate(1)
    for candidate in (first, second):
        candidate.iterate()
        checkpoint.save(IDENTITY, candidate)
    resumed = Checkpoint(checkpoint.folder)
    resumed.load(IDENTITY)
    second.iterate()
    resumed.save(IDENTITY, second)
    for number, candidate in enumerate((first, second)):
        assert_same(restored(checkpoint, competition, number), candidate)


def test_only_the_last_weights_are_kept(checkpoint: Checkpoint, competition: Competition) -> None:
    trained(checkpoint, competition, 3)
    names = sorted(path.name for path in checkpoint.folder.iterdir())
    assert names == [
        "candidate-0-0003.safetensors",
        RUN,
        *(f"trajectories-0-000{k}.safetensors" for k in (1, 2, 3)),
    ]
    for name in names:
        if name != RUN:
            load_file(checkpoint.folder / name)


class Crash(BaseException):
    """The machine stops here."""


@pytest.mark.parametrize("writes", [0, 1, 2, 3])
def test_a_crash_between_two_writes_loses_one_iteration_at_most(
    checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    competition = Competition("best")
    candidate = trained(checkpoint, competition, 2)
    done = 0

    def crash(path: Path, data: bytes) -> None:
        nonlocal done
        if done == writes:
            raise Crash
        done += 1
        write_atomic(path, data)

    monkeypatch.setattr("phil.learning.checkpoint.write_atomic", crash)
    candidate.iterate()
    if writes < 3:
        with pytest.raises(Crash):
            checkpoint.save(IDENTITY, candidate)
    else:
        checkpoint.save(IDENTITY, candidate)
    monkeypatch.undo()
    again = restored(checkpoint, competition)
    assert again.iteration == (2 if writes < 3 else 3)
    while again.iteration < 4:
        again.iterate()
        checkpoint.save(IDENTITY, again)
    assert_same(again, competition.candidate(iterations=4))
    assert_same(restored(checkpoint, competition), again)


def test_a_run_that_was_cut_off_is_not_begun_anew(checkpoint: Checkpoint) -> None:
    trained(checkpoint, Competition("best"), 1)
    before = {path.name: path.read_bytes() for path in checkpoint.folder.iterdir()}
    with pytest.raises(InputError, match=r"continue it with --resume .* or remove the folder"):
        Checkpoint(checkpoint.folder).create(IDENTITY)
    assert {path.name: path.read_bytes() for path in checkpoint.folder.iterdir()} == before


def test_a_run_that_did_nothing_yet_is_begun_anew(checkpoint: Checkpoint) -> None:
    other = IDENTITY | {"seed": 4}
    Checkpoint(checkpoint.folder).create(other)
    assert checkpoint.load(other)["identity"] == other


def test_removing(checkpoint: Checkpoint) -> None:
    checkpoint.remove()
    assert not checkpoint.folder.exists()
    checkpoint.remove()


def test_nothing_to_resume(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.checkpoint does not exist; train without"):
        Checkpoint(tmp_path / "none.checkpoint").load(IDENTITY)


def test_a_place_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot write"):
        Checkpoint(tmp_path / "file" / "run.checkpoint").create(IDENTITY)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": 4}, "its seed is 3, not 4"),
        ({"problems": "xyz"}, "its problems are others"),
        ({"settings": {"width": 16, "beta": 0.6}}, "it was trained with width=8;"),
    ],
)
def test_the_run_of_others_is_not_resumed(
    checkpoint: Checkpoint, change: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match="of another run") as caught:
        checkpoint.load(IDENTITY | change)
    assert said in str(caught.value)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"identity": {}}', "\udcff"])
def test_a_damaged_record_is_said(checkpoint: Checkpoint, content: str) -> None:
    path = checkpoint.folder / RUN
    path.write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(InputError, match=r"cannot resume: .*run\.json .*remove the folder"):
        checkpoint.load(IDENTITY)


@pytest.mark.parametrize("damage", ["truncated", "empty", "missing", "other"])
@pytest.mark.parametrize("name", ["candidate-0-0002", "trajectories-0-0001"])
def test_a_damaged_file_is_said(checkpoint: Checkpoint, name: str, damage: str) -> None:
    competition = Competition("best")
    trained(checkpoint, competition, 2)
    path = checkpoint.folder / f"{name}.safetensors"
    if damage == "truncated":
        path.write_bytes(path.read_bytes()[:-20])
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "missing":
        path.unlink()
    else:
        path.write_text(json.dumps({"no": "tensors"}))
    with pytest.raises(InputError, match=rf"cannot resume: .*{name}\.safetensors .*damaged"):
        restored(checkpoint, competition)
