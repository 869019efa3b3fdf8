"""Making Table 2: the missing parts, the document, and the reports."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from phil.experiments.parts import Told, make_parts
from phil.experiments.table2.columns import COLUMNS
from phil.experiments.table2.page import TITLE, markdown, sections
from phil.experiments.table2.pictures import (
    loss_curves,
    road_searches,
    roads_png,
    validation_curves,
)
from phil.experiments.table2.sets import TIERS
from phil.experiments.table2.study import Study
from phil.experiments.table2.table import assemble
from phil.files import check_writable, write_atomic
from phil.view.report import page_html
from phil.view.sections import section_html

WORKERS = 2
MOST_SEEDS = 100
CITY_TITLE = "What A* and PHIL expand on a city"


def reproduce(study: Study, docs: Path, told: Told, *, times: bool = True) -> dict[str, Any]:
    """Make what is missing, then write the table of everything that is there.

    The folder of results gets the JSON file, `docs` the reports. Without `times` what needs an
    idle machine is left to another run.
    """
    target = study.results / f"{study.name}.json"
    page = docs / f"{study.name}.md"
    for path in (target, page):
        path.parent.mkdir(parents=True, exist_ok=True)
        check_writable(path)
    make_parts(study.parts(), 1 if study.quick else WORKERS, told)
    if times:
        make_parts(study.times_parts(), 1, told)
    document = assemble(
        replace(
            study,
            sets=tuple(study.known),
            tiers=tuple(TIERS),
            methods=tuple(COLUMNS),
            seeds=MOST_SEEDS,
        )
    )
    write_atomic(target, (json.dumps(document) + "\n").encode())
    pictures = {
        "Learning curves": (f"{study.name}-curves.svg", validation_curves(document)),
        "Losses": (f"{study.name}-losses.svg", loss_curves(document)),
    }
    searches = road_searches(study)
    if searches:
        pictures[CITY_TITLE] = (f"{study.name}-roads.png", roads_png(searches))
    for search in searches:
        path = docs / f"{study.name}-roads-{search.method}.geojson"
        write_atomic(path, (json.dumps(search.geojson()) + "\n").encode())
    for name, content in pictures.values():
        write_atomic(docs / name, content)
    files = {title: name for title, (name, _) in pictures.items()}
    write_atomic(page, markdown(document, files).encode())
    write_atomic(page.with_suffix(".html"), html(document, pictures).encode())
    return document


def html(document: Mapping[str, Any], pictures: Mapping[str, tuple[str, bytes]]) -> str:
    """The report as one HTML page that needs nothing beside itself; `pictures` by title."""
    parts = [section_html(section, COLUMNS["phil"].title) for section in sections(document)]
    for title, (name, content) in pictures.items():
        kind = "image/svg+xml" if name.endswith(".svg") else "image/png"
        source = f"data:{kind};base64,{base64.b64encode(content).decode()}"
        parts.append(f'<h2>{title}</h2>\n<img class="chart" alt="{title}" src="{source}">')
    return page_html(TITLE, parts, {"command": document["command"]})
