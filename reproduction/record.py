"""What a figure was made with: the commit, the machine, the versions, the time."""

from __future__ import annotations

import platform
import subprocess
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import phil
from reproduction.machine import machine

ENGINE = ("phil-search", "numpy", "scipy", "numba", "torch")


def record() -> dict[str, Any]:
    """The facts that go beside figures."""
    return {
        **source(),
        **machine(),
        "python": platform.python_version(),
        "versions": {name: found for name in ENGINE if (found := version_of(name))},
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
    }


@cache
def source() -> dict[str, Any]:
    """The commit of the code that runs, and whether files differ from it; None out of a clone."""
    folder = Path(phil.__file__).parents[2]
    top = _git(folder, "rev-parse", "--show-toplevel")
    if top is None or Path(top) != folder.resolve():  # installed, perhaps inside another project
        return {"commit": None, "changed": None}
    return {
        "commit": _git(folder, "rev-parse", "HEAD"),
        "changed": bool(_git(folder, "status", "--porcelain", "--", "src", "reproduction")),
    }


def version_of(distribution: str) -> str | None:
    """The version of an installed package."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(("git", *arguments), cwd=folder, capture_output=True, text=True)
    except OSError:  # no git here
        return None
    return done.stdout.strip() if done.returncode == 0 else None
