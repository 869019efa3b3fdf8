"""Making the figures: each drawn, and one page with all of them."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from phil.experiments.figures import (
    against_sail,
    aggregations,
    city,
    learning,
    strategy,
    trap,
)
from phil.experiments.figures.figure import Drawn, Figure, Missing
from phil.experiments.figures.sources import Sources
from phil.experiments.parts import Told
from phil.files import check_writable, write_atomic
from phil.view.report import page_html
from phil.view.sections import Section, section_html, section_markdown

TITLE = "Figures"
FIGURES: tuple[Figure, ...] = (
    trap.FIGURE,
    against_sail.FIGURE,
    strategy.FIGURE,
    aggregations.FIGURE,
    city.FIGURE,
    learning.FIGURE,
)
LEAD = (
    "What is shown is what searches and trainings did. Which problem that is is said beside each "
    "figure: chosen by a rule, never by its looks."
)


def reproduce(sources: Sources, docs: Path, told: Told) -> dict[str, Any]:
    """Draw all figures, train what they need, and write the page; one that cannot be says why."""
    target, page = sources.results / f"{sources.name}.json", docs / f"{sources.name}.md"
    for path in (target, page):
        path.parent.mkdir(parents=True, exist_ok=True)
        check_writable(path)
    command = "phil reproduce figures" + (" --quick" if sources.quick else "")
    in_markdown = [f"# {TITLE}\n\nMade by `{command}`. {LEAD}\n"]
    in_html = [f'<p class="lead">{LEAD}</p>']
    document: dict[str, Any] = {"command": command, "figures": {}}
    for number, figure in enumerate(FIGURES, start=1):
        drawn = figure.draw(sources)
        section = _section(figure, drawn)
        in_markdown.append(section_markdown(section))
        in_html.append(section_html(section))
        document["figures"][figure.name] = _facts(drawn)
        if isinstance(drawn, Drawn):
            file = f"{sources.name}-{figure.name}{drawn.suffix}"
            write_atomic(docs / file, drawn.content)
            in_markdown.append(f"![{figure.title}]({file})\n")
            in_html.append(_image(figure, drawn))
        told(f"{figure.name} ({number} of {len(FIGURES)})")
    write_atomic(target, (json.dumps(document, indent=1) + "\n").encode())
    write_atomic(page, "\n".join(in_markdown).encode())
    html = page_html(TITLE, in_html, {"command": command})
    write_atomic(page.with_suffix(".html"), html.encode())
    return document


def _section(figure: Figure, drawn: Drawn | Missing) -> Section:
    if isinstance(drawn, Missing):
        return Section(figure.title, [f"Missing: {drawn.text}"])
    return Section(figure.title, [drawn.text], drawn.header, drawn.rows)


def _facts(drawn: Drawn | Missing) -> dict[str, Any]:
    return {"missing": drawn.text} if isinstance(drawn, Missing) else dict(drawn.facts)


def _image(figure: Figure, drawn: Drawn) -> str:
    kind = {".png": "image/png", ".svg": "image/svg+xml"}[drawn.suffix]
    source = f"data:{kind};base64,{base64.b64encode(drawn.content).decode()}"
    return f'<img class="chart" alt="{figure.title}" src="{source}">'
