"""Making the ablations: the missing parts, the document, and the reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from reproduction.ablations.figures import study_svg
from reproduction.ablations.page import (
    TITLE,
    first_sections,
    last_sections,
    studies_shown,
    study_section,
)
from reproduction.ablations.parts import Ablations
from reproduction.ablations.studies import FAMILIES, STUDIES, Study
from reproduction.ablations.table import assemble
from reproduction.legacy.parts import Told, make_parts
from reproduction.legacy.report_files import Picture, ReportFiles, TableReport

WORKERS = 2
MOST_SEEDS = 100


def reproduce(ablations: Ablations, docs: Path, told: Told) -> dict[str, Any]:
    """Make what is missing, then write about everything that is there.

    The folder of results gets the JSON file, `docs` the reports and a figure of each study.
    """
    files = ReportFiles(ablations.name, ablations.results, docs)
    workers = 1 if ablations.quick else WORKERS
    make_parts(ablations.trainings(), workers, told)
    make_parts(ablations.further_tests(), workers, told)
    everything = replace(ablations, families=FAMILIES, studies=tuple(STUDIES), seeds=MOST_SEEDS)
    document = assemble(everything)
    files.write(document, report(document))
    return document


def report(document: Mapping[str, Any]) -> TableReport:
    """All there is, each study above its figure."""
    studies = [
        part
        for study in studies_shown(document)
        for part in (study_section(study, document), _figure(study, document))
    ]
    parts = [*first_sections(document), *studies, *last_sections(document)]
    return TableReport(TITLE, document["command"], "", parts)


def _figure(study: Study, document: Mapping[str, Any]) -> Picture:
    return Picture(study.title, f"{study.name}.svg", study_svg(study, document["families"]))
