"""A page's files: Markdown, HTML, and pictures."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from phil.errors import InputError
from reproduction.markup import Section
from reproduction.page import Page, Picture, check_page

PAGE = Page(
    "A report",
    "python -m reproduction it",
    [
        Section("First", ["Some text."], ["a", "b"], [["1", "2"]]),
        Picture("Of the first", "first.svg", b"<svg/>", heading=False),
        Section("Second"),
        Picture("At the end", "end.png", b"PNG", "<p>as HTML</p>"),
        Picture("Last", "x.png", b"LAST"),
        Picture("Trained elsewhere", "kept.png", None),
        Picture("Never drawn", "never.png", None),
    ],
    "b",
    files={"path.geojson": b"{}"},
)


def test_pictures_stand_where_they_belong(tmp_path: Path) -> None:
    (tmp_path / "it-kept.png").write_bytes(b"KEPT")
    PAGE.write(tmp_path, "it")
    docs = {path.name: path.read_text() for path in tmp_path.iterdir()}
    pictures = {"it-first.svg", "it-end.png", "it-x.png", "it-kept.png"}
    assert {*docs} == {"it.md", "it.html", "it-path.geojson", *pictures}
    assert docs["it-end.png"] == "PNG"
    assert docs["it.md"] == (
        "# A report\n\n## First\n\nSome text.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
        "![Of the first](it-first.svg)\n\n## Second\n\n"
        "## At the end\n\n![At the end](it-end.png)\n\n## Last\n\n![Last](it-x.png)\n\n"
        "## Trained elsewhere\n\n![Trained elsewhere](it-kept.png)\n"
    )
    html = docs["it.html"]
    shown = [
        "<h2>First</h2>",
        '<td class="focus">2</td>',
        "data:image/svg+xml;base64," + base64.b64encode(b"<svg/>").decode(),
        "<h2>Second</h2>",
        "<h2>At the end</h2>\n<p>as HTML</p>",
        "<h2>Last</h2>",
        "data:image/png;base64," + base64.b64encode(b"LAST").decode(),
        "data:image/png;base64," + base64.b64encode(b"KEPT").decode(),
        "python -m reproduction it",
    ]
    places = [html.index(text) for text in shown]
    assert places == sorted(places)
    assert base64.b64encode(b"PNG").decode() not in html


def test_a_folder_that_cannot_be_written_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "it.md").mkdir()
    with pytest.raises(InputError, match=r"it\.md"):
        check_page(tmp_path, "it")
