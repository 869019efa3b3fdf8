"""The one report: verdicts on the paper's claims, then every table and figure that is there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from phil.files import check_writable, write_atomic
from phil.view.report import page_html
from phil.view.sections import Section, section_html, section_markdown
from reproduction.everything.claims import JUDGES, verdicts
from reproduction.everything.claims.verdict import Verdict
from reproduction.everything.page import chapter_html, contents_html
from reproduction.everything.provenance import commit_text, provenance
from reproduction.everything.verdict_list import TITLE as CLAIMS
from reproduction.everything.verdict_list import verdicts_html, verdicts_markdown
from reproduction.experiment import Document, Experiment, Request
from reproduction.record import record

TITLE = "Learning Graph Search Heuristics, reproduced"
LEAD = (
    "Every table and figure of the paper made again by PHIL, with the paper's values beside ours, "
    "and a verdict on each of its claims."
)

TOY = Section(
    CLAIMS,
    [
        "A quick run, on small problems with short trainings: it shows that all works, and "
        "judges nothing."
    ],
)


@dataclass(frozen=True)
class Judged:
    """What both forms of the report show: the verdicts, none of a quick run, and what made all."""

    verdicts: Sequence[Verdict] | None
    made: Section

    def claims_html(self) -> str:
        """The verdicts inside the page."""
        return section_html(TOY) if self.verdicts is None else verdicts_html(self.verdicts)

    def claims_markdown(self) -> str:
        """The verdicts as Markdown."""
        return section_markdown(TOY) if self.verdicts is None else verdicts_markdown(self.verdicts)


def write_report(experiments: Sequence[Experiment], request: Request) -> Path:
    """Write the report of all that is there: one HTML page, and the verdicts as Markdown."""
    page = request.docs / f"{request.named('report')}.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    check_writable(page)
    judged = Judged(
        None if request.quick else verdicts(documents(experiments, request)),
        provenance(experiments, request),
    )
    write_atomic(page, _html(experiments, request, judged).encode())
    write_atomic(page.with_suffix(".md"), _markdown(request, judged).encode())
    return page


def documents(experiments: Sequence[Experiment], request: Request) -> dict[str, Document]:
    """What there is to judge by, by name."""
    found: dict[str, Document] = {
        each.name: each.document(request)
        for each in experiments
        if each.name in JUDGES and (request.results / f"{request.named(each.name)}.json").exists()
    }
    speed = request.results / f"{request.named('speed')}.json"
    if speed.exists():
        found["speed"] = json.loads(speed.read_text())
    return found


def command(request: Request) -> str:
    """What writes the report, as `python -m reproduction all` does after every experiment."""
    return "python -m reproduction report" + (" --quick" if request.quick else "")


def _markdown(request: Request, judged: Judged) -> str:
    text = f"# {TITLE}\n\nMade by `{command(request)}`. {LEAD}\n"
    return "\n".join([text, judged.claims_markdown(), section_markdown(judged.made)])


def _html(experiments: Sequence[Experiment], request: Request, judged: Judged) -> str:
    pages = {each.name: request.docs / f"{request.named(each.name)}.md" for each in experiments}
    there = [each for each in experiments if pages[each.name].exists()]
    missing = [each.name for each in experiments if each not in there]
    chapters = [
        ("claims", CLAIMS, judged.claims_html()),
        *((each.name, each.title, chapter_html(pages[each.name])) for each in there),
        ("made", judged.made.title, section_html(judged.made)),
    ]
    parts = [
        f'<p class="lead">{escape(LEAD)}</p>',
        contents_html([(name, title) for name, title, _ in chapters]),
        *([section_html(_missing(missing, request))] if missing else []),
        *(f'<section id="{name}">\n{html}\n</section>' for name, _, html in chapters),
    ]
    facts = record()
    return page_html(
        TITLE,
        parts,
        {
            "command": command(request),
            "machine": f"{facts['cpu']}, {facts['cores']} cores",
            "commit": commit_text(facts),
            "written": facts["time"],
        },
    )


def _missing(names: Sequence[str], request: Request) -> Section:
    quick = " --quick" if request.quick else ""
    return Section("Not there yet", [f"`python -m reproduction {name}{quick}`" for name in names])
