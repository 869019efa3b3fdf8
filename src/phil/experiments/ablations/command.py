"""Making the ablations: the missing parts, the document, and the reports."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from phil.experiments.ablations.figures import study_svg
from phil.experiments.ablations.page import (
    TITLE,
    first_sections,
    last_sections,
    studies_shown,
    study_section,
)
from phil.experiments.ablations.parts import Ablations
from phil.experiments.ablations.studies import FAMILIES, STUDIES
from phil.experiments.ablations.table import assemble
from phil.experiments.parts import Told, make_parts
from phil.files import check_writable, write_atomic
from phil.view.report import page_html
from phil.view.sections import section_html, section_markdown

WORKERS = 2
MOST_SEEDS = 100


def reproduce(ablations: Ablations, docs: Path, told: Told) -> dict[str, Any]:
    """Make what is missing, then write about everything that is there.

    The folder of results gets the JSON file, `docs` the reports and a figure of each study.
    """
    target = ablations.results / f"{ablations.name}.json"
    page = docs / f"{ablations.name}.md"
    for path in (target, page):
        path.parent.mkdir(parents=True, exist_ok=True)
        check_writable(path)
    workers = 1 if ablations.quick else WORKERS
    make_parts(ablations.trainings(), workers, told)
    make_parts(ablations.further_tests(), workers, told)
    everything = replace(ablations, families=FAMILIES, studies=tuple(STUDIES), seeds=MOST_SEEDS)
    document = assemble(everything)
    write_atomic(target, (json.dumps(document) + "\n").encode())
    figures = {
        study.name: study_svg(study, document["families"]) for study in studies_shown(document)
    }
    for name, content in figures.items():
        write_atomic(docs / _figure(ablations, name), content)
    write_atomic(page, markdown(ablations, document).encode())
    write_atomic(page.with_suffix(".html"), html(document, figures).encode())
    return document


def markdown(ablations: Ablations, document: Mapping[str, Any]) -> str:
    """The report as a Markdown page; the figures are files beside it."""
    found = [section_markdown(section) for section in first_sections(document)]
    for study in studies_shown(document):
        found.append(section_markdown(study_section(study, document)))
        found.append(f"![{study.title}]({_figure(ablations, study.name)})\n")
    found += [section_markdown(section) for section in last_sections(document)]
    return "\n".join([f"# {TITLE}\n", *found])


def html(document: Mapping[str, Any], figures: Mapping[str, bytes]) -> str:
    """The report as one HTML page that needs nothing beside itself."""
    parts = [section_html(section) for section in first_sections(document)]
    for study in studies_shown(document):
        parts.append(section_html(study_section(study, document)))
        source = f"data:image/svg+xml;base64,{base64.b64encode(figures[study.name]).decode()}"
        parts.append(f'<img class="chart" alt="{study.title}" src="{source}">')
    parts += [section_html(section) for section in last_sections(document)]
    return page_html(TITLE, parts, {"command": document["command"]})


def _figure(ablations: Ablations, study: str) -> str:
    return f"{ablations.name}-{study}.svg"
