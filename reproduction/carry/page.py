"""The sections and pictures of the page on how far heuristics carry over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from reproduction.carry.ablation import ANY, BASE, VARIANTS
from reproduction.carry.benches import BENCHES, EUCLIDEAN, HEDGE, MAPS, PAIRS, PHIL, TITLES
from reproduction.carry.pictures import slug
from reproduction.experiment import Document
from reproduction.markup import NOTHING, Section, short, whole, with_spread
from reproduction.page import Picture
from reproduction.scores import deviation, mean
from reproduction.sections import CALLS, table

Scores = Mapping[str, Mapping[str, Any]]  # of a method, by map or family
MEASURES = {"expansions": "mean expansions", "calls": "mean calls"}
GEOMETRIC = "geometric mean"
BENCH_TITLES = {MAPS: "Maps that nobody trained on", PAIRS: "Random pairs on the families"}
BENCH_TEXTS = {
    MAPS: "The test maps of `maps/movingai`: 8 moves, no corner cutting, random pairs.",
    PAIRS: "The test maps of the eight families of Table 1, start and goal drawn at random; maps "
    "without a path are left out. Corners may be cut.",
}
TRIED = [
    "Single trainings that were compared on validation maps while `phil:map` was made. Worse: "
    "lengths in cells alone; learning what to add to the straight-line distance instead of the "
    "distance; a lower temperature of the ranking loss (0.5 or 1); three times as many random "
    "worlds, a third of them with scattered obstacles, which gained little on such maps and lost "
    "on others; batches twice as large. No better: cells up to 5 away, with a larger memory. A key "
    "that prefers deeper nodes helps among scattered obstacles and harms everywhere else; so does "
    "adding the straight-line distance to the values of the trained network. (Among scattered "
    "obstacles, greedy Euclidean search is close to the shortest path, so that there is little to "
    "gain.) Longer training and more steps per iteration gained the most.",
]


def parts(document: Document) -> list[Section | Picture]:
    """All of the page."""
    return [
        lead(document),
        *(
            section
            for bench in BENCHES
            if document["benches"][bench]
            for section in (
                *(measured(document, bench, measure) for measure in MEASURES),
                costs(document, bench),
            )
        ),
        *([seeds(document)] if any(document["seeds"].values()) else []),
        *(ablation(document, name) for name in document["ablation"]),
        *pictures(document),
        Section("Tried without gain", TRIED),
    ]


def lead(document: Document) -> Section:
    """What is shown, and how far `phil:map` carries."""
    return Section(
        "What is shown",
        [
            f"Made by `{document['command']}`. One heuristic, the shipped `phil:map`, on maps that "
            "it was not trained on, and what its ingredients are worth. PHIL is greedy search; "
            "hedged, `hedge(phil:map)`. Ratios are mean expansions (or calls) over those of greedy "
            f"Euclidean search on the same problems. {CALLS}",
            *(text for bench in BENCHES if (text := _in_words(document, bench))),
        ],
    )


def ratios(scores: Scores, reference: Scores, measure: str = "expansions") -> dict[str, float]:
    """The mean counts of a method over those of another, by map or family.

    >>> ratios({"a": {"expansions": [1, 3]}}, {"a": {"expansions": [4, 4]}})
    {'a': 0.5}
    """
    return {
        name: mean(scores[name][measure]) / mean(reference[name][measure])
        for name in scores
        if name in reference
    }


def geometric_mean(values: Sequence[float]) -> float:
    """The geometric mean.

    >>> round(geometric_mean([0.5, 2.0]), 6)
    1.0
    """
    return float(np.exp(np.mean(np.log(values))))


def measured(document: Document, bench: str, measure: str) -> Section:
    """Mean counts of all methods, and the learned ones' ratios to greedy Euclidean search."""
    methods: Mapping[str, Scores] = document["benches"][bench]
    compared = [name for name in (PHIL, HEDGE) if name in methods and EUCLIDEAN in methods]
    found = {name: ratios(methods[name], methods[EUCLIDEAN], measure) for name in compared}
    names = list(next(iter(methods.values())))

    def cells(name: str) -> list[str]:
        counts = (whole(mean(methods[method][name][measure])) for method in methods)
        return [name, *counts, *(f"{found[method][name]:.2f}" for method in compared)]

    rows = [cells(name) for name in names]
    if compared:
        means = (f"{geometric_mean([*found[method].values()]):.2f}" for method in compared)
        rows.append([GEOMETRIC, *[NOTHING] * len(methods), *means])
    header = [
        BENCHES[bench],
        *(TITLES[name] for name in methods),
        *(f"ratio, {TITLES[name]}" for name in compared),
    ]
    title = f"{BENCH_TITLES[bench]}: {MEASURES[measure]}"
    return Section(title, [BENCH_TEXTS[bench]], header, rows)


