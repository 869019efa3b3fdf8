"""Making the runtime analysis: the missing parts, the document, and the reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reproduction.legacy.parts import Told, make_parts
from reproduction.legacy.report_files import ReportFiles, TableReport
from reproduction.legacy.table1.columns import COLUMNS
from reproduction.runtime.page import TITLE, sections
from reproduction.runtime.picture import chart
from reproduction.runtime.study import Runtime
from reproduction.runtime.table import assemble


def reproduce(runtime: Runtime, docs: Path, told: Told) -> dict[str, Any]:
    """Measure the families that are missing, one after the other, and write all that are there."""
    files = ReportFiles(runtime.name, runtime.study.results, docs)
    make_parts([runtime.part(family) for family in runtime.study.families], 1, told)
    document = assemble(runtime)
    title = COLUMNS["phil"].title
    report = TableReport(TITLE, document["command"], title, sections(document), [chart(document)])
    files.write(document, report)
    return document
