"""The one report: verdicts on the paper's claims, then every table and figure that is there."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from markdown_it import MarkdownIt
from markdown_it.token import Token

from phil.files import check_writable, write_atomic
from phil.view.markup import escape
from phil.view.report import page_html
from reproduction.everything.claims import JUDGES, verdicts
from reproduction.everything.claims.verdicts import Outcome, Verdict
from reproduction.experiment import PROGRAM, Document, Experiment, Request
from reproduction.markup import NOTHING, Section, section_html, section_markdown
from reproduction.record import record
from reproduction.registry import EXPERIMENTS

TITLE = "Learning Graph Search Heuristics, reproduced"
LEAD = (
    "Every table and figure of the paper made again by PHIL, with the paper's values beside ours, "
    "and a verdict on each of its claims."
)
CLAIMS = "The paper's claims"
TOY = Section(
    CLAIMS,
    [
        "A quick run, on small problems with short trainings: it shows that everything works, and "
        "judges nothing."
    ],
)
COMMIT = 9  # letters that are shown
IMAGES = {".png": "image/png", ".svg": "image/svg+xml"}


def write_report(experiments: Sequence[Experiment], request: Request) -> Path:
    """Write the report of all that is there: one HTML page, and the verdicts as Markdown."""
    page = request.docs / f"{request.named('report')}.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    check_writable(page)
    judged = None if request.quick else verdicts(documents(request))
    made = provenance(experiments, request)
    write_atomic(page, _html(experiments, request, judged, made).encode())
    text = f"# {TITLE}\n\nMade by `{_command(request)}`. {LEAD}\n"
    found = [text, section_markdown(_verdicts(judged)), section_markdown(made)]
    write_atomic(page.with_suffix(".md"), "\n".join(found).encode())
    return page


def documents(request: Request) -> dict[str, Document]:
    """What there is to judge by, by name."""
    found = {name: EXPERIMENTS[name] for name in JUDGES}
    return {
        name: each.document(request)
        for name, each in found.items()
        if each.store(request).path.exists()
    }


def counts(judged: Sequence[Verdict]) -> dict[Outcome, int]:
    """How many verdicts there are of each kind."""
    return {
        outcome: sum(verdict.outcome == outcome for verdict in judged)
        for outcome in get_args(Outcome)
    }


def provenance(experiments: Sequence[Experiment], request: Request) -> Section:
    """What the parts of each experiment were made on, and how long they took."""
    return Section(
        "Machines and commits",
        [
            "Every experiment consists of parts that are made once and kept, each with a record of "
            "the machine and the commit that made it; *unrecorded* counts the parts without one.",
        ],
        ["experiment", "parts", "of", "unrecorded", "hours", "machines", "commits"],
        [_provenance(experiment, request) for experiment in experiments],
    )


def _provenance(experiment: Experiment, request: Request) -> list[str]:
    done = experiment.contents(request)
    notes = [content["made"] for content in done if "made" in content]
    return [
        experiment.name,
        str(len(done)),
        str(len(experiment.parts(request))),
        str(len(done) - len(notes)),
        f"{sum(note['seconds'] for note in notes) / 3600:.2f}",
        _all(f"{note['cpu']}, {note['cores']} cores" for note in notes),
        _all(_commit(note) for note in notes),
    ]


def _all(words: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(words)) or NOTHING


def _commit(note: Mapping[str, Any]) -> str:
    """The commit of a record, or the version where there was no clone."""
    if note["commit"] is None:
        return f"version {note['versions'].get('phil-search', 'unknown')}"
    return str(note["commit"])[:COMMIT] + (" with changes" if note["changed"] else "")


def _command(request: Request) -> str:
    return f"{PROGRAM} report" + (" --quick" if request.quick else "")


def _verdicts(judged: Sequence[Verdict] | None) -> Section:
    """The verdicts as a table, under what they mean."""
    if judged is None:
        return TOY
    header = ("claim", "where", "paper", "here", "verdict", "why")
    rows = [[each.claim, each.where, each.paper, each.ours, each.outcome, each.why]
            for each in judged]  # fmt: skip
    return Section(CLAIMS, _meaning(judged), header, rows)


def _meaning(judged: Sequence[Verdict]) -> list[str]:
    counted = ", ".join(f"{count} {outcome}" for outcome, count in counts(judged).items())
    return [
        f"Of {len(judged)} claims that could be judged: {counted}. Every verdict is computed from "
        "the figures below: better where ours are better than the paper's, reproduced where they "
        "say the same, undecided where trainings and problems differ too much to tell, not "
        "reproduced where they say something else. Intervals of Tables 1 and 3 are over both "
        "trainings and problems.",
        "PHIL is trained by our preset `best`, with other inputs and settings than the paper "
        "prints (docs/method.md). What the printed ones reach is judged where a claim says so.",
    ]


def _verdicts_html(judged: Sequence[Verdict] | None) -> str:
    """The verdicts as a list that reads well on a phone."""
    if judged is None:
        return section_html(TOY)
    items = "".join(
        f'<li class="{each.outcome}"><b>{_text(each.claim)}</b><em>{each.outcome}</em>'
        f"{_text(f' ({each.why})' if each.why else '')}. {_text(each.where)}: {_text(each.paper)}; "
        f"here: {_text(each.ours)}</li>\n"
        for each in judged
    )
    return f'{section_html(Section(CLAIMS, _meaning(judged)))}\n<ul class="verdicts">{items}</ul>'


def _text(text: str) -> str:
    return escape(text.replace("`", ""))


def _html(
    experiments: Sequence[Experiment],
    request: Request,
    judged: Sequence[Verdict] | None,
    made: Section,
) -> str:
    pages = {each.name: request.docs / f"{request.named(each.name)}.md" for each in experiments}
    there = [each for each in experiments if pages[each.name].exists()]
    missing = [each for each in experiments if each not in there]
    chapters = [
        ("claims", CLAIMS, _verdicts_html(judged)),
        *((each.name, each.title, chapter_html(pages[each.name])) for each in there),
        ("made", made.title, section_html(made)),
    ]
    links = "".join(
        f'<li><a href="#{name}">{escape(title)}</a></li>' for name, title, _ in chapters
    )
    commands = [f"`{each.command(quick=request.quick)}`" for each in missing]
    parts = [
        f'<p class="lead">{escape(LEAD)}</p>',
        f"<nav><ul>{links}</ul></nav>",
        *([section_html(Section("Not there yet", commands))] if missing else []),
        *(f'<section id="{name}">\n{html}\n</section>' for name, _, html in chapters),
    ]
    facts = record()
    return page_html(
        TITLE,
        parts,
        {
            "command": _command(request),
            "machine": f"{facts['cpu']}, {facts['cores']} cores",
            "commit": _commit(facts),
            "written": facts["time"],
        },
    )


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


def _embed(image: Token, folder: Path) -> None:
    path = folder / str(image.attrs["src"])
    if path.suffix in IMAGES and path.exists():
        content = base64.b64encode(path.read_bytes()).decode()
        image.attrs["src"] = f"data:{IMAGES[path.suffix]};base64,{content}"
        image.attrs["class"] = "chart"
