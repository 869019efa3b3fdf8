"""Markdown pages with pictures as part of one HTML page that needs nothing beside itself."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

KINDS = {".png": "image/png", ".svg": "image/svg+xml"}


def chapter_html(page: Path) -> str:
    """A page one heading lower, its pictures inside, its tables free to scroll on a phone."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(page.read_text(encoding="utf-8"))
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{int(token.tag[1:]) + 1}"
        for child in token.children or ():
            if child.type == "image":
                _embed(child, page.parent)
    html: str = parser.renderer.render(tokens, parser.options, {})
    return html.replace("<table>", '<div class="scroll"><table>').replace(
        "</table>", "</table></div>"
    )


def contents_html(chapters: Sequence[tuple[str, str]]) -> str:
    """Links to chapters, by id and title."""
    links = "".join(f'<li><a href="#{name}">{escape(title)}</a></li>' for name, title in chapters)
    return f"<nav><ul>{links}</ul></nav>"


def _embed(image: Token, folder: Path) -> None:
    path = folder / str(image.attrs["src"])
    if path.suffix in KINDS and path.exists():
        content = base64.b64encode(path.read_bytes()).decode()
        image.attrs["src"] = f"data:{KINDS[path.suffix]};base64,{content}"
        image.attrs["class"] = "chart"
