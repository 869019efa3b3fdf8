"""Sections of docs/results.md as they follow from results: a test says what to write there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from textwrap import fill
from typing import Any

from reproduction.ablations.page import claim_text
from reproduction.ablations.studies import STUDIES
from reproduction.everything.claims import verdicts
from reproduction.everything.verdict_list import summary
from tests.pages import of_all

Document = Mapping[str, Any]
WIDTH = 116


def runtime_section(document: Document) -> str:
    """What is said of the time per node."""
    means = {**document["mean"]["python"], **document["mean"]["compiled"]}
    timed = [f"{title} {1000 * means[name]:.2g}" for name, title in document["titles"].items()]
    own, papers = (
        of_all({claim["other"]: claim["ours"]["compiled"][name]["agrees"] for claim in claims})
        for claims in [document["claims"]]
        for name in ("phil", "phil_paper")
    )
    return _section(
        "Time per node (appendix G)",
        f"`{document['command']}`, [all of it](runtime.md). Microseconds of one core per expanded "
        f"node, mean of the families: {', '.join(timed)} (BFWS and MHA* are called from Python, "
        "the others compiled). Of two methods the same is the faster one as in the paper in "
        f"{own} comparisons, and with the paper's network in {papers}: compiled, an expansion "
        "without a network costs next to nothing.",
    )


def ablations_section(document: Document) -> str:
    """What is said of the paper's ablations."""
    claims = [
        claim
        for name, found in document["claims"].items()
        for claim in found
        if STUDIES[name].papers and claim["difference"] is not None
    ]
    counted = Counter(claim["outcome"] for claim in claims)
    trainings = sum(
        len(variant["seeds"])
        for family in document["families"].values()
        for name, variant in family["variants"].items()
        if not name.startswith("fringe")  # tests of heuristics that are counted already
    )
    return _section(
        "Ablations (appendix D)",
        f"`{document['command']}`, [all of it](ablations.md): {trainings} trainings. Of "
        f"{len(claims)} claims of the paper {counted['yes']} hold here, {counted['no']} do not, "
        f"and {counted['undecided']} are undecided, since the difference lies within the spread of "
        "trainings.",
        *(
            f"- Not so here: {claim_text(claim)} ({100 * claim['difference']:+.1f} %, spread "
            f"{100 * claim['spread']:.1f} %)."
            for claim in claims
            if claim["outcome"] == "no"
        ),
    )


def report_section(documents: Mapping[str, Document]) -> str:
    """What is said of the report."""
    counted, _ = summary(verdicts(documents))[0].split(". ", 1)
    return _section(
        "The paper's claims",
        "`python -m reproduction all` makes the paper's tables and figures, in parts that are "
        f"kept, and one report with [a verdict on every claim](report.md). {counted}.",
    )


def _section(title: str, text: str, *items: str) -> str:
    lines = [fill(item, WIDTH, subsequent_indent="  ", break_on_hyphens=False) for item in items]
    body = fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n\n".join([f"## {title}", body, *(["\n".join(lines)] if lines else [])]) + "\n"
