"""How a program ends if its output is closed or full, and how long its errors are."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from phil.cli.run import LONGEST_ERROR

if TYPE_CHECKING:
    from tests.cli.conftest import MakeMap, Phil

PHIL = f"{sys.executable} -m phil.cli.main"
PRINTING = ("problems --json -", "problems", "--version", "solve map.png {ends} -m bfs")
ENDS = "--start 0,0 --goal 0,1"


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=folder, capture_output=True, text=True
    )
    # What a search says if it is the first on this machine is no message of the command.
    done.stderr = re.sub("^phil: compiling .*\n", "", done.stderr)
    return done


@pytest.mark.parametrize("command", PRINTING)
@pytest.mark.parametrize("closed", ["| true", ">&-"])
def test_output_that_nobody_reads_ends_the_program_quietly(
    make_map: MakeMap, command: str, closed: str
) -> None:
    folder = make_map("..").parent
    # The reader is gone before the program begins.
    late = f"(sleep 0.2; exec {PHIL} {command.format(ends=ENDS)})"
    done = shell(f"{late} {closed}", folder)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("arguments", ["--help", "solve --help"])
@pytest.mark.parametrize("closed", ["| true", ">&-"])
def test_help_that_nobody_reads_is_no_error(tmp_path: Path, arguments: str, closed: str) -> None:
    done = shell(f"(sleep 0.2; exec {PHIL} {arguments}) {closed}", tmp_path)
    assert done.returncode in (0, 1)
    assert done.stderr == ""


@pytest.mark.parametrize("command", [*PRINTING, "--help"])
def test_a_full_disk_is_an_error(make_map: MakeMap, command: str) -> None:
    done = shell(f"{PHIL} {command.format(ends=ENDS)} > /dev/full", make_map("..").parent)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert "No space left on device" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("closed", ["2>&-", "2> /dev/full"])
def test_messages_that_nobody_reads_change_nothing(make_map: MakeMap, closed: str) -> None:
    folder = make_map("..").parent
    done = shell(f"{PHIL} solve map.png {ENDS} -m bfs {closed}", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("outcome")
    assert shell(f"{PHIL} info no-such-file {closed}", folder).returncode == 2
    assert shell(f"{PHIL} --no-such-option {closed}", folder).returncode == 2


LONG = "x" * 10_000


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "map.png", "--start", LONG, "--goal", "0,0", "-m", "bfs"),
        ("solve", "map.png", "--start", "0,0", "--goal", "0,0", "-m", LONG),
        ("solve", "map.png", "--start", "0,0", "--goal", "0,0", "-m", f"astar({LONG})"),
        ("solve", "map.png", "--start", "0,0", "--goal", "0,0", "-m", f"wastar(zero, 1{LONG})"),
        ("solve", LONG, "--start", "0,0", "--goal", "0,0", "-m", "bfs"),
        ("solve", "map.png", "--limit", LONG),
        ("evaluate", LONG, "-m", "bfs"),
        ("evaluate", f"generated/{LONG}", "-m", "bfs"),
        ("evaluate", "map.png", "-m", "bfs", "--pairs", LONG),
        ("evaluate", "map.png", "-m", "bfs", "--split", LONG),
        ("info", LONG),
        ("info", f"phil:{LONG}"),
        ("train", "map.png", "-o", "out", "--set", LONG),
        ("train", "map.png", "-o", "out", "--set", f"{LONG}={LONG}"),
        ("train", "map.png", "-o", "out", "--method", LONG),
        ("train", "map.png", "-o", "out", "--features", LONG),
        ("train", "map.png", "-o", LONG),
        ("convert", "map.png", LONG),
        ("fly", LONG, "-m", "bfs"),
        ("fly", f"rooms/{LONG}", "-m", "bfs"),
        ("problems", LONG),
        ("--plugin", LONG, "problems"),
        ("--plugin", f"{LONG}.py", "problems"),
        (LONG,),
        (f"--{LONG}",),
        ("solve", *[LONG] * 5),
    ],
    ids=lambda arguments: " ".join(each[:20] for each in arguments),
)
def test_errors_are_short(
    phil: Phil, make_map: MakeMap, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(make_map("..").parent)
    done = phil(*arguments)
    assert (done.code, done.out) == (2, "")
    error = done.err.splitlines()[-1]
    assert error.startswith("error: ")
    assert len(error) < LONGEST_ERROR + 20
    assert len(done.err) < 2 * LONGEST_ERROR


def test_warnings_are_notes(phil: Phil, make_map: MakeMap, monkeypatch: pytest.MonkeyPatch) -> None:
    def warn(*_: object, **__: object) -> None:
        for _time in range(17):  # one message is told once
            warnings.warn("odd \x1b[31m file", UserWarning, stacklevel=2)
        raise OSError("gone")

    monkeypatch.setattr("phil.graphs.formats.read_graph", warn)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        done = phil("solve", make_map("."), "--start", "0,0", "--goal", "0,0", "-m", "bfs")
    assert done.err == "warning: odd \\x1b[31m file\nerror: gone\n"
