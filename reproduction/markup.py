"""Sections of a report, shown as Markdown or as HTML, and how their numbers are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from phil.view.markup import escape

NOTHING = "-"


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


def short(value: float | None) -> str:
    """Three digits that count, but none behind the third place.

    >>> short(1234.5), short(12.345), short(0.12345), short(None)
    ('1,234', '12.35', '0.123', '-')
    """
    if value is None:
        return NOTHING
    return f"{value:,.0f}" if value >= 100 else f"{value:.{2 if value >= 10 else 3}f}"


def count(value: float) -> str:
    """A mean of counts.

    >>> count(1234.5), count(12.345)
    ('1,234', '12.3')
    """
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def whole(value: float | None) -> str:
    """A count without decimals.

    >>> whole(1234.5), whole(None)
    ('1,234', '-')
    """
    return NOTHING if value is None else f"{value:,.0f}"


def percent(share: float | None, *, sign: bool = False) -> str:
    """A share in per cent.

    >>> percent(0.585), percent(0.03, sign=True), percent(None)
    ('58.5 %', '+3.0 %', '-')
    """
    return NOTHING if share is None else f"{100 * share:{'+' if sign else ''}.1f} %"


def with_spread(value: float, spread: float | None, written: Callable[[float], str] = short) -> str:
    """A mean over trainings, and the deviation between them if there are several.

    >>> with_spread(0.8, 0.02), with_spread(0.8, None)
    ('0.800 ± 0.020', '0.800')
    """
    return written(value) + (f" ± {written(spread)}" if spread is not None else "")


def round_to(value: float | None, digits: int = 4) -> float | None:
    """A number with so many significant digits, for files that stay small.

    >>> round_to(0.00123456)
    0.001235
    """
    return None if value is None else float(f"{value:.{digits}g}")
