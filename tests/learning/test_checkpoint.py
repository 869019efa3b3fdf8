"""Checkpoints: a run goes on where it stood, whatever a crash left behind."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import load_file, save, save_file

from phil.errors import InputError
from phil.files import write_atomic
from phil.learning.algorithm import Finished, imitate
from phil.learning.checkpoint import PREVIOUS, PROGRESS, RUN, VECTORS, Checkpoint, is_interrupted
from phil.learning.rollout import Rollout
from phil.learning.run_record import digest_of
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


@cache
def small_setup(preset: str = "best") -> Setup:
    return Setup(grid_problems(3), preset, QUICK | {"iterations": 10})


@dataclass(frozen=True)
class Saved:
    """A run of three iterations, every one of which was saved."""

    setup: Setup
    folder: Path
    candidate: Run

    def copied(self, folder: Path) -> Checkpoint:
        """A copy of its checkpoint, to be damaged."""
        shutil.copytree(self.folder, folder / "run.checkpoint")
        return Checkpoint(folder / "run.checkpoint", IDENTITY)


@cache
def saved_run(preset: str, base: Path) -> Saved:
    setup = small_setup(preset)
    checkpoint = Checkpoint(base / f"{preset}.checkpoint", IDENTITY)
    checkpoint.create()
    return Saved(setup, checkpoint.folder, trained(checkpoint, setup, 3))


@pytest.fixture(scope="module", params=["best", "paper"])
def saved(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Saved:
    return saved_run(request.param, tmp_path_factory.getbasetemp())


@pytest.fixture(scope="module")
def saved_best(tmp_path_factory: pytest.TempPathFactory) -> Saved:
    return saved_run("best", tmp_path_factory.getbasetemp())


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
    again.restore(run.learner.candidate, run.state, setup.oracle, setup.settings)
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


def test_the_last_two_weights_and_records_are_kept(checkpoint: Checkpoint, setup: Setup) -> None:
    trained(checkpoint, setup, 4)
    names = sorted(path.name for path in checkpoint.folder.iterdir())
    assert names == [
        *(f"candidate-0-000{k}.safetensors" for k in (3, 4)),
        *(f"rollouts-0-000{k}.safetensors" for k in (1, 2, 3, 4)),
        PREVIOUS,
        RUN,
    ]
    for name in names:
        if name not in (RUN, PREVIOUS):
            load_file(checkpoint.folder / name)


class Crash(BaseException):
    """The machine stops here."""


@pytest.mark.parametrize("writes", [0, 1, 2, 3, 4])
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
    if writes < 4:
        with pytest.raises(Crash):
            checkpoint.save(candidate.number, candidate.state)
    else:
        checkpoint.save(candidate.number, candidate.state)
    monkeypatch.undo()
    again = restored(checkpoint, setup)
    assert again.state.iteration == (2 if writes < 4 else 3)
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
    with pytest.raises(InputError, match=r"none\.checkpoint does not hold .*; train without"):
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


@pytest.mark.parametrize("after", ["mkdir", "records"])
def test_a_folder_without_a_record_is_no_run(checkpoint: Checkpoint, after: str) -> None:
    """As it is left by a run that was killed when it had just begun, or when it was done."""
    if after == "records":
        trained(checkpoint, small_setup(), 1)
        (checkpoint.folder / PREVIOUS).unlink()
    (checkpoint.folder / RUN).unlink()
    with pytest.raises(InputError, match=r"nothing to resume: .* train without --resume"):
        checkpoint.load()
    Checkpoint(checkpoint.folder, IDENTITY).create()
    assert [path.name for path in checkpoint.folder.iterdir()] == [RUN]


def test_removal_begins_with_the_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saved_best: Saved
) -> None:
    checkpoint = saved_best.copied(tmp_path)
    monkeypatch.setattr("shutil.rmtree", lambda *_, **__: None)  # killed before this
    checkpoint.remove()
    assert checkpoint.folder.exists()
    assert not is_interrupted(checkpoint.folder)


BAD_RECORDS = [
    b"",
    b"{",
    b"[]",
    b"{}",
    b'{"identity": {}}',
    b"\xff",
    b"[" * 100_000,
    b'{"digest": "", "run": {"identity": {}, "candidates": {}}}',
]


@pytest.mark.parametrize("content", BAD_RECORDS)
def test_a_damaged_record_is_said(checkpoint: Checkpoint, content: bytes) -> None:
    (checkpoint.folder / RUN).write_bytes(content)
    with pytest.raises(InputError, match=r"cannot resume: .*run\.json .*delete the folder"):
        checkpoint.load()


@pytest.mark.parametrize("content", [*BAD_RECORDS, None])
def test_the_record_before_a_damaged_one_is_used(
    tmp_path: Path, saved_best: Saved, content: bytes | None
) -> None:
    checkpoint, setup = saved_best.copied(tmp_path), saved_best.setup
    path = checkpoint.folder / RUN
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    with pytest.warns(
        UserWarning, match=r"run\.json is missing or damaged; resuming from run-prev"
    ):
        again = restored(checkpoint, setup)
    assert again.state.iteration == 2
    again.iterate()
    assert_same(again, saved_best.candidate)


def forge(checkpoint: Checkpoint, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the record of a run, which is then whole again."""
    path = checkpoint.folder / RUN
    run = json.loads(path.read_bytes())["run"]
    change(run)
    digest = digest_of(json.dumps(run, sort_keys=True).encode())
    path.write_text(json.dumps({"digest": digest, "run": run}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("iteration", -1),
        ("iteration", 10**9),
        ("iteration", "3"),
        ("iteration", 3.5),
        ("iteration", None),
        ("best", "low"),
        ("best", None),
        ("best", float("nan")),
        ("best_iteration", 4),
        ("best_expansions", None),
        ("best_expansions", []),
        ("best_expansions", ["1"]),
        ("idle", -1),
        ("tensors", "0"),
        ("other", 1),
    ],
)
def test_an_impossible_record_is_said(
    tmp_path: Path, saved_best: Saved, name: str, value: object
) -> None:
    checkpoint = saved_best.copied(tmp_path)
    (checkpoint.folder / PREVIOUS).unlink()
    forge(checkpoint, lambda run: run["candidates"]["0"]["saved"][-1].update({name: value}))
    with pytest.raises(InputError, match=r"cannot resume: .*run\.json .*damaged"):
        checkpoint.load()


