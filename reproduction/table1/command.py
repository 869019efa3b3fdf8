"""Making Table 1: the missing parts, the document, and the reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from phil.problems.generated import FAMILIES
from phil.view.picture import png
from phil.view.report import maps_html
from reproduction.parts import Told, make_parts
from reproduction.report_files import Picture, ReportFiles, TableReport
from reproduction.table1.columns import COLUMNS
from reproduction.table1.page import TITLE, sections
from reproduction.table1.pictures import COMPARED, map_views, searches_figure, training_curves
from reproduction.table1.study import Study
from reproduction.table1.table import assemble

WORKERS = 2
MOST_SEEDS = 100


def reproduce(study: Study, docs: Path, told: Told, *, times: bool = True) -> dict[str, Any]:
    """Make what is missing, then write the table of everything that is there.

    The folder of results gets the JSON file, `docs` the reports as Markdown and HTML, with their
    pictures. Without `times` what needs an idle machine is left to another run.
    """
    files = ReportFiles(study.name, study.results, docs)
    make_parts(study.parts(), 1 if study.quick else WORKERS, told)
    if times:
        make_parts(study.times_parts(), 1, told)
    everything = replace(study, families=FAMILIES, methods=tuple(COLUMNS), seeds=MOST_SEEDS)
    document = assemble(everything)
    files.write(
        document,
        TableReport(
            TITLE,
            document["command"],
            COLUMNS["phil"].title,
            sections(document),
            _pictures(study, document),
        ),
    )
    return document


def _pictures(study: Study, document: Mapping[str, Any]) -> list[Picture]:
    found = [Picture("Learning curves", "curves.svg", training_curves(document))]
    if set(COMPARED) <= set(study.methods):
        views = map_views(study)
        found.append(
            Picture(
                "What SaIL and PHIL expand",
                "searches.png",
                png(searches_figure(views)),
                # On a phone, maps of their own stand below each other.
                maps_html(views, COLUMNS["phil"].title),
            )
        )
    return found
