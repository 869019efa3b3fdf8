"""The claims on the ablations, the runtime, the figures and the speed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from phil.experiments.ablations.studies import STUDIES
from phil.experiments.everything.claims.verdict import PHIL, SAIL, Outcome, Verdict, percent
from phil.experiments.experiment import Document
from phil.experiments.runtime.claims import in_words

COMPILED = "compiled"
PAPERS_NETWORK = "phil_paper"
NEAR = 1.25  # times the paper's ratio of times: still the same


def ablations(document: Document) -> Iterator[Verdict]:
    """What the paper concludes of its own ablations."""
    for name, found in document["claims"].items():
        study = STUDIES[name]
        if not study.papers:
            continue
        for claim in found:
            if claim["difference"] is None:
                continue
            holds = claim["outcome"] == "yes"
            spread = claim["spread"]
            beside = "one training" if spread is None else f"spread {percent(spread)}"
            yield Verdict(
                f"Appendix D, {study.title.lower()}",
                f"{claim['text']} ({', '.join(claim['families'])})",
                "yes",
                f"{100 * claim['difference']:+.1f} %, {beside}",
                "reproduced" if holds else "not reproduced",
                "" if holds else _why_not(claim),
            )


def _why_not(claim: Mapping[str, Any]) -> str:
    if claim["outcome"] == "undecided":
        return "the difference is within the spread of trainings: it decides nothing"
    return "the trainings say the contrary, beyond their spread"


def runtime(document: Document) -> Iterator[Verdict]:
    """The paper's percentages of time per node, by the paper's own network on one engine."""
    titles = document["titles"]
    for claim in document["claims"]:
        own, best = (claim["ours"][COMPILED][name]["ratio"] for name in (PAPERS_NETWORK, PHIL))
        # PHIL's time over the other's, so that less is better.
        ours, paper = own, claim["ratio"]
        if claim["other"] == PHIL:
            ours, paper = 1 / ours, 1 / paper
        outcome = _time(ours, paper)
        yield Verdict(
            "Appendix G",
            f"time per node: {titles[claim['method']]} against {titles[claim['other']]}",
            in_words(claim["ratio"]),
            f"{in_words(own)} with the paper's network, {in_words(best)} with our best",
            outcome,
            "compiled, what others do at a node costs so little that a network stands out"
            if outcome == "not reproduced"
            else "",
        )


def _time(ours: float, paper: float) -> Outcome:
    """Of a ratio of times, less of which is better."""
    if ours < paper:
        return "better"
    return "reproduced" if ours <= NEAR * paper else "not reproduced"


def figures(document: Document) -> Iterator[Verdict]:
    """Local minima, the strategy on gaps, and the data that learning takes."""
    found = document["figures"]
    trap = found.get("trap", {})
    if "expansions" in trap:
        own, greedy = trap["expansions"]["PHIL"], trap["expansions"]["greedy Euclidean"]
        yield Verdict(
            "Section 5.1",
            "PHIL escapes local minima",
            "figure",
            f"{own:,} expansions where greedy Euclidean search has {greedy:,} and a shortest path "
            f"{trap['shortest']:,}",
            "reproduced" if own < greedy / 2 else "not reproduced",
        )
    learning = found.get("learning", {})
    if "families" in learning:
        yield from _data(learning)


def _data(learning: Mapping[str, Any]) -> Iterator[Verdict]:
    paper = learning["paper"]
    for family, methods in learning["families"].items():
        own, rival = (methods[name]["converged"] for name in (PAPERS_NETWORK, SAIL))
        outcome: Outcome = "reproduced"
        if own >= paper["distances"] or rival / own < paper["factor"] / NEAR:
            outcome = "not reproduced"
        yield Verdict(
            "Section 5.1",
            f"on {family} PHIL converges before {paper['distances']:,} distances, and SaIL takes "
            f"{paper['factor']:.0f} times as many",
            f"{paper['factor']:.0f} times",
            f"{rival / own:.1f} times; PHIL, literal, after {own:,}, SaIL after {rival:,}",
            outcome,
            "" if outcome == "reproduced" else "the paper takes SaIL's count from SaIL's paper",
        )


def speed(document: Document) -> Iterator[Verdict]:
    """That the time of an expansion does not grow with the graph."""
    for target in document["targets"]:
        if target["part"] == "growth" and target["text"].startswith("PHIL, time per expansion"):
            slower = target["figure"]
            yield Verdict(
                "Abstract",
                "the heuristic runs in constant time, independent of the graph's size",
                "O(1)",
                f"largest graph over smallest: {slower:.2f} times the time of an expansion",
                "reproduced" if target["verdict"].startswith("met") else "not reproduced",
            )
