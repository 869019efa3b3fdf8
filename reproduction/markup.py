"""Sections of a report, written once and shown as Markdown or as HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Section:
    """A heading, paragraphs, and a table; what is empty is left out.

    In paragraphs, `code` stands in backticks.
    """

    title: str
    text: Sequence[str] = ()
    header: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


def section_markdown(section: Section) -> str:
    """The section as Markdown.

    >>> print(section_markdown(Section("Sums", ["Of two."], ["a", "b"], [["1", "2"]])))
    ## Sums
    <BLANKLINE>
    Of two.
    <BLANKLINE>
    | a | b |
    |---|---|
    | 1 | 2 |
    <BLANKLINE>
    """
    blocks = [f"## {section.title}", *section.text]
    if section.header:
        blocks.append(table_markdown(section))
    return "\n\n".join(blocks) + "\n"


def table_markdown(section: Section) -> str:
    """The table of a section alone."""
    lines = [section.header, ["---"] * len(section.header), *section.rows]
    return "\n".join(
        "|---" * len(line) + "|" if k == 1 else "| " + " | ".join(line) + " |"
        for k, line in enumerate(lines)
    )


def section_html(section: Section, focus: str = "") -> str:
    """The section as HTML; the table's column named `focus` stands out."""
    parts = [f"<h2>{escape(section.title)}</h2>"]
    parts += [f"<p>{_with_code(text)}</p>" for text in section.text]
    if section.header:
        marks = [' class="focus"' if name == focus else "" for name in section.header]
        head = "".join(
            f"<th{mark}>{escape(name)}</th>"
            for mark, name in zip(marks, section.header, strict=True)
        )
        body = "".join(
            f"<tr><th>{escape(row[0])}</th>"
            + "".join(
                f"<td{mark}>{escape(cell)}</td>"
                for mark, cell in zip(marks[1:], row[1:], strict=True)
            )
            + "</tr>\n"
            for row in section.rows
        )
        parts.append(
            f'<div class="scroll"><table><thead><tr>{head}</tr></thead>\n'
            f"<tbody>{body}</tbody></table></div>"
        )
    return "\n".join(parts)


def _with_code(text: str) -> str:
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))
