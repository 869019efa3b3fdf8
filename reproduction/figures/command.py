"""Making the figures: each drawn, and one page with all of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from phil.errors import InputError
from phil.view.sections import Section
from reproduction.figures import (
    against_sail,
    aggregations,
    city,
    learning,
    rooms,
    strategy,
    trap,
)
from reproduction.figures.figure import Drawn, Figure, Missing
from reproduction.figures.sources import Sources
from reproduction.legacy.parts import Told
from reproduction.legacy.report_files import Picture, ReportFiles, TableReport

TITLE = "Figures"
FIGURES: tuple[Figure, ...] = (
    trap.FIGURE,
    against_sail.FIGURE,
    strategy.FIGURE,
    aggregations.FIGURE,
    city.FIGURE,
    rooms.FIGURE,
    learning.FIGURE,
)
LEAD = (
    "All of it is what searches and trainings did. Which problem it is on is said beside each "
    "figure: chosen by a rule, never by its looks."
)


def reproduce(sources: Sources, docs: Path, told: Told) -> dict[str, Any]:
    """Draw all figures, train what they need, and write the page; one that cannot be says why."""
    files = ReportFiles(sources.name, sources.results, docs)
    command = "python -m reproduction figures" + (" --quick" if sources.quick else "")
    document: dict[str, Any] = {"command": command, "figures": {}}
    parts: list[Section | Picture] = [Section("What is shown", [f"Made by `{command}`. {LEAD}"])]
    for number, figure in enumerate(FIGURES, start=1):
        drawn = _drawn(figure, sources)
        document["figures"][figure.name] = _facts(drawn)
        parts += _parts(figure, drawn)
        told(f"{figure.name} ({number} of {len(FIGURES)})")
    files.write(document, TableReport(TITLE, command, "", parts))
    return document


def _drawn(figure: Figure, sources: Sources) -> Drawn | Missing:
    try:
        return figure.draw(sources)
    except InputError as error:  # no data, no simulator, no torch: the other figures need them not
        return Missing(str(error))


def _facts(drawn: Drawn | Missing) -> dict[str, Any]:
    return {"missing": drawn.text} if isinstance(drawn, Missing) else dict(drawn.facts)


def _parts(figure: Figure, drawn: Drawn | Missing) -> list[Section | Picture]:
    if isinstance(drawn, Missing):
        return [Section(figure.title, [f"Missing: {drawn.text}"])]
    return [
        Section(figure.title, [drawn.text], drawn.header, drawn.rows),
        Picture(figure.title, figure.name + drawn.suffix, drawn.content),
    ]
