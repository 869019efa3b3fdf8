"""Checkpoints: a run goes on where it stood, whatever a crash left behind."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from phil.errors import InputError
from phil.files import write_atomic
from phil.learning.algorithm import Finished, imitate
from phil.learning.checkpoint import PROGRESS, RUN, VECTORS, Checkpoint
from phil.learning.rollout import Rollout
from phil.learning.validation import Validation
from tests.learning.small import QUICK, Setup, grid_problems

IDENTITY: dict[str, Any] = {"settings": {"width": 8, "beta": 0.6}, "seed": 3, "problems": "abc"}


class Run:
    """One candidate's run of Algorithm 1."""

    def __init__(self, setup: Setup, number: int = 0, iterations: int = 0) -> None:
        self.number = number
        self.learner = setup.learner(number)
        self.state = self.learner.state
        self._iterations = imitate(self.learner, setup.oracle, Validation(setup.oracle))
        for _ in range(iterations):
            self.iterate()

    def iterate(self) -> Finished:
        """One iteration."""
        return next(self._iterations)


@pytest.fixture(scope="module", params=["best", "paper"])
def setup(request: pytest.FixtureRequest) -> Setup:
    return small_setup(request.param)


def small_setup(preset: str = "best") -> Setup:
    return Setup(grid_problems(3), preset, QUICK | {"iterations": 10})


@pytest.fixture
def checkpoint(tmp_path: Path) -> Checkpoint:
    checkpoint = Checkpoint(tmp_path / "run.checkpoint", IDENTITY)
    checkpoint.create()
    return checkpoint


def assert_same(left: Run, right: Run) -> None:
    """All that is kept, but not which roll-outs were the last."""
    for name in PROGRESS:
        assert getattr(left.state, name) == getattr(right.state, name)
    for name in VECTORS:
        assert np.array_equal(getattr(left.state, name), getattr(right.state, name)), name
    one, other = left.state.best_tensors, right.state.best_tensors
    assert one.keys() == other.keys()
    assert all(np.array_equal(one[name], other[name]) for name in one)
    for a, b in zip(left.state.rollouts, right.state.rollouts, strict=True):
        for field in fields(Rollout):
            assert np.array_equal(getattr(a, field.name), getattr(b, field.name))


def restored(checkpoint: Checkpoint, setup: Setup, number: int = 0) -> Run:
    run = Run(setup, number)
    again = Checkpoint(checkpoint.folder, IDENTITY)
    again.load()
    again.restore(number, run.state)
    return run


def trained(checkpoint: Checkpoint, setup: Setup, iterations: int) -> Run:
    """A candidate with every iteration saved."""
    run = Run(setup)
    for _ in range(iterations):
        run.iterate()
        checkpoint.save(run.number, run.state)
    return run


def test_a_restored_candidate_is_the_one_that_was_saved(
    checkpoint: Checkpoint, setup: Setup
) -> None:
    candidate = trained(checkpoint, setup, 3)
    again = restored(checkpoint, setup)
    assert_same(again, candidate)
    assert again.state.iteration == 3
    assert again.state.best_expansions == candidate.state.best_expansions != []


def test_a_restored_candidate_goes_on_alike(checkpoint: Checkpoint, setup: Setup) -> None:
    candidate = trained(checkpoint, setup, 2)
    again = restored(checkpoint, setup)
    for _ in range(2):
        finished, repeated = candidate.iterate(), again.iterate()
        assert_same(again, candidate)
        assert (repeated.loss, repeated.validation) == (finished.loss, finished.validation)
    assert len(again.state.fresh) == len(candidate.state.fresh) > 0


def test_before_the_first_iteration_there_is_nothing_to_restore(
    checkpoint: Checkpoint, setup: Setup
) -> None:
    checkpoint.load()
    assert checkpoint.iterations == {}
    fresh = restored(checkpoint, setup)
    fresh.iterate()
    assert_same(fresh, Run(setup, iterations=1))


def test_candidates_are_kept_apart(checkpoint: Checkpoint, setup: Setup) -> None:
    first, second = Run(setup, 0), Run(setup, 1)
    for candidate in (first, second, second, first, second):
        candidate.iterate()
        checkpoint.save(candidate.number, candidate.state)
    for number, candidate in enumerate((first, second)):
        assert_same(restored(checkpoint, setup, number), candidate)
    assert (first.state.iteration, second.state.iteration) == (2, 3)
    assert checkpoint.iterations == {0: 2, 1: 3}


