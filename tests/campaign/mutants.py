"""Small changes of the code, each of which a test should notice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import Any

from tests.campaign.part import Budget, Part, Report

ROOT = Path(__file__).parents[2]
EQUIVALENT = Path(__file__).parent / "code_changes" / "equivalent.txt"
# The folders of the package, and about how many seconds it takes to run their tests once; three
# times as long is worth beginning with.
FOLDERS = {"evaluation": 20, "search": 100, "learning": 100}


def run(budget: Budget) -> Report:
    """Try mutants of each folder in an order of the seed; those that survive are noted."""
    folders = [folder for folder, seconds in FOLDERS.items() if 3 * seconds <= budget.seconds]
    report = Report()
    for folder in folders:
        said = worker(folder, budget.seconds / len(folders), budget.seed)
        report.add(judge(folder, said, known_equivalents()))
    return report


def judge(folder: str, said: Iterable[dict[str, Any]], equivalents: Mapping[str, str]) -> Report:
    """Count what a worker says."""
    report = Report()
    for what in said:
        match what:
            case {"fault": fault}:
                report.faults.append(fault)
            case {"mutants": mutants}:
                here = {one for one in equivalents if one.startswith(f"src/phil/{folder}/")}
                report.faults += [f"listed, but no mutant: {one}" for one in here - {*mutants}]
            case {"mutant": mutant, "killed": True}:
                report.counts[f"{folder}: killed"] += 1
                if mutant in equivalents:
                    report.faults.append(f"listed as equivalent, but a test fails: {mutant}")
            case {"mutant": mutant} if mutant not in equivalents:
                report.counts[f"{folder}: survived"] += 1
                report.notes.append(f"survived: {mutant}")
    return report


def known_equivalents() -> dict[str, str]:
    """Mutants that behave as the code does, and why."""
    lines = [line for line in EQUIVALENT.read_text().splitlines() if line and line[0] != "#"]
    return {mutant: why.strip() for mutant, why in zip(lines[::2], lines[1::2], strict=True)}


def worker(folder: str, seconds: float, seed: int) -> Iterator[dict[str, Any]]:
    """What a worker says within the time."""
    environment = {name: value for name, value in os.environ.items() if name[:6] != "PYTEST"}
    environment["OMP_NUM_THREADS"] = "1"  # threads do not survive a fork
    environment["COVERAGE_CORE"] = "ctrace"  # which can tell tests apart
    arguments = "-m", "tests.campaign.code_changes.worker", str(seconds), str(seed), folder
    with subprocess.Popen(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:

        def end() -> None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

        timer = Timer(seconds, end)
        timer.start()
        try:
            assert process.stdout is not None
            for line in process.stdout:
                yield json.loads(line)
            if process.wait() > 0:
                yield {"fault": f"this fails: python {' '.join(arguments)}"}
        finally:
            timer.cancel()
            end()


PART = Part(
    name="mutants",
    title="Mutants",
    about=(
        "Small changes of the Python code of `evaluation`, `search` and `learning` (not of "
        "kernels), one at a time: another operator or number, a negated condition, an argument or "
        "a call left out. A mutant is killed if one of the folder's own tests, run for five "
        "seconds at most, fails. Each one that survives is either a test to be written or code "
        "to be left out; those known to change nothing are not counted. A run of less than five "
        "minutes tries mutants of `evaluation` only."
    ),
    unit="mutants",
    run=run,
)
