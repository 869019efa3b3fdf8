"""The files of an experiment: its JSON, and its report as Markdown and as HTML with pictures."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from phil.files import check_writable, write_atomic
from phil.view.report import page_html
from phil.view.sections import Section, section_html, section_markdown


@dataclass(frozen=True)
class ReportFiles:
    """Where the files of an experiment are written; an `InputError` if that is not possible."""

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
        for picture in report.all_pictures:
            write_atomic(self.docs / f"{self.name}-{picture.file}", picture.content)
        write_atomic(self.page, report.markdown(self.name).encode())
        write_atomic(self.page.with_suffix(".html"), report.html().encode())


@dataclass(frozen=True)
class Picture:
    """A picture of a report, and how its file is named behind the report's name.

    A `view` is what HTML shows in its place.
    """

    title: str
    file: str
    content: bytes
    view: str = ""

    def markdown(self, name: str) -> str:
        """The picture beside a page of that name."""
        return f"![{self.title}]({name}-{self.file})\n"

    def html(self) -> str:
        """The picture inside a page."""
        if self.view:
            return self.view
        kind = "image/svg+xml" if self.file.endswith(".svg") else "image/png"
        source = f"data:{kind};base64,{base64.b64encode(self.content).decode()}"
        return f'<img class="chart" alt="{escape(self.title)}" src="{source}">'


@dataclass(frozen=True)
class TableReport:
    """A title, sections whose column `focus` stands out, pictures, and what only HTML can show.

    A picture among the sections belongs to the one before it; the `pictures` stand behind all of
    them, each under its own title.
    """

    title: str
    command: str
    focus: str
    sections: Sequence[Section | Picture]
    pictures: Sequence[Picture] = ()
    views: Sequence[str] = field(default=())  # HTML

    @property
    def all_pictures(self) -> list[Picture]:
        """Wherever they stand."""
        return [part for part in self._parts() if isinstance(part, Picture)]

    def markdown(self, name: str) -> str:
        """As Markdown, beside the pictures of the report of that name."""
        found = [
            part.markdown(name) if isinstance(part, Picture) else section_markdown(part)
            for part in self._parts()
        ]
        return "\n".join([f"# {self.title}\n", *found])

    def html(self) -> str:
        """As one page that needs nothing beside itself."""
        found = [
            part.html() if isinstance(part, Picture) else section_html(part, self.focus)
            for part in self._parts()
        ]
        return page_html(self.title, [*found, *self.views], {"command": self.command})

    def _parts(self) -> list[Section | Picture]:
        headed = (part for picture in self.pictures for part in (Section(picture.title), picture))
        return [*self.sections, *headed]
