"""Processes that write files are killed at every operation on them, and nothing is lost."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from functools import partial

from tests.campaign.part import Part
from tests.campaign.strikes import Case, Target, aftermath, attack, strike


def rows(target: Target) -> dict[str, list[Case]]:
    """The cases of a writer by row."""
    name = f"{target.writer.name} ({len(target.operations)} operations)"
    cases = target.cases()
    return {
        f"{name}: killed before one": [case for case in cases if not case.half],
        f"{name}: killed half-way through a write": [case for case in cases if case.half],
    }


def faults(case: Case) -> Iterator[str]:
    """What is lost when a process is killed."""
    folder, ended = strike(case)
    if ended.code != -signal.SIGKILL:
        yield f"was not killed ({ended.code}): {ended.said}"
    yield from aftermath(case, folder)


PART = Part(
    name="kills",
    title="Killed at every write",
    about="Training, the runner of the reproduction and everything else that writes files is "
    "killed (SIGKILL) before every single operation on its files, and half-way through every "
    "write. Every file that is left must be whole, old or new, and the same command (for training "
    "with `--resume`) must end with the same bytes as if nothing had happened.",
    unit="kills",
    run=partial(attack, rows, faults),
)
