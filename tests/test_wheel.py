"""What a user gets from the package index: the wheel alone, in an environment of its own."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).parents[1]
BIN = "Scripts" if os.name == "nt" else "bin"
SHIPS = (sys.platform, platform.machine()) == ("linux", "x86_64")


def run(*command: str | Path, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A command that knows nothing of this environment's phil."""
    outside = {"PYTHONPATH", "PHIL_DATA", "VIRTUAL_ENV"}
    environment = {name: value for name, value in os.environ.items() if name not in outside}
    environment |= variables
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}:\n{done.stdout}\n{done.stderr}"
    return done


def build_wheel(folder: Path, **variables: str) -> Path:
    build = (sys.executable, "-m", "build", "--wheel", "--no-isolation")
    run(*build, "--outdir", folder, ROOT, folder=folder.parent, **variables)
    (wheel,) = folder.glob("*.whl")
    return wheel


def packed(wheel: Path) -> set[str]:
    names = zipfile.ZipFile(wheel).namelist()
    return {name for name in names if name.startswith(("phil/", "_phil_networkx/"))}


def sources() -> set[str]:
    source = ROOT / "src"
    files = (path for path in source.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path.relative_to(source).as_posix() for path in files}


def write_map(path: Path) -> None:
    """A wall across the map with a gap in its middle."""
    free = np.ones((24, 40), dtype=bool)
    free[12, :18] = free[12, 22:] = False
    Image.fromarray(free.astype(np.uint8) * np.uint8(255)).save(path)


def test_a_plain_wheel_holds_the_sources_and_runs_anywhere(tmp_path: Path) -> None:
    wheel = build_wheel(tmp_path / "dist")
    assert wheel.name.endswith("-py3-none-any.whl")
    assert packed(wheel) == sources()


@pytest.mark.slow
def test_the_wheel_searches_at_once_and_without_torch(tmp_path: Path) -> None:
    # The kernels are compiled in the user's own cache, once for all runs of this test.
    wheel = build_wheel(tmp_path / "dist", HATCH_BUILD_HOOK_ENABLE_CUSTOM="true")
    kernels = {name for name in packed(wheel) if name.startswith("phil/compiled/shipped/")}
    assert packed(wheel) == sources() | kernels
    assert bool(kernels) == SHIPS
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = f"{version}-{version}-manylinux_2_17_x86_64" if SHIPS else "py3-none-any"
    assert wheel.name.endswith(f"-{tag}.whl")

    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv", folder=tmp_path)
    python, phil = (tmp_path / "venv" / BIN / name for name in ("python", "phil"))
    install = (sys.executable, "-m", "pip", "--python", python, "install", "--no-compile", "-q")
    run(*install, "-c", ROOT / "constraints.txt", wheel, folder=tmp_path)
    no_torch = "import importlib.util as util; assert util.find_spec('torch') is None"
    run(python, "-c", no_torch, folder=tmp_path)

    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert version in run(phil, "--version", folder=tmp_path).stdout

    cache = tmp_path / "cache"
    write_map(tmp_path / "map.png")
    ends = ("--start", "23,0", "--goal", "0,39")
    for method in ("phil:forest", "phil:mazes", "astar", "bounded(phil:forest, 1.5)"):
        solve = (phil, "solve", "map.png", *ends, "-m", method)
        done = run(*solve, folder=tmp_path, PHIL_CACHE=str(cache))
        assert ("compiling" in done.stderr) != SHIPS
    backend = "import networkx as nx; print(nx.astar_path(nx.path_graph(3), 0, 2, backend='phil'))"
    done = run(python, "-c", backend, folder=tmp_path, PHIL_CACHE=str(cache))
    assert done.stdout == "[0, 1, 2]\n"
    assert cache.exists() != SHIPS
