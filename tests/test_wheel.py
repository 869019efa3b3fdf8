"""What a user gets from the package index: the wheel alone, in an environment of its own."""

from __future__ import annotations

import os
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


def run(*command: str | Path, folder: Path) -> str:
    """The output of a command that knows nothing of this environment's phil."""
    outside = {"PYTHONPATH", "PHIL_DATA", "VIRTUAL_ENV"}
    environment = {name: value for name, value in os.environ.items() if name not in outside}
    environment["PHIL_CACHE"] = str(folder / "cache")
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


def build_wheel(folder: Path) -> Path:
    build = (sys.executable, "-m", "build", "--wheel", "--no-isolation")
    run(*build, "--outdir", folder, ROOT, folder=folder)
    (wheel,) = folder.glob("*.whl")
    return wheel


def check_contents(wheel: Path) -> None:
    source = ROOT / "src"
    files = (path for path in source.rglob("*") if path.is_file() and path.suffix != ".pyc")
    expected = {path.relative_to(source).as_posix() for path in files}
    names = zipfile.ZipFile(wheel).namelist()
    packed = {name for name in names if name.startswith(("phil/", "_phil_networkx/"))}
    assert packed == expected


def write_map(path: Path) -> None:
    """A wall across the map with a gap in its middle."""
    free = np.ones((24, 40), dtype=bool)
    free[12, :18] = free[12, 22:] = False
    Image.fromarray(free.astype(np.uint8) * np.uint8(255)).save(path)


@pytest.mark.slow
def test_the_wheel_solves_a_map_without_torch(tmp_path: Path) -> None:
    wheel = build_wheel(tmp_path)
    check_contents(wheel)

    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv", folder=tmp_path)
    python, phil = (tmp_path / "venv" / BIN / name for name in ("python", "phil"))
    install = (sys.executable, "-m", "pip", "--python", python, "install", "--no-compile", "-q")
    run(*install, "-c", ROOT / "constraints.txt", wheel, folder=tmp_path)
    no_torch = "import importlib.util as util; assert util.find_spec('torch') is None"
    run(python, "-c", no_torch, folder=tmp_path)

    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert version in run(phil, "--version", folder=tmp_path)

    write_map(tmp_path / "map.png")
    ends = ("--start", "23,0", "--goal", "0,39")
    run(phil, "solve", "map.png", *ends, "-m", "phil:forest", folder=tmp_path)

    backend = "import networkx as nx; print(nx.astar_path(nx.path_graph(3), 0, 2, backend='phil'))"
    assert run(python, "-c", backend, folder=tmp_path) == "[0, 1, 2]\n"