def test_what_was_kept_stays_when_a_resumed_run_saves(checkpoint: Checkpoint, setup: Setup) -> None:
    first, second = Run(setup, 0), Run(setup, 1)
    for candidate in (first, second):
        candidate.iterate()
        checkpoint.save(candidate.number, candidate.state)
    resumed = Checkpoint(checkpoint.folder, IDENTITY)
    resumed.load()
    second.iterate()
    resumed.save(second.number, second.state)
    for number, candidate in enumerate((first, second)):
        assert_same(restored(checkpoint, setup, number), candidate)


def test_only_the_last_weights_are_kept(checkpoint: Checkpoint, setup: Setup) -> None:
    trained(checkpoint, setup, 3)
    names = sorted(path.name for path in checkpoint.folder.iterdir())
    assert names == [
        "candidate-0-0003.safetensors",
        *(f"rollouts-0-000{k}.safetensors" for k in (1, 2, 3)),
        RUN,
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
    setup = small_setup()
    candidate = trained(checkpoint, setup, 2)
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
            checkpoint.save(candidate.number, candidate.state)
    else:
        checkpoint.save(candidate.number, candidate.state)
    monkeypatch.undo()
    again = restored(checkpoint, setup)
    assert again.state.iteration == (2 if writes < 3 else 3)
    while again.state.iteration < 4:
        again.iterate()
        checkpoint.save(again.number, again.state)
    assert_same(again, Run(setup, iterations=4))
    assert_same(restored(checkpoint, setup), again)


def test_a_run_that_was_cut_off_is_not_begun_anew(checkpoint: Checkpoint) -> None:
    trained(checkpoint, small_setup(), 1)
    before = {path.name: path.read_bytes() for path in checkpoint.folder.iterdir()}
    with pytest.raises(InputError, match=r"continue it with --resume .* or delete the folder"):
        Checkpoint(checkpoint.folder, IDENTITY).create()
    assert {path.name: path.read_bytes() for path in checkpoint.folder.iterdir()} == before


def test_a_run_that_did_nothing_yet_is_begun_anew(checkpoint: Checkpoint) -> None:
    other = IDENTITY | {"seed": 4}
    Checkpoint(checkpoint.folder, other).create()
    Checkpoint(checkpoint.folder, other).load()


def test_removing(checkpoint: Checkpoint) -> None:
    checkpoint.remove()
    assert not checkpoint.folder.exists()
    checkpoint.remove()


def test_nothing_to_resume(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.checkpoint does not exist; train without"):
        Checkpoint(tmp_path / "none.checkpoint", IDENTITY).load()


def test_a_place_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot write"):
        Checkpoint(tmp_path / "file" / "run.checkpoint", IDENTITY).create()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": 4}, "its seed is 3, not 4"),
        ({"problems": "xyz"}, "its problems are different"),
        ({"settings": {"width": 16, "beta": 0.6}}, "it was trained with width=8;"),
    ],
)
def test_the_run_of_others_is_not_resumed(
    checkpoint: Checkpoint, change: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match="belongs to another run") as caught:
        Checkpoint(checkpoint.folder, IDENTITY | change).load()
    assert said in str(caught.value)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"identity": {}}', "\udcff"])
def test_a_damaged_record_is_said(checkpoint: Checkpoint, content: str) -> None:
    path = checkpoint.folder / RUN
    path.write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(InputError, match=r"cannot resume: .*run\.json .*delete the folder"):
        checkpoint.load()


@pytest.mark.parametrize("damage", ["truncated", "empty", "missing", "other", "of another size"])
@pytest.mark.parametrize("name", ["candidate-0-0002", "rollouts-0-0001"])
def test_a_damaged_file_is_said(checkpoint: Checkpoint, name: str, damage: str) -> None:
    setup = small_setup()
    trained(checkpoint, setup, 2)
    path = checkpoint.folder / f"{name}.safetensors"
    if damage == "truncated":
        path.write_bytes(path.read_bytes()[:-20])
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "missing":
        path.unlink()
    elif damage == "other" or name.startswith("rollouts"):
        path.write_text(json.dumps({"no": "tensors"}))
    else:
        save_file(load_file(path) | {"weights": np.zeros(3, np.float32)}, path)
    with pytest.raises(InputError, match=rf"cannot resume: .*{name}\.safetensors .*damaged"):
        restored(checkpoint, setup)
