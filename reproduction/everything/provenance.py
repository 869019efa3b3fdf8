"""What the parts of experiments were made on: machines, commits, and how long they took."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from phil.view.sections import Section
from reproduction.experiment import Experiment, Request
from reproduction.numbers import NOTHING

NOTE = "made"
LETTERS = 9  # of a commit


def provenance(experiments: Sequence[Experiment], request: Request) -> Section:
    """A row an experiment."""
    return Section(
        "What it was made on",
        [
            "Every experiment consists of parts that are made once and kept. Each part says what "
            "it was made on; those made before parts did so are counted as unsaid.",
        ],
        ["experiment", "parts", "of", "unsaid", "hours", "machines", "commits"],
        [_row(experiment, request) for experiment in experiments],
    )


def _row(experiment: Experiment, request: Request) -> list[str]:
    parts = experiment.parts(request)
    done = experiment.contents(request)
    notes = [content[NOTE] for content in done if NOTE in content]
    return [
        experiment.name,
        str(len(done)),
        str(len(parts)),
        str(len(done) - len(notes)),
        f"{sum(note['seconds'] for note in notes) / 3600:.2f}",
        _all(f"{note['cpu']}, {note['cores']} cores" for note in notes),
        _all(commit_text(note) for note in notes),
    ]


def _all(words: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(words)) or NOTHING


def commit_text(note: Mapping[str, Any]) -> str:
    """The commit of a record, or the version where there was no clone."""
    if note["commit"] is None:
        return f"version {note['versions'].get('phil-search', 'unknown')}"
    return str(note["commit"])[:LETTERS] + (" with changes" if note["changed"] else "")
