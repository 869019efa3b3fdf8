"""The sections of the report on Table 2."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from phil.view.sections import Section, section_markdown

Document = Mapping[str, Any]
TITLE = "Table 2: citations, biology, syntax trees and roads"


def ratios(document: Document) -> Section:
    """PHIL in every tier, beside the paper, the target and the limit."""
    tiers = document["tiers"]
    rows = []
    for name, row in document["sets"].items():
        cells = [
            _ratio(row["tiers"].get(tier, {}).get("methods", {}).get("phil")) for tier in tiers
        ]
        rows.append([name, *cells, _plain(row["target"]), _plain(row["limit"])])
    return Section(
        "PHIL", [], ["set", *(f"tier {tier}" for tier in tiers), "target", "limit"], rows
    )


def sections(document: Document) -> list[Section]:
    """All of the report but its pictures."""
    return [ratios(document)]


def markdown(document: Document, pictures: Mapping[str, str]) -> str:
    """The report as a Markdown page; `pictures` are the files beside it, by title."""
    found = [section_markdown(section) for section in sections(document)]
    shown = [f"## {title}\n\n![{title}]({file})\n" for title, file in pictures.items()]
    return "\n".join([f"# {TITLE}\n", *found, *shown])


def _ratio(summary: Mapping[str, Any] | None) -> str:
    if summary is None:
        return "-"
    spread = summary["ratio_deviation"]
    return f"{summary['ratio']:.3f}" + (f" ± {spread:.3f}" if spread is not None else "")


def _plain(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"
