"""Making Table 1: the missing parts, the document, and the reports."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from phil.experiments.parts import Told, make_parts
from phil.experiments.table1.columns import COLUMNS
from phil.experiments.table1.page import TITLE, markdown, sections
from phil.experiments.table1.pictures import COMPARED, map_views, searches_figure, training_curves
from phil.experiments.table1.study import Study
from phil.experiments.table1.table import assemble
from phil.files import check_writable, write_atomic
from phil.problems.generated import FAMILIES
from phil.view.picture import png
from phil.view.report import MapView, maps_html, page_html
from phil.view.sections import section_html

WORKERS = 2
MOST_SEEDS = 100


def reproduce(study: Study, docs: Path, told: Told, *, times: bool = True) -> dict[str, Any]:
    """Make what is missing, then write the table of everything that is there.

    The folder of results gets the JSON file, `docs` the reports as Markdown and HTML, with their
    pictures. Without `times` what needs an idle machine is left to another run.
    """
    target = study.results / f"{study.name}.json"
    page = docs / f"{study.name}.md"
    for path in (target, page):
        path.parent.mkdir(parents=True, exist_ok=True)
        check_writable(path)
    make_parts(study.parts(), 1 if study.quick else WORKERS, told)
    if times:
        make_parts(study.times_parts(), 1, told)
    everything = replace(study, families=FAMILIES, methods=tuple(COLUMNS), seeds=MOST_SEEDS)
    document = assemble(everything)
    pictured = set(COMPARED) <= set(study.methods)
    views = map_views(study) if pictured else []
    write_atomic(target, (json.dumps(document, indent=1) + "\n").encode())
    pictures = {"Learning curves": docs / f"{study.name}-curves.svg"}
    write_atomic(pictures["Learning curves"], training_curves(document))
    if views:
        pictures["What SaIL and PHIL expand"] = docs / f"{study.name}-searches.png"
        write_atomic(pictures["What SaIL and PHIL expand"], png(searches_figure(views)))
    files = {title: path.name for title, path in pictures.items()}
    write_atomic(page, markdown(document, files).encode())
    write_atomic(page.with_suffix(".html"), html(document, views).encode())
    return document


def html(document: Mapping[str, Any], views: Sequence[MapView]) -> str:
    """The report as one HTML page that needs nothing beside itself."""
    title = COLUMNS["phil"].title
    parts = [section_html(section, title) for section in sections(document)]
    if views:
        parts.append(maps_html(views, title))
    chart = base64.b64encode(training_curves(document)).decode()
    parts.append(
        "<h2>Learning curves</h2>\n<p>Best mean expansions on the validation maps so far, by "
        "training.</p>\n"
        f'<img class="chart" alt="Learning curves" src="data:image/svg+xml;base64,{chart}">'
    )
    return page_html(TITLE, parts, {"command": document["command"]})
