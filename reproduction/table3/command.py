"""Making Table 3: the missing parts, the document, and the reports."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from phil.rooms.scene import import_mujoco
from reproduction.parts import Told, make_parts
from reproduction.report_files import ReportFiles, TableReport
from reproduction.table3.checks import checks_parts
from reproduction.table3.columns import COLUMNS, PHIL
from reproduction.table3.flights import flights_parts
from reproduction.table3.page import TITLE, sections
from reproduction.table3.pictures import learning_curves, room_views
from reproduction.table3.rooms import ROOMS
from reproduction.table3.study import Study
from reproduction.table3.table import assemble

WORKERS = 2
MOST_SEEDS = 100


def reproduce(study: Study, docs: Path, told: Told, *, times: bool = True) -> dict[str, Any]:
    """Make what is missing, then write the table of everything that is there.

    The folder of results gets the JSON file, `docs` the reports. Without `times` what needs an
    idle machine is left to another run.
    """
    import_mujoco()  # where it is missing, this is one error and not one of every part
    files = ReportFiles(study.name, study.results, docs)
    make_parts(study.parts(), 1 if study.quick else WORKERS, told)
    make_parts(flights_parts(study), 1, told)
    if times:
        make_parts([*study.times_parts(), *checks_parts(study)], 1, told)
    everything = replace(study, rooms=tuple(ROOMS), methods=tuple(COLUMNS), seeds=MOST_SEEDS)
    document = assemble(everything)
    report = TableReport(
        TITLE,
        document["command"],
        COLUMNS[PHIL].title,
        sections(document),
        [learning_curves(document)],
        [*room_views(study)],
    )
    files.write(document, report)
    return document
