"""What the ablations are made of: parts (family, variant, seed), each trained and tested once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar

from phil.evaluation import Method, MethodScore, evaluate, parse_method
from phil.heuristics.registry import SUFFIX, read_any
from phil.problems.generated import generate_maps
from phil.problems.grids import repeated_maps
from phil.problems.problem import ProblemSet
from phil.search import GREEDY
from reproduction.ablations.coarse import CoarseSet, coarse_set, open_coarse
from reproduction.ablations.fringe import FringeMethod
from reproduction.ablations.studies import FAMILIES, STUDIES, urgency
from reproduction.ablations.variants import PRESET, Variant
from reproduction.legacy.columns import Column
from reproduction.legacy.kept import Kept, check_names
from reproduction.legacy.parts import Part
from reproduction.legacy.scores import score_json
from reproduction.legacy.training import train_once, training_json

# What the same maps cost without learning.
REFERENCES = {
    "astar": "astar(euclidean)",
    "astar_manhattan": "astar(manhattan)",
    "euclidean": "greedy(euclidean)",
    "manhattan": "greedy(manhattan)",
    "shortest": "greedy(oracle)",
}
COST = "evaluations_per_expansion"  # told of tests that compute values anew
QUICK_SPLITS = {"train": 12, "validation": 6, "test": 6}
QUICK_SIDE = 100


@dataclass(frozen=True)
class Ablations(Kept):
    """What to run, and where it is kept."""

    experiment: ClassVar[str] = "ablations"

    families: Sequence[str]
    studies: Sequence[str]
    seeds: int
    data: Path | None
    results: Path
    heuristics: Path  # of the trained files
    quick: bool = False

    def __post_init__(self) -> None:
        check_names("family of the ablations", self.families, FAMILIES)
        check_names("ablation", self.studies, STUDIES)

    @property
    def variants(self) -> tuple[Variant, ...]:
        """Those of all studies, each once, and the trainings whose heuristics they take."""
        found = [v for name in self.studies for v in STUDIES[name].variants]
        return tuple(dict.fromkeys([*(v.training for v in found), *found]))

    def maps(self, family: str) -> CoarseSet:
        """The coarse maps of a family: the public ones, or a few small generated ones."""
        return _opened(family, self.data, self.quick)

    def heuristic(self, family: str, variant: Variant, seed: int) -> Path:
        """Where a trained heuristic is kept."""
        return self.heuristics / self.name / f"{family}-{variant.training.name}-{seed}{SUFFIX}"

    def part(self, family: str, variant: Variant, seed: int) -> Part:
        """One training, tested."""
        path = self.folder / f"{family}-{variant.name}-{seed}.json"
        return Part(path, partial(_training_part, self, family, variant, seed))

    def maps_part(self, family: str) -> Part:
        """What is known of a family's maps."""
        return Part(self.folder / f"{family}-maps.json", partial(_maps_part, self, family))

    def trainings(self) -> list[Part]:
        """The maps, then the trainings: all that are equally urgent once before any again."""
        maps = [self.maps_part(family) for family in self.families]
        return maps + self._parts([v for v in self.variants if v == v.training])

    def further_tests(self) -> list[Part]:
        """What takes a heuristic of the trainings, so that those must be there."""
        return self._parts([v for v in self.variants if v != v.training])

    def parts(self) -> list[Part]:
        """All of them."""
        return self.trainings() + self.further_tests()

    def _parts(self, variants: Sequence[Variant]) -> list[Part]:
        cells = [
            (family, variant, seed)
            for seed in range(self.seeds)
            for variant in variants
            for family in self.families
        ]
        cells.sort(key=lambda cell: urgency(cell[1], cell[0]))
        return [self.part(*cell) for cell in cells]


@cache
def _opened(family: str, data: Path | None, quick: bool) -> CoarseSet:
    # Kept while the process lives: a hundred trainings are on one family.
    return _quick_maps(family) if quick else open_coarse(family, data)


def _quick_maps(family: str) -> CoarseSet:
    shape = (QUICK_SIDE, QUICK_SIDE)
    splits = {
        split: {str(k): free for k, free in enumerate(generate_maps(family, n, 0, split, shape))}
        for split, n in QUICK_SPLITS.items()
    }
    return coarse_set(f"coarse/generated/{family}", splits)


def _training_part(
    ablations: Ablations, family: str, variant: Variant, seed: int
) -> dict[str, Any]:
    problems = ablations.maps(family).problems
    column = Column(
        variant.name,
        "PHIL",
        method="phil",
        preset=PRESET,
        settings=variant.settings(quick=False),
        quick=variant.settings(quick=True),
    )
    file = train_once(
        ablations.heuristic(family, variant, seed),
        _with_maps(problems, variant.maps),
        column,
        seed,
        quick=ablations.quick,
    )
    heuristic = read_any(file)
    if variant.fringe is None:
        [score] = evaluate(problems.test, [Method(variant.name, GREEDY, heuristic)])
        counted = {}
    else:
        [score] = evaluate(problems.test, [FringeMethod(variant.name, heuristic, variant.fringe)])
        counted = {COST: _evaluations_per_expansion(score)}
    training = training_json(file)
    return {
        "family": family,
        "variant": variant.name,
        "seed": seed,
        "training_seconds": training["training_seconds"],
        "validation": training["validation"]["expansions"]["mean"],
        "test": score_json(score),
        **counted,
    }


def _evaluations_per_expansion(score: MethodScore) -> float:
    """How many nodes were sent through the network for each that was expanded."""
    results = [run.result for run in score.runs]
    return sum(each.evaluations for each in results) / sum(each.expansions for each in results)


def _with_maps(problems: ProblemSet, count: int | None) -> ProblemSet:
    return replace(problems, train=problems.train[:count])


def _maps_part(ablations: Ablations, family: str) -> dict[str, Any]:
    maps = ablations.maps(family)
    problems = maps.problems
    scores = evaluate(problems.test, [parse_method(text) for text in REFERENCES.values()])
    return {
        "family": family,
        "set": problems.name,
        "solvable": {split: len(problems.split(split)) for split in maps.unsolvable},
        "unsolvable": dict(maps.unsolvable),
        "repeated": len(repeated_maps(problems)),
        "expansions": {
            name: score.expansions.mean for name, score in zip(REFERENCES, scores, strict=True)
        },
    }
