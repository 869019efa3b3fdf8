"""Running `phil`: in this process, and as the program that a user starts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from phil.cli.main import main
from phil.compiled import compiling_notice


@dataclass(frozen=True)
class Done:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @classmethod
    def from_process(cls, code: int, out: str, err: str) -> Done:
        """What a command itself says, be it the first of all or not."""
        return cls(code, out, err.replace(compiling_notice() + "\n", ""))


Phil = Callable[..., Done]
MakeMap = Callable[..., Path]


@pytest.fixture
def phil(capsys: pytest.CaptureFixture[str]) -> Phil:
    """Runs a command line through the entry point, in this process."""

    def run(*arguments: str | Path) -> Done:
        capsys.readouterr()
        handler = signal.getsignal(signal.SIGINT)
        try:
            with pytest.raises(SystemExit) as ended:
                main([str(argument) for argument in arguments])
        finally:
            signal.signal(signal.SIGINT, handler)
        printed = capsys.readouterr()
        return Done.from_process(int(ended.value.code or 0), printed.out, printed.err)

    return run


@pytest.fixture
def program(tmp_path: Path) -> Phil:
    """Runs a command line as a process of its own, in an empty folder."""

    def run(*arguments: str | Path) -> Done:
        command = [sys.executable, "-m", "phil.cli.main", *map(str, arguments)]
        environment = {**os.environ, "COLUMNS": "200"}
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )
        return Done.from_process(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def make_map(tmp_path: Path) -> MakeMap:
    """Writes a PNG map from rows of text: `.` is free, `#` is blocked."""

    def make(*rows: str, name: str = "map.png") -> Path:
        free = np.array([[cell == "." for cell in row] for row in rows])
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(free.astype(np.uint8) * np.uint8(255)).save(path)
        return path

    return make
