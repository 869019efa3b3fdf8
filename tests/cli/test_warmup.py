"""`phil warmup` compiles everything, once: after it no command compiles again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import phil
from phil.compiled.folder import open_folder
from phil.problems.generated import generate_maps

if TYPE_CHECKING:
    from tests.cli.conftest import Phil

# Imports every module with kernels, runs commands, and prints what each of them said, how many
# functions were compiled, which files of compiled code were loaded, and which kernels, primitives
# and routines are neither loaded nor called by those that are.
COMMANDS = """
import contextlib, io, json, sys
from importlib import import_module
from pathlib import Path
import phil
from phil.cli.main import main
from numba.core.dispatcher import Dispatcher
from phil.compiled import cache_misses, kernel_sources, loaded_files

package, functions = Path(phil.__file__).parent, set()
for path in kernel_sources(package):
    module = import_module(".".join(path.relative_to(package.parent).with_suffix("").parts))
    functions |= {value for value in vars(module).values() if isinstance(value, Dispatcher)}
said = []
for arguments in json.loads(sys.argv[1]):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main(arguments)
    said.append(out.getvalue())

used, found = set(), [function for function in functions if function.overloads]
while found:
    function = found.pop()
    used.add(function)
    inside = function.py_func.__globals__
    called = [inside.get(name) for name in function.py_func.__code__.co_names]
    found += [value for value in called if isinstance(value, Dispatcher) and value not in used]
print(json.dumps({
    "said": said,
    "compiled": cache_misses(),
    "loaded": sorted(file.name for file in loaded_files()),
    "unused": sorted(function.py_func.__qualname__ for function in functions - used),
}))
"""


def run(folder: Path, *commands: list[str]) -> dict[str, Any]:
    """What a fresh process reports on commands, given in order."""
    environment = {**os.environ, "PYTHONPATH": str(Path(phil.__file__).parent.parent)}
    command = [sys.executable, "-c", COMMANDS, json.dumps(commands)]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    assert "phil: compiling" not in done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


@pytest.mark.slow
def test_a_warm_up_compiles_all_that_a_command_needs(tmp_path: Path) -> None:
    # In the cache of all tests, since a cold one takes minutes to fill. What other tests have put
    # there proves nothing: a command may load only the files that a warm-up loads as well.
    first = run(tmp_path, ["warmup"])
    compiled = first["compiled"]
    did = f"Compiled {compiled} functions (" if compiled else "Everything was compiled already ("
    assert first["said"][0].startswith(did)
    assert first["said"][0].endswith(f"Kept in {phil.compiled.user_folder().path}\n")

    again = run(tmp_path, ["warmup"])
    assert again["compiled"] == 0
    assert again["said"][0].startswith("Everything was compiled already (")
    assert again["unused"] == [], "phil.cli.tiny_runs calls none of these"

    (tmp_path / "maps").mkdir()
    for number, free in enumerate(generate_maps("forest", 4, seed=0, shape=(31, 31))):
        np.save(tmp_path / "maps" / f"{number}.npy", free)
    ends = ["--start", "30,0", "--goal", "0,30"]
    outputs = ["--picture", "solved.png", "--trace", "solved.json"]
    quick = [f"--set={text}" for text in ("iterations=1", "rollouts=2", "steps=2", "batch=2")]
    few = ["--set", "hard_candidates=0", "--set", "tune=2"]
    few_updates = ["--set", "iterations=1", "--set", "updates=2"]
    files = [f"-m{name}.safetensors" for name in ("best", "paper", "sail")]
    commands = run(
        tmp_path,
        ["solve", "maps/0.npy", *ends, "-m", "phil:forest", *outputs],
        ["solve", "maps/0.npy", *ends, "-m", "astar(phil:mazes)", "--limit", "3"],
        ["evaluate", "maps", "--split", "all", "-m", "astar", "-m", "bfs", "-m", "oracle"],
        ["train", "maps", "-o", "best.safetensors", *quick, *few],
        ["train", "maps", "-o", "paper.safetensors", "--preset", "paper", *quick],
        ["train", "maps", "-o", "sail.safetensors", "--method", "sail", *few_updates],
        ["evaluate", "maps", "--split", "all", *files],
    )
    assert all(commands["said"])
    assert commands["compiled"] == 0
    assert commands["loaded"]
    assert set(commands["loaded"]) <= set(again["loaded"])


def test_a_cache_that_cannot_be_kept_is_bad_input(
    phil: Phil, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    unusable = open_folder(tmp_path / "file" / "kernels")
    monkeypatch.setattr("phil.compiled.user_folder", lambda: unusable)
    done = phil("warmup")
    assert (done.code, done.out) == (2, "")
    assert f"{tmp_path / 'file' / 'kernels'} cannot be written to" in done.err
    assert "PHIL_CACHE" in done.err


def test_without_torch_training_is_left_out(phil: Phil, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phil.cli.tiny_runs.can_train", lambda: False)
    monkeypatch.setattr("phil.cli.tiny_runs.training", lambda: pytest.fail("there is no torch"))
    done = phil("warmup")
    assert done.code == 0
    assert "torch is not installed" in done.err
