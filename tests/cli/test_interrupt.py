"""Ctrl-C at any moment: code 130, nothing but notes, and no traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import MakeMap

PRESS = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
ENDS = ("--start", "0,0", "--goal", "0,1")


def run_pressing(
    code: str, *arguments: str, folder: Path, name: str = "sitecustomize"
) -> subprocess.CompletedProcess[str]:
    """Run a command while a module of that name, imported before or by it, runs the code."""
    modules = folder / "modules"
    modules.mkdir()
    (modules / f"{name}.py").write_text(code)
    search = os.pathsep.join([str(modules), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "phil.cli.main", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": search},
        capture_output=True,
        text=True,
        timeout=300,
    )


WHEN_IMPORTED = """
import importlib.abc, sys

class Presses(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            import os, signal
            os.kill(os.getpid(), signal.SIGINT)
            {then}

sys.meta_path.insert(0, Presses())
"""


@pytest.mark.parametrize(
    "module", ["typer", "rich.console", "phil.cli.solve", "numpy", "numba", "phil.search", "PIL"]
)
def test_while_importing(make_map: MakeMap, module: str) -> None:
    code = WHEN_IMPORTED.format(module=module, then="")
    folder = make_map("..").parent
    done = run_pressing(code, "solve", "map.png", *ENDS, "-m", "bfs", folder=folder)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_an_interrupt_that_becomes_another_error(make_map: MakeMap) -> None:
    # As extension modules do that were interrupted while they imported something.
    then = "pass"
    code = WHEN_IMPORTED.format(module="numba", then=then).replace(
        "            os.kill(os.getpid(), signal.SIGINT)",
        "            try:\n"
        "                os.kill(os.getpid(), signal.SIGINT)\n"
        "                pass\n"
        "            except KeyboardInterrupt:\n"
        "                raise ImportError('half imported')",
    )
    folder = make_map("..").parent
    done = run_pressing(code, "solve", "map.png", *ENDS, "-m", "bfs", folder=folder)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


AFTER = """
import threading

def press_at_exit():
    import os, signal
    os.kill(os.getpid(), signal.SIGINT)

threading._register_atexit(press_at_exit)
"""


def test_at_the_very_end(tmp_path: Path) -> None:
    done = run_pressing(AFTER, "--version", folder=tmp_path)
    assert (done.returncode, done.stderr) == (130, "")
    assert done.stdout.startswith("phil ")


def test_a_job_in_the_background_ignores_it(tmp_path: Path) -> None:
    ignored = f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n{AFTER}"
    done = run_pressing(ignored, "--version", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


PLUGIN = """
import os, signal
import phil

class Pressing:
    name = "pressing"
    def begin(self, graph, start, goal):
        os.kill(os.getpid(), signal.SIGINT)
        return phil.load("zero").begin(graph, start, goal)

phil.register_heuristic(Pressing())
"""


@pytest.mark.parametrize(
    "command",
    [
        ("solve", "map.png", *ENDS, "-m", "pressing"),
        ("evaluate", "map.png", "-m", "bfs", "-m", "pressing", "--count", "4"),
        ("advise", "map.png", "-m", "pressing"),
    ],
    ids=lambda command: command[0],
)
def test_during_a_search(make_map: MakeMap, command: tuple[str, ...]) -> None:
    folder = make_map("...", "...").parent
    plugin = folder / "pressing.py"
    plugin.write_text(PLUGIN)
    done = run_pressing("", "--plugin", str(plugin), *command, folder=folder)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_during_a_training(make_map: MakeMap) -> None:
    folder = make_map("....", "....").parent
    command = [sys.executable, "-m", "phil.cli.main", "train", "map.png", "-o", "h.safetensors"]
    tiny = "candidates=2", "width=4", "memory=4", "hard_candidates=0", "tune=0", "iterations=100000"
    command += [part for each in tiny for part in ("--set", each)]
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("iteration"):
            break
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
    assert err.splitlines()[-1].startswith("stopped; to continue: phil train")
