"""Making Table 2: the missing parts, the document, and the reports."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from phil.experiments.parts import Told, make_parts
from phil.experiments.table2.columns import COLUMNS
from phil.experiments.table2.page import markdown
from phil.experiments.table2.sets import TIERS
from phil.experiments.table2.study import Study
from phil.experiments.table2.table import assemble
from phil.files import check_writable, write_atomic

WORKERS = 2
MOST_SEEDS = 100


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
    write_atomic(target, (json.dumps(document, indent=1) + "\n").encode())
    write_atomic(page, markdown(document, {}).encode())
    return document
