"""What a figure was made with: the commit, the machine, the versions, the time."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import phil

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


def machine() -> dict[str, Any]:
    """Its processor, its cores, and how many processes wanted one of them in the last minute."""
    load = round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None
    return {"cpu": _cpu(), "cores": os.cpu_count(), "load": load}


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor()
    found = re.search(r"^model name\s*:\s*(.*)$", lines, re.MULTILINE)
    return found[1] if found else platform.processor()


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
