"""The part `versions`: this version of phil and an older one, measured in turn.

The folder `src` of the older version is named by the environment variable `PHIL_OLDER`. Every
figure is measured by `probe.py` in fresh processes. What is compiled is kept in a folder of its own
for each version, empty where the time of compiling is measured. (A quick run uses the usual folder,
and so measures no compiling.)
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import phil
from phil.errors import InputError
from reproduction.speed.common import Scale

OLDER = "PHIL_OLDER"
PROBE = Path(__file__).parent / "probe.py"
PYTHON_ALONE = "python"
COMMANDS = {  # CPU seconds of fresh processes
    PYTHON_ALONE: ["-c", "pass"],
    "import": ["-c", "import phil"],
    "help": ["-c", "from phil.cli.main import main; main()", "--help"],
}
COLD = ("first_astar", "first_learned", "first_training")
WARM = ("astar", "threads", "several", "implicit", "network")
ONCE = ("training",)  # minutes


@dataclass(frozen=True)
class Version:
    """One version of phil, and where its compiled code is kept."""

    source: Path
    cache: Path | None  # None: where it usually is

    def run(self, arguments: list[str], cache: Path | None = None) -> str:
        """What a fresh process prints."""
        variables = {**os.environ, "PYTHONPATH": str(self.source)}
        if self.cache is not None:
            variables["PHIL_CACHE"] = str(cache or self.cache)
        done = subprocess.run(
            [sys.executable, *arguments], env=variables, capture_output=True, text=True
        )
        if done.returncode != 0:
            raise InputError(f"{' '.join(arguments)} with {self.source}:\n{done.stderr[-2000:]}")
        return done.stdout

    def probe(self, name: str, scale: Scale, cache: Path | None = None) -> dict[str, float]:
        """The figures of a probe."""
        quick = ["--quick"] if scale.quick else []
        found: dict[str, float] = json.loads(self.run([str(PROBE), name, *quick], cache))
        return found


def measure(scale: Scale) -> dict[str, Any]:
    """All figures of both versions, by name."""
    with tempfile.TemporaryDirectory() as folder:
        sources = {"older": _older(), "this": Path(phil.__file__).parents[1]}
        versions = {
            name: Version(source, None if scale.quick else Path(folder) / name)
            for name, source in sources.items()
        }
        found: dict[str, dict[str, float]] = {}
        for figures in (_cold, _warm, _processes):
            for name, measured in figures(versions, scale):
                found[name] = measured
        return {"figures": found}


def _older() -> Path:
    source = os.environ.get(OLDER)
    if not source or not (Path(source) / "phil").is_dir():
        raise InputError(f"{OLDER} must name the folder `src` of an older version")
    return Path(source)


Figures = Iterator[tuple[str, dict[str, float]]]


def _cold(versions: dict[str, Version], scale: Scale) -> Figures:
    """CPU seconds until the first answer with nothing compiled; of training, what it adds."""
    for name in COLD:
        measured = {}
        for key, version in versions.items():
            with tempfile.TemporaryDirectory() as empty:
                measured[key] = version.probe(name, scale, Path(empty))["seconds"]
            if name == "first_training":  # the second time, nothing is compiled
                version.probe(name, scale)
                measured[key] -= version.probe(name, scale)["seconds"]
        yield name, measured


def _warm(versions: dict[str, Version], scale: Scale) -> Figures:
    """The other probes; the first round, which compiles, does not count."""
    for name in WARM:
        rounds: list[dict[str, dict[str, float]]] = []
        for _ in range(1 + scale.pick(3, 1)):
            rounds.append({key: one.probe(name, scale) for key, one in versions.items()})
        for figure in rounds[0]["this"]:
            yield (
                f"{name}: {figure}",
                {key: median(one[key][figure] for one in rounds[1:]) for key in versions},
            )
    for name in ONCE:
        once = {key: version.probe(name, scale) for key, version in versions.items()}
        for figure in once["this"]:
            yield f"{name}: {figure}", {key: found[figure] for key, found in once.items()}


def _processes(versions: dict[str, Version], scale: Scale) -> Figures:
    """CPU seconds of commands, without those of Python itself."""
    took: dict[tuple[str, str], float] = {}
    for key, version in versions.items():
        for name, arguments in COMMANDS.items():
            job = lambda run=version.run, given=arguments: run(given)  # noqa: E731
            took[name, key] = min(_cpu_of(job) for _ in range(scale.pick(7, 1)))
    for name in COMMANDS:
        if name != PYTHON_ALONE:
            yield name, {key: took[name, key] - took[PYTHON_ALONE, key] for key in versions}


def _cpu_of(job: Callable[[], object]) -> float:
    def used() -> float:
        times = resource.getrusage(resource.RUSAGE_CHILDREN)
        return times.ru_utime + times.ru_stime

    began = used()
    job()
    return used() - began
