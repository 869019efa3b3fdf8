"""What a measurement was made with: the commit, the machine, the versions, the time."""

from __future__ import annotations

import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from phil.experiments.machine import machine

ROOT = Path(__file__).parents[2]
ENGINE = ("numpy", "scipy", "numba", "torch")


def record() -> dict[str, Any]:
    """The facts that go beside every part's figures."""
    return {
        "commit": _git("rev-parse", "HEAD"),
        "changed": bool(_git("status", "--porcelain", "--", "src", "benchmarks/speed")),
        **machine(),
        "python": platform.python_version(),
        "versions": {name: found for name in ENGINE if (found := version_of(name))},
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def version_of(distribution: str) -> str | None:
    """The version of an installed package."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _git(*arguments: str) -> str | None:
    done = subprocess.run(("git", *arguments), cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None
