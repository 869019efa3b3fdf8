"""Making Table 2: the missing parts, the document, and the reports."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from phil.files import write_atomic
from reproduction.parts import Told, make_parts
from reproduction.report_files import Picture, ReportFiles, TableReport
from reproduction.table2.columns import COLUMNS
from reproduction.table2.page import TITLE, sections
from reproduction.table2.pictures import (
    loss_curves,
    road_searches,
    roads_png,
    validation_curves,
)
from reproduction.table2.sets import TIERS
from reproduction.table2.study import Study
from reproduction.table2.table import assemble

WORKERS = 2
MOST_SEEDS = 100
CITY_TITLE = "What A* and PHIL expand on a city"


def reproduce(study: Study, docs: Path, told: Told, *, times: bool = True) -> dict[str, Any]:
    """Make what is missing, then write the table of everything that is there.

    The folder of results gets the JSON file, `docs` the reports. Without `times` what needs an
    idle machine is left to another run.
    """
    files = ReportFiles(study.name, study.results, docs)
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
    pictures = [
        Picture("Learning curves", "curves.svg", validation_curves(document)),
        Picture("Losses", "losses.svg", loss_curves(document)),
    ]
    searches = road_searches(study)
    if searches:
        pictures.append(Picture(CITY_TITLE, "roads.png", roads_png(searches)))
    for search in searches:
        path = docs / f"{study.name}-roads-{search.method}.geojson"
        write_atomic(path, (json.dumps(search.geojson()) + "\n").encode())
    files.write(
        document,
        TableReport(
            TITLE, document["command"], COLUMNS["phil"].title, sections(document), pictures
        ),
    )
    return document
