"""A report's files: the JSON, the pages, and their pictures."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from phil.errors import InputError
from phil.view.sections import Section
from reproduction.report_files import Picture, ReportFiles, TableReport

REPORT = TableReport(
    "A report",
    "python -m reproduction it",
    "b",
    [
        Section("First", ["Some text."], ["a", "b"], [["1", "2"]]),
        Picture("Of the first", "first.svg", b"<svg/>"),
        Section("Second"),
    ],
    [Picture("At the end", "end.png", b"PNG", "<p>as HTML</p>"), Picture("Last", "x.png", b"LAST")],
)


def test_pictures_stand_under_their_section_or_at_the_end(tmp_path: Path) -> None:
    ReportFiles("it", tmp_path / "results", tmp_path / "docs").write({"a": 1}, REPORT)
    assert json.loads((tmp_path / "results" / "it.json").read_text()) == {"a": 1}
    docs = {path.name: path.read_text() for path in (tmp_path / "docs").iterdir()}
    assert {*docs} == {"it.md", "it.html", "it-first.svg", "it-end.png", "it-x.png"}
    assert docs["it-end.png"] == "PNG"
    assert docs["it.md"] == (
        "# A report\n\n## First\n\nSome text.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
        "![Of the first](it-first.svg)\n\n## Second\n\n"
        "## At the end\n\n![At the end](it-end.png)\n\n## Last\n\n![Last](it-x.png)\n"
    )


def test_the_page_holds_its_pictures_or_what_stands_for_them() -> None:
    html = REPORT.html()
    shown = [
        "<h2>First</h2>",
        '<td class="focus">2</td>',
        "data:image/svg+xml;base64," + base64.b64encode(b"<svg/>").decode(),
        "<h2>Second</h2>",
        "<h2>At the end</h2>\n<p>as HTML</p>",
        "<h2>Last</h2>",
        "data:image/png;base64," + base64.b64encode(b"LAST").decode(),
        "python -m reproduction it",
    ]
    places = [html.index(text) for text in shown]
    assert places == sorted(places)
    assert base64.b64encode(b"PNG").decode() not in html


def test_a_folder_that_cannot_be_written_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "it.md").mkdir()
    with pytest.raises(InputError, match=r"it\.md"):
        ReportFiles("it", tmp_path / "results", tmp_path)
