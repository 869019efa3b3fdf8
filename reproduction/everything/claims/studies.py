"""The claims on the ablations, the runtime, the figures and the speed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reproduction.ablations.page import claim_text, needed
from reproduction.ablations.studies import STUDIES
from reproduction.everything.claims.verdicts import (
    PAPER,
    PHIL,
    PRINTED,
    SAIL,
    Outcome,
    Verdict,
    judged,
    verdict,
)
from reproduction.experiment import Document
from reproduction.markup import percent
from reproduction.runtime.page import in_words

COMPILED = "compiled"
OUTCOMES: dict[str, Outcome] = {
    "yes": "reproduced",
    "no": "not reproduced",
    "undecided": "undecided",
}
NEAR = 1.25  # times as much: still the same
SAME_TIME = 1.5  # times as long: still constant


def ablations(document: Document) -> Iterator[Verdict]:
    """What the paper concludes of its own ablations."""
    for name, found in document["claims"].items():
        study = STUDIES[name]
        for claim in found if study.papers else ():
            if claim["difference"] is None:
                continue
            spread = claim["spread"]
            beside = "one training" if spread is None else f"spread {percent(spread)}"
            yield verdict(
                f"Appendix D, {study.title.lower()}",
                claim_text(claim),
                "yes",
                f"{percent(claim['difference'], sign=True)}, {beside}",
                OUTCOMES[claim["outcome"]],
                _why_not(claim),
            )


def _why_not(claim: Mapping[str, Any]) -> str:
    if claim["spread"] is None:
        return "one training, so no spread to tell by"
    if claim["outcome"] == "undecided":
        trainings = needed(claim["needed"])
        return f"within the noise of trainings; {trainings} of each side would decide"
    return "the trainings say something else, beyond their noise"


def runtime(document: Document) -> Iterator[Verdict]:
    """The paper's percentages of time per node, by the paper's own network."""
    titles = document["titles"]
    for claim in document["claims"]:
        own, best = (claim["ours"][COMPILED][name]["ratio"] for name in (PAPER, PHIL))
        # PHIL's time over the other's, so that less is better.
        ours, paper = own, claim["ratio"]
        if claim["other"] == PHIL:
            ours, paper = 1 / ours, 1 / paper
        yield verdict(
            "Appendix G",
            f"time per node: {titles[claim['method']]} against {titles[claim['other']]}",
            in_words(claim["ratio"]),
            f"{in_words(own)} with the paper's network, {in_words(best)} with our best",
            judged(-ours, -paper, (NEAR - 1) * paper),
            "the paper does not say in what its searches are written",
        )


def figures(document: Document) -> Iterator[Verdict]:
    """Local minima, the strategy on gaps, and the data that learning takes."""
    found = document["figures"]
    trap, strategy = found.get("trap", {}), found.get("strategy", {})
    if "expansions" in trap:
        own, greedy = trap["expansions"]["PHIL"], trap["expansions"]["greedy Euclidean"]
        yield verdict(
            "Section 5.1",
            "PHIL escapes local minima",
            "a figure",
            f"{own:,} expansions where greedy Euclidean search has {greedy:,} and a shortest path "
            f"{trap['shortest']:,}",
            own < greedy / 2,
        )
    if "expansions" in strategy:
        own, least = (strategy["expansions"][title] for title in ("PHIL", "shortest path"))
        yield verdict(
            "Appendix D",
            "PHIL learns the best strategy on alternating gaps",
            "a figure",
            f"{own:,} expansions; a shortest path has {least:,}",
            own <= NEAR * least,
        )
    if "families" in found.get("learning", {}):
        yield from _data(found["learning"])


def _data(learning: Mapping[str, Any]) -> Iterator[Verdict]:
    paper = learning["paper"]
    for family, methods in learning["families"].items():
        phil, rival = methods[PRINTED], methods[SAIL]["converged"]
        own, met = phil["converged"], phil["met_rival"]
        reasons = [
            *(["it never gets as good as SaIL"] if met is None else []),
            *(["it takes more distances than the paper says"] if own >= paper["distances"] else []),
            *(["SaIL takes less than that"] if rival / own < paper["factor"] / NEAR else []),
        ]
        yield verdict(
            "Section 5.1",
            f"on {family} PHIL, as printed, converges before {paper['distances']:,} distances, "
            f"and SaIL takes {paper['factor']:.0f} times as many",
            f"{paper['factor']:.0f} times",
            f"{rival / own:.1f} times: PHIL after {own:,}, SaIL after {rival:,}",
            not reasons,
            "; ".join(reasons),
        )


def speed(document: Document) -> Iterator[Verdict]:
    """That the time of an expansion does not grow with the graph."""
    sizes = document["parts"]["growth"]["methods"]["PHIL"].values()
    times = [row["us_per_expansion"] for row in sizes]
    slower = max(times) / times[0]
    yield verdict(
        "Abstract",
        "the heuristic runs in constant time, independent of the graph's size",
        "O(1)",
        f"{slower:.2f} times the time of an expansion, slowest of all sizes over smallest",
        slower <= SAME_TIME,
    )
