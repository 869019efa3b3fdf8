"""The longest run of each part, and the page that shows them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from phil.files import write_atomic
from tests.campaign.part import Part, Report
from tests.campaign.registry import parts

RESULTS = Path(__file__).parent / "results"
PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
HEAD = """# Reliability

Beyond its tests, PHIL is attacked by a campaign that goes on for as long as it is given:

    make campaign                                        # a minute of each part
    .venv/bin/python -m tests.campaign fuzz --minutes 60 --processes 2

`make test` runs some seconds of each part. This page shows the longest run of each part.
"""


@dataclass(frozen=True)
class Record:
    """A run of one part."""

    minutes: float
    processes: int
    seed: int
    counts: Mapping[str, int]
    faults: list[str]
    notes: list[str] = field(default_factory=list)


def keep(part: Part, report: Report, minutes: float, processes: int, seed: int) -> bool:
    """Keep a run if it is longer than the one that is kept; whether it was kept."""
    old = kept(part)
    total = sum(report.counts.values())
    if old is not None and sum(old.counts.values()) > total:
        return False
    counts = dict(sorted(report.counts.items()))
    record = Record(round(minutes, 1), processes, seed, counts, report.faults, report.notes)
    RESULTS.mkdir(exist_ok=True)
    write_atomic(_file(part), (json.dumps(asdict(record), indent=1) + "\n").encode())
    return True


def kept(part: Part) -> Record | None:
    """The longest run of a part."""
    try:
        return Record(**json.loads(_file(part).read_text()))
    except FileNotFoundError:
        return None


def page() -> str:
    """The page on reliability, as Markdown."""
    sections = [HEAD]
    for part in parts():
        record = kept(part)
        sections.append(f"## {part.title}\n\n{part.about}\n")
        if record is not None:
            sections.append(_summary(part, record))
    return "\n".join(sections)


def _summary(part: Part, record: Record) -> str:
    total = sum(record.counts.values())
    cores = "one process" if record.processes == 1 else f"{record.processes} processes"
    rows = [f"| {name} | {count:,} |" for name, count in record.counts.items()]
    lines = [
        f"The longest run: {record.minutes:g} minutes with {cores}, seed {record.seed}: {total:,} "
        f"{part.unit}, {len(record.faults) or 'no'} fault{'' if len(record.faults) == 1 else 's'}.",
        "",
        f"| | {part.unit} |",
        "|---|---|",
        *rows,
        *[f"\nFault: {fault}" for fault in record.faults],
    ]
    return "\n".join(lines) + "\n"


def _file(part: Part) -> Path:
    return RESULTS / f"{part.name}.json"
