"""Every operation on files meets a full or broken disk: errors are clear, and nothing is lost."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from functools import partial

from tests.campaign.faulty_disk import REMOVALS
from tests.campaign.part import Part
from tests.campaign.strikes import (
    DONE,
    REFUSED,
    TEMPORARY,
    Case,
    Target,
    aftermath,
    attack,
    strike,
)

ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EACCES)


def rows(target: Target) -> dict[str, list[Case]]:
    """The cases of a writer by row."""
    name = f"{target.writer.name} ({len(target.operations)} operations)"
    return {f"{name}: {os.strerror(error)}": target.cases(error) for error in ERRORS}


def faults(case: Case) -> Iterator[str]:
    """What is lost or unclear when a disk fails."""
    folder, ended = strike(case)
    assert case.error is not None
    if ended.code == REFUSED:
        if os.strerror(case.error) not in ended.said or str(folder) not in ended.said:
            yield f"the message does not say what is wrong: {ended.said}"
        if "\n" in ended.said:
            yield f"the message has several lines: {ended.said}"
    elif ended.code != DONE:
        yield f"ended with {ended.code}: {ended.said}"
    elif _must_be_done(case) and (fault := case.target.differs(folder)) is not None:
        yield f"claims to be done, but has {fault}"
    if left := [path.name for path in folder.rglob("*") if TEMPORARY.fullmatch(path.name)]:
        yield f"leaves {', '.join(left)}"
    yield from aftermath(case, folder)


def _must_be_done(case: Case) -> bool:
    """Whether nothing may be missing or left over; what cannot be removed may stay until later."""
    return not case.target.writer.patient and case.operation not in REMOVALS


PART = Part(
    name="full_disk",
    title="Full and broken disks",
    about="Every operation on files by training, the runner of the reproduction and everything "
    "else that writes files fails: no space left, quota exceeded, input/output error, permission "
    "denied; of a write, half of the bytes may get through. The error must say what is wrong and "
    "where, no temporary file may be left, every other file must be whole, old or new, and once "
    "the disk works again, the same command must end with the same bytes as if nothing had "
    "happened.",
    unit="failures",
    run=partial(attack, rows, faults),
)
