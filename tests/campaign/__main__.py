"""The campaign: `python -m tests.campaign [PART ...] --minutes N`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from phil.files import write_atomic
from tests.campaign.part import Budget, Part, Report
from tests.campaign.record import PAGE, keep, page
from tests.campaign.registry import parts, run_part


def main(arguments: Sequence[str] | None = None) -> int:
    """Run parts of the campaign; returns 1 if a fault was found."""
    known = {part.name: part for part in parts()}
    parser = argparse.ArgumentParser(prog="python -m tests.campaign", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(known)}")
    parser.add_argument("--minutes", type=float, default=1.0, help="for each part (default: 1)")
    parser.add_argument("--processes", type=int, default=1, help="with a seed each (default: 1)")
    parser.add_argument("--seed", type=int, default=0, help="of the first process (default: 0)")
    parser.add_argument("--record", action="store_true", help=f"keep the run, for {PAGE.name}")
    given = parser.parse_args(arguments)
    if unknown := set(given.parts) - known.keys():
        parser.error(f"unknown part {', '.join(unknown)}; known: {', '.join(known)}")
    found = 0
    for name in given.parts or known:
        part = known[name]
        began = time.monotonic()
        report = run(part, 60 * given.minutes, given.processes, given.seed)
        minutes = (time.monotonic() - began) / 60
        found += len(report.faults)
        print(describe(part, report, minutes), flush=True)
        if given.record and keep(part, report, minutes, given.processes, given.seed):
            write_atomic(PAGE, page().encode())
    return min(found, 1)


def run(part: Part, seconds: float, processes: int, seed: int) -> Report:
    """Run a part in several processes at once, with a seed each."""
    if processes == 1:
        return part.run(Budget(seconds, seed))
    total = Report()
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        names, seeds = [part.name] * processes, range(seed, seed + processes)
        for report in pool.map(run_part, names, [seconds] * processes, seeds):
            total.add(report)
    return total


def describe(part: Part, report: Report, minutes: float) -> str:
    """What a run tried and found, in lines."""
    total = sum(report.counts.values())
    lines = [f"{part.name}: {total:,} {part.unit} in {minutes:.1f} minutes"]
    lines += [f"  {count:>12,}  {name}" for name, count in sorted(report.counts.items())]
    lines += [f"  {note}" for note in report.notes]
    lines += [f"  FAULT: {fault}" for fault in report.faults]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
