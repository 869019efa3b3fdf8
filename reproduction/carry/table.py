"""The experiment: `phil:map` on other maps and pairs, its seeds, its ingredients, its pictures."""

from __future__ import annotations

from functools import partial

from phil.heuristics.registry import read_any
from reproduction.carry import ablation, benches, page, pictures
from reproduction.carry.trained import train_carried
from reproduction.experiment import Document, Experiment, Request, Value
from reproduction.grid import MOST_SEEDS
from reproduction.markup import Section
from reproduction.page import Page
from reproduction.runner import Part, Stage
from reproduction.scores import mean
from reproduction.store import Content, Parts

SEEDS, ABLATION, PICTURES = "seeds", "ablation", "pictures"
SECTIONS = (*benches.BENCHES, SEEDS, ABLATION, PICTURES)


class Carry(Experiment):
    """How far heuristics carry over, and what their ingredients are worth."""

    name = "carry"
    title = "Carrying over: one heuristic for any map"
    options = ("parts",)

    def stages(self, request: Request) -> list[Stage]:
        """The sections that are asked for, in order: a part per method, training or picture."""
        chosen = request.chosen("parts", "part of carry", SECTIONS)
        found = {
            **{bench: self._bench(request, bench) for bench in benches.BENCHES},
            SEEDS: self._seeds(request),
            ABLATION: self._ablation(request),
            PICTURES: [
                Part(_picture(name), partial(pictures.draw, request, name))
                for name in (pictures.shown(request) if PICTURES in chosen else ())
            ],
        }
        return [Stage(found[section]) for section in SECTIONS if section in chosen]

    def assemble(self, parts: Parts, *, quick: bool) -> Document:
        """All scores that are there."""
        return {
            "benches": {
                bench: {
                    method: parts[f"{bench}-{method}"]["scores"]
                    for method in benches.TITLES
                    if f"{bench}-{method}" in parts
                }
                for bench in benches.BENCHES
            },
            SEEDS: {
                bench: [
                    parts[name]["scores"]
                    for seed in range(MOST_SEEDS)
                    if (name := _seed(bench, seed)) in parts
                ]
                for bench in benches.BENCHES
            },
            ABLATION: {
                name: variants
                for name in ablation.SETS
                if (variants := self._variants(parts, name))
            },
            PICTURES: [
                parts[name]
                for name in sorted(parts, key=_shown_order)
                if name.startswith(_picture(""))
            ],
        }

    def page(self, document: Document, request: Request) -> Page:
        """Tables of all sections, and pictures."""
        return Page(self.title, document["command"], page.parts(document), "PHIL")

    def values(self, document: Document) -> dict[str, Value]:
        """Mean expansions by map or family."""
        return {
            f"{bench}, {benches.TITLES[method]}, {name}": Value(mean(score["expansions"]))
            for bench, methods in document["benches"].items()
            for method, scores in methods.items()
            for name, score in scores.items()
        }

    def summary(self, document: Document) -> Section:
        """The expansions on maps that nobody trained on, or what stands first on the page."""
        for bench in benches.BENCHES:
            if document["benches"][bench]:
                return page.measured(document, bench, "expansions")
        return page.lead(document)

    def _bench(self, request: Request, bench: str) -> list[Part]:
        return [
            Part(f"{bench}-{method}", partial(_measure, request, bench, method))
            for method in benches.TITLES
        ]

    def _seeds(self, request: Request) -> list[Part]:
        return [
            Part(_seed(bench, seed), partial(_measure_seed, request, bench, seed))
            for bench in benches.BENCHES
            for seed in range(request.seeds)
        ]

    def _ablation(self, request: Request) -> list[Part]:
        return [
            Part(
                f"{ABLATION}-{name}-{variant}-{seed}",
                partial(ablation.test, request, name, variant, seed),
            )
            for seed in range(request.seeds)
            for name in (ablation.QUICK_SETS if request.quick else ablation.SETS)
            for variant, changes in ablation.VARIANTS.items()
            if name in changes.sets
        ]

    def _variants(self, parts: Parts, name: str) -> dict[str, list[Content]]:
        found = {
            variant: [
                parts[part]
                for seed in range(MOST_SEEDS)
                if (part := f"{ABLATION}-{name}-{variant}-{seed}") in parts
            ]
            for variant in ablation.VARIANTS
        }
        return {variant: runs for variant, runs in found.items() if runs}


def _measure(request: Request, bench: str, method: str) -> Content:
    return {"scores": benches.run(request, bench, benches.solver(request, method))}


def _measure_seed(request: Request, bench: str, seed: int) -> Content:
    heuristic = read_any(train_carried(request, benches.NAME, seed))
    return {"seed": seed, "scores": benches.run(request, bench, benches.greedy(heuristic))}


def _seed(bench: str, seed: int) -> str:
    return f"{SEEDS}-{bench}-{seed}"


def _picture(name: str) -> str:
    return f"picture-{pictures.slug(name)}"


def _shown_order(part: str) -> int:
    order = [_picture(name) for name in pictures.SHOWN]
    return order.index(part) if part in order else len(order)


CARRY = Carry()
