"""`phil train`: what it passes on, what it shows, and what it says when it cannot."""

from __future__ import annotations

import io
import shlex
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from rich.console import Console

from phil.cli.display import TrainingDisplay
from phil.heuristics.phil import read_heuristic
from phil.learning import METHODS, Iteration
from phil.learning.registry import load_method
from phil.learning.settings import BEST_ELSEWHERE, PRESETS

if TYPE_CHECKING:
    from tests.cli.conftest import MakeMap, Phil


@pytest.fixture
def maps(make_map: MakeMap, tmp_path: Path) -> Path:
    """A flat folder of maps."""
    for number in range(10):
        make_map(*("." * (5 + number),) * 6, name=f"maps/{number}.png")
    return tmp_path / "maps"


def iteration(number: int, validation: float) -> Iteration:
    return Iteration(
        number=number,
        total=4,
        candidate="plain",
        loss=0.5 / number,
        validation=validation,
        best=validation,
        classical=1234.5,
        classical_name="astar",
        shortest=200.0,
        seconds=float(number),
        steps=10 * number,
        left=4000.0 - 90 * number,
    )


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What training was asked for; in its place, two iterations are reported."""
    arguments: dict[str, Any] = {}

    def train(problems: object, **given: Any) -> None:
        arguments.update(problems=problems, **given)
        for number, validation in ((1, 400.0), (2, 300.0)):
            given["report"](iteration(number, validation))

    monkeypatch.setattr("phil.learning.train", train)
    return arguments


def test_options_reach_training(
    phil: Phil, maps: Path, tmp_path: Path, asked: dict[str, Any]
) -> None:
    output = tmp_path / "mine.safetensors"
    changes = ("--set", "width=16", "--set", " rollouts = 8 ")
    options = ("--preset", "paper", "--seed", "3", "--resume", "--on", "processes:2")
    done = phil("train", maps, "-o", output, *options, *changes)
    assert done.code == 0
    del asked["report"], asked["announce"]
    problems = asked.pop("problems")
    assert [len(problems.split(split)) for split in ("train", "validation", "test")] == [8, 1, 1]
    assert asked == {
        "method": "phil",
        "preset": "paper",
        "seed": 3,
        "settings": {"width": "16", "rollouts": "8"},
        "features": "auto",
        "output": output,
        "resume": True,
        "on": "processes:2",
    }


def test_the_search_to_train_for_is_a_setting(
    phil: Phil, maps: Path, tmp_path: Path, asked: dict[str, Any]
) -> None:
    done = phil("train", maps, "-o", tmp_path / "mine.safetensors", "--search", "wastar(3)")
    assert done.code == 0
    assert asked["settings"] == {"search": "wastar(3)"}


TUNED = (
    *("iterations=1", "plain=0", "hard_candidates=0", "candidates=1"),
    *("steps=2", "rollouts=2", "width=8"),
)
FAST = ("tune=6", "tune_samples=2", "tune_problems=2", "tune_sizes=0.1")


def settings_of(*texts: str) -> list[str]:
    return [part for text in texts for part in ("--set", text)]


def test_training_for_a_search_and_a_cost(phil: Phil, maps: Path, tmp_path: Path) -> None:
    output = tmp_path / "mine.safetensors"
    settings = settings_of(*TUNED, *FAST, "objective=calls")
    done = phil("train", maps, "-o", output, "--search", "astar", *settings)
    assert done.code == 0, done.err
    assert "unit=cost (astar adds the values to path costs)" in done.err
    assert "tuning by 0.1, generation 5, training calls " in done.err
    assert ", validation calls " in done.err
    assert " calls on the validation problems (" in done.out
    training = read_heuristic(output).metadata.training
    assert (training["settings"]["search"], training["settings"]["unit"]) == ("astar", "cost")
    assert training["tuned"]["generations"] == 6
    shown = phil("info", output)
    assert "tuned" in shown.out
    assert "generations" in shown.out


def test_a_heuristic_is_tuned(phil: Phil, maps: Path, tmp_path: Path) -> None:
    first, second = (tmp_path / f"{name}.safetensors" for name in ("first", "second"))
    assert phil("train", maps, "-o", first, *settings_of(*TUNED, "tune=0")).code == 0
    done = phil("train", maps, "-o", second, "--from", first, *settings_of(*FAST))
    assert done.code == 0, done.err
    assert [line.split(":")[0] for line in done.err.splitlines()] == [
        "iteration 1/2, 0",
        "iteration 2/2",
    ]
    before, after = (read_heuristic(path).metadata for path in (first, second))
    assert "tuned" not in before.training
    told = after.training["tuned"]
    assert told["before"] == before.validation["calls"]["mean"] >= told["after"]
    assert after.training | {"tuned": None} == before.training | {"tuned": None}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--from", "phil:forest", "--resume"), "leave out --method and --resume"),
        (("--from", "phil:forest", "--method", "sail"), "leave out --method and --resume"),
        (("--from", "euclidean"), "not learned by PHIL"),
        (("--from", "none.safetensors"), "none.safetensors"),
        (("--search", "bfs"), "bfs"),
        (("--search", "astar(2)"), "takes no number"),
    ],
)
def test_what_cannot_be_trained_for_or_tuned(
    phil: Phil, maps: Path, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    done = phil("train", maps, "-o", tmp_path / "mine.safetensors", *options)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_iterations_are_shown_and_the_result_is_said(
    phil: Phil, maps: Path, tmp_path: Path, asked: dict[str, Any]
) -> None:
    output = tmp_path / "mine.safetensors"
    done = phil("train", maps, "-o", output)
    first, second = done.err.splitlines()
    assert first == (
        "iteration 1/4, 1:05:10 left: plain, loss 0.5000, validation expansions 400.0, best 400.0 "
        "(astar 1,234.5)"
    )
    assert second.startswith("iteration 2/4, 1:03:40 left: plain, loss 0.2500, ")
    assert done.out.splitlines() == [
        f"Wrote {output}: 300.0 expansions on the validation problems (astar: 1,234.5)",
        f"Compare it: phil evaluate {maps} -m {output} -m astar",
    ]


def test_an_unusual_ending_is_only_remarked(
    phil: Phil, maps: Path, tmp_path: Path, asked: dict[str, Any]
) -> None:
    done = phil("train", maps, "-o", tmp_path / "mine.bin")
    assert done.code == 0
    assert "usually end in .safetensors" in done.err


def test_tensorboard_gets_every_iteration(
    phil: Phil, maps: Path, tmp_path: Path, asked: dict[str, Any]
) -> None:
    pytest.importorskip("tensorboard")
    logs = tmp_path / "logs"
    done = phil("train", maps, "-o", tmp_path / "mine.safetensors", "--tensorboard", logs)
    assert done.code == 0
    (events,) = logs.glob("events*")
    content = events.read_bytes()
    assert all(name in content for name in (b"loss/plain", b"validation/plain"))


@pytest.mark.parametrize("reported", [True, False])
def test_an_interrupted_run_says_how_to_continue(
    phil: Phil, maps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reported: bool
) -> None:
    def train(*_: object, report: Callable[[Iteration], None], **__: object) -> None:
        if reported:
            report(iteration(1, 400.0))
        raise KeyboardInterrupt

    monkeypatch.setattr("phil.learning.train", train)
    monkeypatch.setattr(sys, "argv", ["phil", "train", "my maps", "-o", "mine.safetensors"])
    done = phil("train", maps, "-o", tmp_path / "mine.safetensors")
    assert (done.code, done.out) == (130, "")
    assert done.err.splitlines()[-1] == (
        "stopped; to continue: phil train 'my maps' -o mine.safetensors --resume"
        if reported
        else "stopped before the first iteration"
    )


def test_warnings_of_training_are_notes(
    phil: Phil, maps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def train(*_: object, report: Callable[[Iteration], None], **__: object) -> None:
        warnings.simplefilter("always")
        warnings.warn("run.json is missing or damaged", stacklevel=1)
        report(iteration(1, 400.0))

    monkeypatch.setattr("phil.learning.train", train)
    done = phil("train", maps, "-o", tmp_path / "mine.safetensors", "--resume")
    assert done.err.splitlines()[0] == "note: run.json is missing or damaged"
    assert done.code == 0


def test_a_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    terminal = Console(file=screen, force_terminal=True, width=80)
    monkeypatch.setattr("phil.cli.display.error_console", lambda: terminal)
    with TrainingDisplay() as display:
        for number in (1, 2, 3):
            display.report(iteration(number, 100.0 * number))
    for part in ("iteration 3/4", "left", "loss 0.1667", "best 300.0 (astar 1,234.5)", "\u2501"):
        assert part in screen.getvalue()


def test_every_setting_is_listed_with_its_defaults_and_its_meaning(phil: Phil) -> None:
    done = phil("train", "--settings")
    assert (done.code, done.err) == (0, "")
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    for name in METHODS:
        settings = load_method(name).settings
        assert any(line.startswith(f"{name} (with --") for line in lines)
        for setting, field in settings.model_fields.items():
            rows = [line for line in lines if line.startswith(f"{setting} ")]
            assert any(" ".join(field.description.split()[:2]) in row for row in rows), setting
    best = PRESETS["best"]
    in_3d, graphs = (BEST_ELSEWHERE[kind] for kind in ("3D maps", "graphs"))
    row = f"width 128 128 {best['width']} 3D maps: {in_3d['width']}, "
    assert any(line.startswith(row) for line in lines)
    tolls = ",".join(f"{toll:g}" for toll in best["caution"])
    row = f"caution 0 0 {tolls} graphs: {graphs['caution'][0]:g}, "
    assert any(line.startswith(row) for line in lines)
    assert "--settings" in phil("train", "--help").out


@pytest.mark.parametrize("text", ["width", "=3", ""])
def test_a_setting_needs_a_key_and_a_value(
    phil: Phil, maps: Path, tmp_path: Path, text: str
) -> None:
    done = phil("train", maps, "-o", tmp_path / "mine.safetensors", "--set", text)
    assert done.code == 2
    assert f"--set '{text}' is not KEY=VALUE, such as --set width=32" in done.err


@pytest.mark.parametrize("output", ["none/mine.safetensors", ""])
def test_the_output_is_checked_first(
    phil: Phil, maps: Path, tmp_path: Path, asked: dict[str, Any], output: str
) -> None:
    done = phil("train", maps, "-o", tmp_path / output)
    assert (done.code, done.out, asked) == (2, "", {})
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--preset", "pper"), "did you mean 'paper'?"),
        (("--set", "no_such_setting=1"), "no_such_setting"),
    ],
)
def test_unknown_names(
    phil: Phil, maps: Path, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    done = phil("train", maps, "-o", tmp_path / "mine.safetensors", *options)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert not (tmp_path / "mine.safetensors").exists()


def test_without_torch(
    phil: Phil, maps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    done = phil("train", maps, "-o", tmp_path / "mine.safetensors")
    assert (done.code, done.out) == (2, "")
    assert "training needs torch: pip install 'phil-search[train]'" in done.err


SHORT = (
    "iterations=20",
    "hard_candidates=0",
    "candidates=1",
    "plain=0",
    "steps=4",
    "rollouts=2",
    "width=8",
    "tune=0",
)


@pytest.mark.slow
def test_ctrl_c_and_resume_give_the_same_heuristic(maps: Path, tmp_path: Path) -> None:
    """As a user does it: the program, a signal, and the command that it then names."""
    command = [sys.executable, "-m", "phil.cli.main", "train", str(maps)]
    settings = [part for setting in SHORT for part in ("--set", setting)]

    def start(output: str, *more: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*command, "-o", output, *settings, *more],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    with start("whole.safetensors") as whole:
        assert whole.wait() == 0
    with start("parts.safetensors") as cut:
        assert cut.stderr is not None
        assert cut.stderr.readline().startswith("plan: PHIL, seed 0")
        assert cut.stderr.readline().startswith("iteration 1/20, ")
        cut.send_signal(signal.SIGINT)
        said = cut.stderr.read()
        assert cut.wait() == 130
    assert said.endswith(
        f"continue: phil {shlex.join([*command[3:], '-o'])} parts.safetensors "
        f"{shlex.join(settings)} --resume\n"
    )
    assert not (tmp_path / "parts.safetensors").exists()
    with start("parts.safetensors", "--resume") as resumed:
        assert resumed.wait() == 0
    whole_tensors, parts_tensors = (
        read_heuristic(tmp_path / f"{name}.safetensors").tensors for name in ("whole", "parts")
    )
    for name, tensor in whole_tensors.items():
        assert np.array_equal(tensor, parts_tensors[name]), name