@pytest.mark.parametrize(
    "change",
    [
        {"identity": []},
        {"identity": None},
        {"candidates": []},
        {"candidates": {"-1": {}}},
        {"candidates": {"0": []}},
        {"candidates": {"0": {"rollouts": [], "saved": []}}},
    ],
)
def test_a_record_of_another_shape_is_said(checkpoint: Checkpoint, change: dict[str, Any]) -> None:
    forge(checkpoint, lambda run: run.update(change))
    with pytest.raises(InputError, match=r"cannot resume: .*run\.json .*damaged"):
        checkpoint.load()


def test_a_record_without_settings_is_of_another_run(checkpoint: Checkpoint) -> None:
    forge(checkpoint, lambda run: run.update({"identity": {"settings": 3}}))
    with pytest.raises(InputError, match="its settings is 3"):
        checkpoint.load()


DAMAGES: dict[str, Callable[[Path], object]] = {
    "truncated": lambda path: path.write_bytes(path.read_bytes()[:-20]),
    "empty": lambda path: path.write_bytes(b""),
    "missing": lambda path: path.unlink(),
    "other": lambda path: path.write_bytes(b"no tensors"),
    "one bit": lambda path: path.write_bytes(path.read_bytes()[:-1] + b"\x77"),
    "of another size": lambda path: save_file({"weights": np.zeros(3, np.float32)}, path),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", ["candidate-0-0003", "rollouts-0-0003"])
def test_the_iteration_before_a_damaged_one_is_used(
    tmp_path: Path, saved: Saved, name: str, damage: str
) -> None:
    checkpoint, setup, candidate = saved.copied(tmp_path), saved.setup, saved.candidate
    DAMAGES[damage](checkpoint.folder / f"{name}.safetensors")
    message = rf"{name}\.safetensors is missing or damaged; candidate 1 continues after iteration 2"
    with pytest.warns(UserWarning, match=message) as warned:
        again = restored(checkpoint, setup)
    assert len(warned) == 1
    assert again.state.iteration == 2
    resumed = Checkpoint(checkpoint.folder, IDENTITY)
    with pytest.warns(UserWarning, match=message):
        resumed.load()
    assert resumed.iterations == {0: 2}
    again.iterate()
    resumed.save(again.number, again.state)
    assert_same(again, candidate)
    assert_same(restored(checkpoint, setup), candidate)


def test_damage_of_one_candidate_is_none_of_another(checkpoint: Checkpoint, setup: Setup) -> None:
    first, second = Run(setup, 0), Run(setup, 1)
    for candidate in (first, first, second):
        candidate.iterate()
        checkpoint.save(candidate.number, candidate.state)
    (checkpoint.folder / "candidate-0-0002.safetensors").unlink()
    with pytest.warns(UserWarning, match="candidate 1 continues after iteration 1, not 2"):
        assert_same(restored(checkpoint, setup, 1), second)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("names", [["rollouts-0-0001"], ["candidate-0-0003", "candidate-0-0002"]])
def test_damage_without_a_whole_iteration_is_said(
    tmp_path: Path, saved_best: Saved, names: list[str], damage: str
) -> None:
    checkpoint, setup = saved_best.copied(tmp_path), saved_best.setup
    for name in names:
        DAMAGES[damage](checkpoint.folder / f"{name}.safetensors")
    with pytest.raises(InputError, match=rf"cannot resume: .*{names[0]}\.safetensors .*damaged"):
        restored(checkpoint, setup)


def rewrite(checkpoint: Checkpoint, name: str, arrays: dict[str, NDArray[Any]]) -> None:
    """Change arrays of a file of the last iteration, with the right digest in the record."""
    path = checkpoint.folder / f"{name}.safetensors"
    found = load_file(path) | arrays
    path.write_bytes(save({key: value for key, value in found.items() if value.ndim < 9}))
    digest = digest_of(path.read_bytes())

    def change(run: dict[str, Any]) -> None:
        candidate = run["candidates"]["0"]
        if name.startswith("rollouts"):
            candidate["rollouts"][-1] = digest
        else:
            candidate["saved"][-1]["tensors"] = digest

    forge(checkpoint, change)


ABSENT = np.zeros((1,) * 9)


def some(shape: tuple[int, ...], value: float, dtype: type = np.int32) -> NDArray[Any]:
    return np.full(shape, value, dtype)


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("about", lambda a: ABSENT),
        ("about", lambda a: np.array([-1, 0])),
        ("about", lambda a: np.array([3, 0])),
        ("about", lambda a: np.array([2**40, 1])),
        ("about", lambda a: np.array([0, 2])),
        ("about", lambda a: np.array([0])),
        ("about", lambda a: np.array([0.0, 1.0])),
        ("nodes", lambda a: ABSENT),
        ("nodes", lambda a: some(a.shape, -1)),
        ("nodes", lambda a: some(a.shape, 21 * 21)),
        ("nodes", lambda a: some(a.shape, 2**31 - 1)),
        ("nodes", lambda a: a.astype(np.int64)),
        ("nodes", lambda a: a[:-1]),
        ("nodes", lambda a: a[:0]),
        ("nodes", lambda a: a[None]),
        ("first", lambda a: np.append(a[:-1], np.int32(2**30))),
        ("first", lambda a: np.append(np.int32(-1), a[1:])),
        ("first", lambda a: np.concatenate([a[:1], a[-1:], a[1:-2], a[-1:]])),
        ("first", lambda a: a[:1]),
        ("first", lambda a: a[:0]),
        ("first", lambda a: a.astype(np.float32)),
        ("memory", lambda a: np.append(a, some((1, 4), 0, np.float32), axis=0)),
        ("memory", lambda a: a[:, :-1]),
        ("events", lambda a: some((1, a.shape[1]), -2)),
        ("events", lambda a: some((1, a.shape[1]), 2**20)),
        ("events", lambda a: a[:, :-1]),
        ("events", lambda a: a.ravel()),
        ("events", lambda a: np.int32(3)),
        ("spent", lambda a: a[:, :-1]),
        ("trail", lambda a: a[:-1]),
        (
            "trail",
            lambda a: np.append(a, a[:, :1], axis=1) if a.size else some((1, 3), 0, np.float32),
        ),
        ("trail", lambda a: some(a.shape, np.nan, np.float32) if a.size else ABSENT),
        ("other", lambda a: np.zeros(1)),
    ],
)
def test_impossible_rollouts_are_said(
    tmp_path: Path, saved: Saved, field: str, change: Callable[[NDArray[Any]], NDArray[Any]]
) -> None:
    """They are whole files, but would make compiled code read outside of its arrays."""
    checkpoint, setup = saved.copied(tmp_path), saved.setup
    name = "rollouts-0-0003"
    found = load_file(checkpoint.folder / f"{name}.safetensors")
    rewrite(checkpoint, name, {f"1.{field}": np.asarray(change(found.get(f"1.{field}", ABSENT)))})
    with pytest.raises(InputError, match=rf"cannot resume: .*{name}\.safetensors .*damaged"):
        restored(checkpoint, setup)