def costs(document: Document, bench: str) -> Section:
    """Path cost over the least cost."""
    methods: Mapping[str, Scores] = document["benches"][bench]
    names = list(next(iter(methods.values())))
    rows = [
        [name, *(f"{methods[method][name]['cost_ratio']:.3f}" for method in methods)]
        for name in names
    ]
    header = [BENCHES[bench], *(TITLES[name] for name in methods)]
    return Section(f"{BENCH_TITLES[bench]}: path cost over the least cost", [], header, rows)


def seeds(document: Document) -> Section:
    """The geometric means of the ratios of every training."""

    def row(bench: str, measure: str) -> dict[str, str] | None:
        runs, methods = document["seeds"][bench], document["benches"][bench]
        if not runs or EUCLIDEAN not in methods:
            return None
        reference = methods[EUCLIDEAN]
        found = [geometric_mean([*ratios(run, reference, measure).values()]) for run in runs]
        return {
            "problems": BENCH_TITLES[bench],
            "ratio of": MEASURES[measure],
            "trainings": str(len(runs)),
            "mean": _spread(found),
            "each": ", ".join(map(short, found)),
        }

    rows = [row(bench, measure) for bench in BENCHES for measure in MEASURES]
    columns = {name: name for name in ("problems", "ratio of", "trainings", "mean", "each")}
    return table(
        "Trainings that differ in the seed",
        "Trainings with the settings of `phil:map`, each tested as above: the geometric mean of "
        "the ratios to greedy Euclidean search, mean over trainings ± standard deviation.",
        columns,
        [each for each in rows if each is not None],
    )


def ablation(document: Document, name: str) -> Section:
    """What each ingredient is worth on a set."""
    reference = document["benches"][MAPS].get(EUCLIDEAN) if name == ANY else None

    def row(title: str, runs: Sequence[Scores]) -> list[str]:
        found = [
            title,
            *(_spread([_overall(run, measure) for run in runs], whole) for measure in MEASURES),
        ]
        if reference is not None:
            for measure in MEASURES:
                means = [geometric_mean([*ratios(r, reference, measure).values()]) for r in runs]
                found.append(_spread(means))
        return found

    rows = []
    for variant, runs in document["ablation"][name].items():
        rows.append(row(VARIANTS[variant].title, [run["test"] for run in runs]))
        if variant == BASE:
            rows.append(row("base, hedged", [run["hedge"] for run in runs]))
    header = ["variant", *MEASURES.values()]
    if reference is not None:
        header += ["ratio of expansions", "ratio of calls"]
    where = (
        "Trained on a part of `maps/any`, tested on the test maps of `maps/movingai`. The base has "
        "the frame of the goal, the other is that of the map. Ratios are geometric means over the "
        "maps."
        if name == ANY
        else f"Trained and tested from corner to corner on {name}. The base has the frame of the "
        "map, the other is that of the goal."
    )
    seeds = max(map(len, document["ablation"][name].values()))
    spread = ", mean ± standard deviation" if seeds > 1 else ""
    text = f"{where} Short trainings, {seeds} of each{spread}."
    return Section(f"Ingredients: {'any map' if name == ANY else name}", [text], header, rows)


def pictures(document: Document) -> list[Section | Picture]:
    """Every picture below what it shows."""
    found: list[Section | Picture] = []
    if document["pictures"]:
        text = (
            "On each map the pair of the median of greedy Euclidean's expansions. From blue (first "
            "expanded) to yellow (last); the path is red, from the ring to the disc."
        )
        found.append(Section("Searches on real maps", [text]))
    for each in document["pictures"]:
        title = f"Greedy Euclidean search and PHIL on {each['map']}"
        found.append(Picture(title, f"{slug(each['map'])}.png", None, heading=False))
    return found


def _overall(scores: Scores, measure: str) -> float:
    return mean([value for score in scores.values() for value in score[measure]])


def _spread(values: Sequence[float], write: Callable[[float], str] = short) -> str:
    return with_spread(float(np.mean(values)), deviation(values), write)


def _in_words(document: Document, bench: str) -> str:
    methods: Mapping[str, Scores] = document["benches"][bench]
    if PHIL not in methods or EUCLIDEAN not in methods:
        return ""
    found = {measure: ratios(methods[PHIL], methods[EUCLIDEAN], measure) for measure in MEASURES}
    over = found["expansions"]
    worst = max(over, key=over.__getitem__)
    behind = sum(value > 1 for value in over.values())
    means = {measure: geometric_mean([*each.values()]) for measure, each in found.items()}
    return (
        f"{BENCH_TITLES[bench]}: {means['expansions']:.2f} times the expansions of greedy "
        f"Euclidean search and {means['calls']:.2f} times its calls (geometric means); behind it "
        f"on {behind} of {len(over)}. The worst is {worst}, with {over[worst]:.2f} times the "
        "expansions."
    )
