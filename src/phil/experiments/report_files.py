"""The files of a table: its JSON, and its report as Markdown and as HTML with pictures."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from phil.files import check_writable, write_atomic
from phil.view.report import page_html
from phil.view.sections import Section, section_html, section_markdown


@dataclass(frozen=True)
class ReportFiles:
    """Where the files of a table are written; an `InputError` if that is not possible."""

    name: str
    results: Path
    docs: Path

    def __post_init__(self) -> None:
        for path in (self.document, self.page):
            path.parent.mkdir(parents=True, exist_ok=True)
            check_writable(path)

    @property
    def document(self) -> Path:
        """With every figure."""
        return self.results / f"{self.name}.json"

    @property
    def page(self) -> Path:
        """The report as Markdown; as HTML it is beside."""
        return self.docs / f"{self.name}.md"

    def write(self, document: Mapping[str, Any], report: TableReport) -> None:
        """Write them all."""
        write_atomic(self.document, (json.dumps(document) + "\n").encode())
        for picture in report.pictures:
            write_atomic(self.docs / f"{self.name}-{picture.file}", picture.content)
        write_atomic(self.page, report.markdown(self.name).encode())
        write_atomic(self.page.with_suffix(".html"), report.html().encode())


@dataclass(frozen=True)
class Picture:
    """A picture of a report, and how its file is named behind the table's name."""

    title: str
    file: str
    content: bytes

    def html(self) -> str:
        """The picture inside a page."""
        kind = "image/svg+xml" if self.file.endswith(".svg") else "image/png"
        source = f"data:{kind};base64,{base64.b64encode(self.content).decode()}"
        return f'<h2>{self.title}</h2>\n<img class="chart" alt="{self.title}" src="{source}">'


@dataclass(frozen=True)
class TableReport:
    """A title, sections whose column `focus` stands out, pictures, and what only HTML can show."""

    title: str
    command: str
    focus: str
    sections: Sequence[Section]
    pictures: Sequence[Picture]
    views: Sequence[str] = field(default=())  # HTML

    def markdown(self, name: str) -> str:
        """As Markdown, beside the pictures of the table of that name."""
        found = [section_markdown(section) for section in self.sections]
        shown = [f"## {p.title}\n\n![{p.title}]({name}-{p.file})\n" for p in self.pictures]
        return "\n".join([f"# {self.title}\n", *found, *shown])

    def html(self) -> str:
        """As one page that needs nothing beside itself."""
        parts = [section_html(section, self.focus) for section in self.sections]
        parts += [picture.html() for picture in self.pictures]
        return page_html(self.title, [*parts, *self.views], {"command": self.command})