def test_memory_that_is_not_finite_is_said(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    saved = saved_run("paper", tmp_path_factory.getbasetemp())
    checkpoint, setup, name = saved.copied(tmp_path), saved.setup, "rollouts-0-0003"
    found = load_file(checkpoint.folder / f"{name}.safetensors")["0.memory"]
    rewrite(checkpoint, name, {"0.memory": some(found.shape, np.inf, np.float32)})
    with pytest.raises(InputError, match="memory of a roll-out holds NaN or infinite numbers"):
        restored(checkpoint, setup)


def test_a_node_without_a_distance_is_said(tmp_path: Path, saved_best: Saved) -> None:
    checkpoint, setup = saved_best.copied(tmp_path), saved_best.setup
    name = "rollouts-0-0003"
    found = load_file(checkpoint.folder / f"{name}.safetensors")
    problem = int(found["0.about"][0])
    nodes = found["0.nodes"]
    nodes[0] = np.flatnonzero(np.isinf(setup.oracle.distances[problem]))[0]
    rewrite(checkpoint, name, {"0.nodes": nodes})
    with pytest.raises(InputError, match="from which its goal cannot be reached"):
        restored(checkpoint, setup)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("weights", lambda a: ABSENT),
        ("weights", lambda a: a[:-1]),
        ("weights", lambda a: a.astype(np.float64)),
        ("average", lambda a: some(a.shape, np.nan, np.float32)),
        ("exp_avg_sq", lambda a: some(a.shape, -1, np.float32)),
        ("step", lambda a: np.array(np.nan, np.float32)),
        ("step", lambda a: np.array(-1, np.float32)),
        ("step", lambda a: np.array(0.5, np.float32)),
        ("step", lambda a: np.array(1e38, np.float32)),
        ("best.out.2.bias", lambda a: ABSENT),
        ("best.out.2.bias", lambda a: np.zeros(2, np.float32)),
        ("best.other", lambda a: np.zeros(2, np.float32)),
        ("other", lambda a: np.zeros(2, np.float32)),
    ],
)
def test_impossible_tensors_are_said(
    tmp_path: Path,
    saved_best: Saved,
    name: str,
    change: Callable[[NDArray[Any]], NDArray[Any]],
) -> None:
    checkpoint, setup = saved_best.copied(tmp_path), saved_best.setup
    file = "candidate-0-0003"
    found = load_file(checkpoint.folder / f"{file}.safetensors")
    rewrite(checkpoint, file, {name: change(found.get(name, ABSENT))})
    with pytest.raises(InputError, match=rf"cannot resume: .*{file}\.safetensors .*damaged"):
        restored(checkpoint, setup)


def test_best_weights_that_are_not_recorded_are_said(tmp_path: Path, saved_best: Saved) -> None:
    checkpoint, setup = saved_best.copied(tmp_path), saved_best.setup
    nothing: dict[str, Any] = {
        "best": None,
        "best_expansions": [],
        "best_calls": [],
        "best_iteration": 0,
    }
    forge(checkpoint, lambda run: run["candidates"]["0"]["saved"][-1].update(nothing))
    with pytest.raises(InputError, match="does not fit the record of the run"):
        restored(checkpoint, setup)
