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

# Imports every module with kernels, runs commands, and prints what each of them said and how often
# it compiled a function, and which functions this process has neither compiled nor loaded.
COMMANDS = """
import contextlib, io, json, sys
from importlib import import_module
from pathlib import Path
import phil
from phil.cli.main import main
from phil.compiled import cache_misses, compiled_functions, kernel_sources

package = Path(phil.__file__).parent
for path in kernel_sources(package):
    import_module(".".join(path.relative_to(package.parent).with_suffix("").parts))
done = []
for arguments in json.loads(sys.argv[1]):
    before, out = cache_misses(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main(arguments)
    done.append([" ".join(arguments), cache_misses() - before, out.getvalue()])
unused = [f.py_func.__qualname__ for f in compiled_functions() if not f.overloads]
print(json.dumps({"done": done, "unused": unused}))
"""

DEAD = {"refocus"}  # nothing in the package calls these


def run(folder: Path, *commands: list[str]) -> dict[str, Any]:
    """What a fresh process reports on commands, given in order."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(phil.__file__).parent.parent),
        "PHIL_CACHE": str(folder / "cache"),
    }
    command = [sys.executable, "-c", COMMANDS, json.dumps(commands)]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    assert "phil: compiling" not in done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


@pytest.mark.slow
def test_after_a_warm_up_nothing_is_compiled_again(tmp_path: Path) -> None:
    first = run(tmp_path, ["warmup"])
    assert set(first["unused"]) <= DEAD, "phil.cli.tiny_runs calls none of these"
    [[_, compiled, said]] = first["done"]
    assert compiled > 40
    assert said.startswith(f"Compiled {compiled} functions (")
    assert said.endswith(f"Kept in {next((tmp_path / 'cache').iterdir())}\n")

    (tmp_path / "maps").mkdir()
    for number, free in enumerate(generate_maps("forest", 4, seed=0, shape=(31, 31))):
        np.save(tmp_path / "maps" / f"{number}.npy", free)
    ends = ["--start", "30,0", "--goal", "0,30"]
    outputs = ["--picture", "solved.png", "--trace", "solved.json"]
    quick = [f"--set={text}" for text in ("iterations=1", "rollouts=2", "steps=2", "batch=2")]
    few = ["--set", "hard_candidates=0"]
    few_updates = ["--set", "iterations=1", "--set", "updates=2"]
    files = [f"-m{name}.safetensors" for name in ("best", "paper", "sail")]
    second = run(
        tmp_path,
        ["solve", "maps/0.npy", *ends, "-m", "phil:forest", *outputs],
        ["solve", "maps/0.npy", *ends, "-m", "astar(phil:mazes)", "--limit", "3"],
        ["evaluate", "maps", "--split", "all", "-m", "astar", "-m", "bfs", "-m", "oracle"],
        ["train", "maps", "-o", "best.safetensors", *quick, *few],
        ["train", "maps", "-o", "paper.safetensors", "--preset", "paper", *quick],
        ["train", "maps", "-o", "sail.safetensors", "--method", "sail", *few_updates],
        ["evaluate", "maps", "--split", "all", *files],
        ["warmup"],
    )
    assert [(command, count) for command, count, _ in second["done"] if count] == []
    assert all(said for _, _, said in second["done"])
    assert second["done"][-1][2].startswith("Everything was compiled already")


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
