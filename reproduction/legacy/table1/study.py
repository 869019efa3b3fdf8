"""What Table 1 is made of: parts (method, family, seed), each trained and tested on its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from phil.evaluation import Solver, evaluate, parse_method
from phil.heuristics.registry import SUFFIX
from phil.problems import open_set
from phil.problems.generated import FAMILIES, generate_maps
from phil.problems.grids import repeated_maps
from phil.problems.pairs import map_problem
from phil.problems.problem import ProblemSet
from reproduction.legacy.columns import Column
from reproduction.legacy.kept import Kept, check_names
from reproduction.legacy.parts import Part
from reproduction.legacy.scores import score_json
from reproduction.legacy.table1.columns import COLUMNS
from reproduction.legacy.training import train_once, trained_method, training_json

SMALL_SPLITS = {"train": 12, "validation": 6, "test": 6}
SMALL_SIDE = 61
QUICK_FAMILIES = ("forest", "alternating_gaps")
TIMED_MAPS = 20


@dataclass(frozen=True)
class Study(Kept):
    """What to run, and where it is kept."""

    experiment: ClassVar[str] = "table1"

    families: Sequence[str]
    methods: Sequence[str]
    seeds: int
    data: Path | None
    results: Path
    heuristics: Path  # of the trained files
    quick: bool = False

    def __post_init__(self) -> None:
        check_names("family", self.families, FAMILIES)
        check_names("method of Table 1", self.methods, COLUMNS)

    def problems(self, family: str) -> ProblemSet:
        """The maps of a family: the public ones, or a few small generated ones."""
        return small_set(family) if self.quick else open_set(f"grids/{family}", data=self.data)

    def heuristic(self, column: Column, family: str, seed: int) -> Path:
        """Where a trained heuristic is kept."""
        return self.heuristics / self.name / f"{column.name}-{family}-{seed}{SUFFIX}"

    def part(self, column: Column, family: str, seed: int) -> Part:
        """One method on one family; unlearned methods have no seeds but 0."""
        make = _learned_part if column.learned else _unlearned_part
        path = self.folder / f"{column.name}-{family}-{seed}.json"
        return Part(path, partial(make, self, column, family, seed))

    def maps_part(self, family: str) -> Part:
        """What is known of a family's maps."""
        return Part(self.folder / f"maps-{family}.json", partial(_maps_part, self, family))

    def times_part(self, column: Column, family: str) -> Part:
        """The milliseconds of a method on a family."""
        path = self.folder / f"times-{column.name}-{family}.json"
        return Part(path, partial(_times_part, self, column, family))

    def parts(self) -> list[Part]:
        """All parts that may run side by side: all methods once before any is trained again."""
        columns = [COLUMNS[name] for name in self.methods]
        return [self.maps_part(family) for family in self.families] + [
            self.part(column, family, seed)
            for seed in range(self.seeds)
            for column in columns
            for family in self.families
            if column.learned or seed == 0
        ]

    def times_parts(self) -> list[Part]:
        """The parts that must run while nothing else does."""
        return [
            self.times_part(COLUMNS[name], family)
            for name in self.methods
            for family in self.families
        ]


def small_set(family: str, pairs: str = "corners") -> ProblemSet:
    """A few small generated maps of a family."""
    name = f"generated/{family}"
    splits = {
        split: tuple(
            map_problem(free, name, f"{split}/{number}", pairs)
            for number, free in enumerate(
                generate_maps(family, count, seed=0, split=split, shape=(SMALL_SIDE, SMALL_SIDE))
            )
        )
        for split, count in SMALL_SPLITS.items()
    }
    return ProblemSet(name, **splits)


def train_part(study: Study, column: Column, family: str, seed: int) -> Path:
    """Train one heuristic unless its file is there; an interrupted training of PHIL goes on."""
    output = study.heuristic(column, family, seed)
    return train_once(output, study.problems(family), column, seed, quick=study.quick)


def method_of(study: Study, column: Column, family: str, seed: int) -> Solver:
    """A column's method for a family, its heuristic trained if it has one."""
    if not column.learned:
        return parse_method(column.text)
    return trained_method(column, train_part(study, column, family, seed))


def _unlearned_part(study: Study, column: Column, family: str, seed: int) -> dict[str, Any]:
    [score] = evaluate(study.problems(family).test, [parse_method(column.text)])
    return {"method": column.name, "family": family, "test": score_json(score)}


def _learned_part(study: Study, column: Column, family: str, seed: int) -> dict[str, Any]:
    file = train_part(study, column, family, seed)
    [score] = evaluate(study.problems(family).test, [method_of(study, column, family, seed)])
    return {
        "method": column.name,
        "family": family,
        "seed": seed,
        **training_json(file),
        "test": score_json(score),
    }


def _maps_part(study: Study, family: str) -> dict[str, Any]:
    problems = study.problems(family)
    names = [problem.name for problem in problems.test]
    return {
        "family": family,
        "train": len(problems.train),
        "validation": len(problems.validation),
        "test": len(names),
        "repeated": {
            str(names.index(test)): list(others) for test, others in repeated_maps(problems).items()
        },
    }


def _times_part(study: Study, column: Column, family: str) -> dict[str, Any]:
    problems = study.problems(family).test[:TIMED_MAPS]
    [score] = evaluate(problems, [method_of(study, column, family, 0)])
    return {
        "method": column.name,
        "family": family,
        "maps": len(problems),
        "milliseconds": score.milliseconds.mean,
    }
