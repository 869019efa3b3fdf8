"""The program as a whole: help, version, and how errors leave it."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from phil.cli.commands import COMMANDS

if TYPE_CHECKING:
    from tests.cli.conftest import MakeMap, Phil


def test_version(program: Phil) -> None:
    done = program("--version")
    assert (done.code, done.out, done.err) == (0, f"phil {version('phil-search')}\n", "")


def test_help_names_every_command_and_an_example(phil: Phil) -> None:
    done = phil("--help")
    assert done.code == 0
    for command in COMMANDS:
        assert command in done.out
    assert "Example: phil " in done.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(phil: Phil, command: str) -> None:
    done = phil(command, "--help")
    assert done.code == 0
    assert f"Example: phil {command}" in done.out


@pytest.mark.parametrize(
    "arguments", [("sovle",), ("solve",), ("evaluate", "generated/forest", "--no-such-option")]
)
def test_bad_usage_exits_with_2(program: Phil, arguments: tuple[str, ...]) -> None:
    done = program(*arguments)
    assert (done.code, done.out) == (2, "")
    assert "Traceback" not in done.err


def test_bad_input_is_one_line_on_standard_error(program: Phil) -> None:
    done = program("info", "no-such-file.safetensors")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1


def test_a_failing_system_call_is_bad_input(
    phil: Phil, make_map: MakeMap, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, "Input/output error", "map.png")

    monkeypatch.setattr("phil.graphs.formats.read_graph", fail)
    done = phil("solve", make_map("."), "--start", "0,0", "--goal", "0,0", "-m", "bfs")
    assert (done.code, done.err) == (2, "error: map.png: Input/output error\n")


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "phil.cli.main", "problems", "--json", "-"]
    done = subprocess.run(command, cwd=tmp_path, stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    assert "Traceback" not in done.stderr
