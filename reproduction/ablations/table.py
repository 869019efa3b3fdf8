"""The ablations as a table: families of coarse maps by variants of the training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import phil
from phil.evaluation import evaluate
from phil.heuristics.registry import read_any
from phil.problems.generated import generate_maps
from phil.problems.grids import repeated_maps
from phil.problems.problem import ProblemSet
from phil.search.method import Method
from reproduction.ablations import page
from reproduction.ablations.astar import FIFO_ASTAR
from reproduction.ablations.coarse import CoarseSet, coarse_set, open_coarse
from reproduction.ablations.studies import (
    BASE,
    FAMILIES,
    QUICK,
    QUICK_FAMILIES,
    QUICK_STUDIES,
    STUDIES,
    Claim,
    urgency,
    variants_of,
)
from reproduction.ablations.ways import FIGURES, WAYS
from reproduction.experiment import Document, Request, Value
from reproduction.grid import Grid, Trial
from reproduction.markup import Section
from reproduction.methods import train_once, training_json
from reproduction.page import Page
from reproduction.runner import Part, Stage
from reproduction.scores import deviation, judge, over_seeds, score_json
from reproduction.store import Content, Parts

# What the same maps cost without learning: a heuristic and a key.
REFERENCES = {
    "astar": ("euclidean", FIFO_ASTAR),
    "astar_manhattan": ("manhattan", FIFO_ASTAR),
    "euclidean": ("euclidean", phil.GREEDY),
    "manhattan": ("manhattan", phil.GREEDY),
    "shortest": ("oracle", phil.GREEDY),
}
UNITS = {"ratio_to_astar": "astar", "ratio_to_shortest": "shortest"}
QUICK_SPLITS = {"train": 12, "validation": 6, "test": 6}
QUICK_SIDE = 100
VARIANTS = variants_of([*STUDIES])
SPECS = {name: each.spec for name, each in VARIANTS.items()}


class Ablations(Grid):
    """Trainings that differ from a base in one thing."""

    name = "ablations"
    title = "Ablations"
    options = ("families", "studies")
    methods = SPECS

    def rows(self, request: Request) -> tuple[str, ...]:
        """Families of maps."""
        default = QUICK_FAMILIES if request.quick else FAMILIES
        return request.chosen("families", "family of the ablations", FAMILIES, default)

    def studies(self, request: Request) -> tuple[str, ...]:
        """The studies that are asked for."""
        default = QUICK_STUDIES if request.quick else ()
        return request.chosen("studies", "ablation", STUDIES, default)

    def chosen_methods(self, request: Request) -> tuple[str, ...]:
        """The variants that have a training of their own."""
        found = variants_of(self.studies(request))
        return tuple(name for name, each in found.items() if each == each.training)

    def further_stages(self, request: Request) -> list[Stage]:
        """Variants that search in other ways with heuristics that are trained by now."""
        trials = [
            Trial(family, name, seed)
            for seed in range(request.seeds)
            for name, each in variants_of(self.studies(request)).items()
            if each != each.training
            for family in self.rows(request)
        ]
        trials.sort(key=partial(self.urgency, request))
        return [Stage([self.part(request, trial) for trial in trials])]

    def timed_parts(self, request: Request) -> list[Part]:
        """None: expansions are what is compared."""
        return []

    def urgency(self, request: Request, trial: Trial) -> tuple[int, ...]:
        """The paper's studies first."""
        return (urgency(VARIANTS[trial.method], trial.row),)

    def maps(self, request: Request, family: str) -> CoarseSet:
        """The coarse maps of a family: the public ones, or a few small generated ones."""
        return _opened(family, request.data, request.quick)

    def problems(self, request: Request, row: str) -> ProblemSet:
        """Those of the coarse maps that have a path."""
        return self.maps(request, row).problems

    def problem_parts(self, request: Request) -> list[Part]:
        """How many maps there are, and what they cost without learning."""
        return [
            Part(f"{row}-maps", partial(self._maps, request, row)) for row in self.rows(request)
        ]

    def heuristic(self, request: Request, trial: Trial) -> Path:
        """Where the heuristic of a trial is kept; variants of one training share it."""
        training = VARIANTS[trial.method].training.name
        return super().heuristic(request, replace(trial, method=training))

    def train(self, request: Request, trial: Trial) -> Path:
        """Train the heuristic of a trial, on as many maps as its variant says."""
        problems = self.problems(request, trial.row)
        kept = problems.train[: VARIANTS[trial.method].maps]
        return train_once(
            self.heuristic(request, trial),
            replace(problems, train=kept),
            self.methods[trial.method],
            trial.seed,
            quick=request.quick,
        )

    def assemble(self, parts: Parts, *, quick: bool) -> Document:
        """What every variant expands on every family, and what that says about the claims."""
        families = {
            family: self._family(parts, family) for family in FAMILIES if f"{family}-maps" in parts
        }
        return {
            "base": {**BASE, **(QUICK if quick else {})},
            "families": families,
            "claims": {
                name: [_judged(claim, families) for claim in study.claims]
                for name, study in STUDIES.items()
            },
        }

    def page(self, document: Document, request: Request) -> Page:
        """The maps, the claims, each study above its figure, and the trainings."""
        return Page(page.TITLE, document["command"], page.parts(document))

    def values(self, document: Document) -> dict[str, Value]:
        """Mean expansions."""
        return {
            f"{family}, {variant}": Value.of_expansions(summary)
            for family, row in document["families"].items()
            for variant, summary in row["variants"].items()
        }

    def summary(self, document: Document) -> Section:
        """The claims."""
        return page.claims(document)

    def _family(self, parts: Parts, family: str) -> dict[str, Any]:
        maps = parts[f"{family}-maps"]
        found = {name: self.runs(parts, family, name) for name in VARIANTS}
        return {
            "maps": maps,
            "variants": {
                name: {
                    "training": VARIANTS[name].training.name,
                    **_summary(runs, maps["expansions"]),
                }
                for name, runs in found.items()
                if runs
            },
        }

    def _test(self, request: Request, trial: Trial) -> Content:
        problems, way = self.tests(request, trial), VARIANTS[trial.method].way
        if way is None:
            [score] = evaluate(problems, [self.solver(request, trial)])
            measured = {"test": score_json(score)}
        else:
            measured = WAYS[way](problems, read_any(self.train(request, trial)))
        training = training_json(self.heuristic(request, trial))
        return {
            **self._names(trial),
            "training_seconds": training["training_seconds"],
            "validation": training["validation"]["expansions"]["mean"],
            **measured,
        }

    def _maps(self, request: Request, family: str) -> Content:
        maps = self.maps(request, family)
        problems = maps.problems
        methods = [
            Method(name, key, phil.load(heuristic)) for name, (heuristic, key) in REFERENCES.items()
        ]
        scores = evaluate(problems.test, methods)
        return {
            "family": family,
            "set": problems.name,
            "solvable": {split: len(problems.split(split)) for split in maps.unsolvable},
            "unsolvable": dict(maps.unsolvable),
            "repeated": len(repeated_maps(problems)),
            "expansions": {
                name: score.expansions.mean for name, score in zip(REFERENCES, scores, strict=True)
            },
            "calls": {
                name: score.calls.mean for name, score in zip(REFERENCES, scores, strict=True)
            },
        }


