"""The verdicts as a list that reads well on a phone, and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import get_args

from phil.view.sections import Section, section_html, section_markdown
from reproduction.everything.claims.verdict import UNDECIDED, Outcome, Verdict

TITLE = "The paper's claims"
HEADER = ("claim", "where", "paper", "here", "verdict", "why")


def verdicts_html(verdicts: Sequence[Verdict]) -> str:
    """The list, under what it means."""
    head = section_html(Section(TITLE, summary(verdicts)))
    items = "".join(_item(verdict) for verdict in verdicts)
    return f'{head}\n<ul class="verdicts">{items}</ul>'


def verdicts_markdown(verdicts: Sequence[Verdict]) -> str:
    """The same as a table."""
    rows = [[v.claim, v.where, v.paper, v.ours, v.outcome, v.why] for v in verdicts]
    return section_markdown(Section(TITLE, summary(verdicts), HEADER, rows))


def summary(verdicts: Sequence[Verdict]) -> list[str]:
    """How many there are of each, and what PHIL is here."""
    counts = ", ".join(
        f"{sum(verdict.outcome == outcome for verdict in verdicts)} {outcome}"
        for outcome in get_args(Outcome)
    )
    undecided = sum(verdict.why == UNDECIDED for verdict in verdicts)
    return [
        f"Of {len(verdicts)} claims that could be judged: {counts} ({undecided} of these since "
        "trainings differ too much to tell). Every verdict is computed from "
        "the figures below: better where ours are better than the paper's, reproduced where they "
        "say the same, not reproduced where they do not.",
        "PHIL is trained by our preset `best`, with other inputs and settings than the paper "
        "prints (docs/method.md). What the printed ones reach is judged where a claim says so.",
    ]


def _item(verdict: Verdict) -> str:
    why = f" ({verdict.why})" if verdict.why else ""
    return (
        f'<li class="{verdict.outcome}"><b>{_text(verdict.claim)}</b>'
        f"<em>{verdict.outcome}</em>{_text(why)}. {_text(verdict.where)}: {_text(verdict.paper)}; "
        f"here: {_text(verdict.ours)}</li>\n"
    )


def _text(text: str) -> str:
    return escape(text.replace("`", ""))
