"""The page of an experiment: sections and pictures, written as Markdown and as HTML."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from phil.files import check_writable, write_atomic
from phil.view.markup import escape
from phil.view.report import page_html
from reproduction.markup import Section, section_html, section_markdown


@dataclass(frozen=True)
class Picture:
    """A picture, and how its file is called after the name of the page.

    Without content (what it shows was trained elsewhere) the file that is there stays. A `view` is
    what HTML shows in its place. Pictures without a heading belong to the section above.
    """

    title: str
    file: str
    content: bytes | None
    view: str = ""
    heading: bool = True

    def markdown(self, name: str) -> str:
        """The picture beside a page of that name."""
        heading = f"## {self.title}\n\n" if self.heading else ""
        return f"{heading}![{self.title}]({name}-{self.file})\n"

    def html(self) -> str:
        """The picture inside a page."""
        heading = f"<h2>{escape(self.title)}</h2>\n" if self.heading else ""
        if self.view:
            return heading + self.view
        kind = "image/svg+xml" if self.file.endswith(".svg") else "image/png"
        source = f"data:{kind};base64,{base64.b64encode(self.content or b'').decode()}"
        return f'{heading}<img class="chart" alt="{escape(self.title)}" src="{source}">'


@dataclass(frozen=True)
class Page:
    """A title, sections whose column `focus` stands out, pictures, and what only HTML can show."""

    title: str
    command: str
    parts: Sequence[Section | Picture]
    focus: str = ""
    views: Sequence[str] = ()  # HTML
    files: Mapping[str, bytes] = field(default_factory=dict)  # beside the page, named as pictures

    def write(self, docs: Path, name: str) -> None:
        """Write `name.md`, `name.html` and the pictures into a folder."""
        page = self._with_kept_pictures(docs, name)
        docs.mkdir(parents=True, exist_ok=True)
        for part in page.parts:
            if isinstance(part, Picture) and part.content is not None:
                write_atomic(docs / f"{name}-{part.file}", part.content)
        for file, content in self.files.items():
            write_atomic(docs / f"{name}-{file}", content)
        write_atomic(docs / f"{name}.md", page.markdown(name).encode())
        write_atomic(docs / f"{name}.html", page.html().encode())

    def markdown(self, name: str) -> str:
        """As Markdown, beside the pictures of the page of that name."""
        found = [
            part.markdown(name) if isinstance(part, Picture) else section_markdown(part)
            for part in self.parts
        ]
        return "\n".join([f"# {self.title}\n", *found])

    def html(self) -> str:
        """As one page that needs nothing beside itself."""
        found = [
            part.html() if isinstance(part, Picture) else section_html(part, self.focus)
            for part in self.parts
        ]
        return page_html(self.title, [*found, *self.views], {"command": self.command})

    def _with_kept_pictures(self, docs: Path, name: str) -> Page:
        parts: list[Section | Picture] = []
        for part in self.parts:
            if isinstance(part, Picture) and part.content is None:
                file = docs / f"{name}-{part.file}"
                if not file.exists():
                    continue
                part = replace(part, content=file.read_bytes())
            parts.append(part)
        return replace(self, parts=parts)


def check_page(docs: Path, name: str) -> None:
    """An `InputError`, before any work, if the page could not be written."""
    docs.mkdir(parents=True, exist_ok=True)
    check_writable(docs / f"{name}.md")