@cache
def _opened(family: str, data: Path | None, quick: bool) -> CoarseSet:
    # Kept while the process lives: a hundred trainings are on one family.
    if not quick:
        return open_coarse(family, data)
    shape = (QUICK_SIDE, QUICK_SIDE)
    splits = {
        split: {str(k): free for k, free in enumerate(generate_maps(family, n, 0, split, shape))}
        for split, n in QUICK_SPLITS.items()
    }
    return coarse_set(f"coarse/generated/{family}", splits)


def _summary(runs: Sequence[Content], references: Mapping[str, float]) -> dict[str, Any]:
    summary = over_seeds([run["test"] for run in runs])
    for unit, reference in UNITS.items():
        ratios = [each / references[reference] for each in summary["by_run"]]
        summary[unit] = {
            "mean": float(np.mean(ratios)),
            "deviation": deviation(ratios),
            "by_run": ratios,
        }
    for figure in FIGURES:
        if all(figure in run for run in runs):
            summary[figure] = [run[figure] for run in runs]
    return summary | {
        "seeds": [run["seed"] for run in runs],
        "seconds": [run["training_seconds"] for run in runs],
        "validation": [run["validation"] for run in runs],
    }


def _judged(claim: Claim, families: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict on a claim over those of its families that were run with all its variants."""
    needed = {each.name for each in (*claim.fewer, *claim.more)}
    there = [
        family
        for family in claim.families
        if family in families and needed <= families[family]["variants"].keys()
    ]
    found: dict[str, Any] = {"text": claim.text, "families": there}
    if not there:
        return found | {"outcome": "not run", "difference": None, "spread": None, "needed": None}
    fewer, more = (
        [
            families[family]["variants"][each.name]["ratio_to_astar"]["by_run"]
            for each in group
            for family in there
        ]
        for group in (claim.fewer, claim.more)
    )
    return found | judge(fewer, more, alike=claim.alike)


ABLATIONS = Ablations()
