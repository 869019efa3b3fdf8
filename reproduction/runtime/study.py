"""What the runtime analysis is made of: one part for each family, all methods in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from reproduction.legacy.kept import file_name
from reproduction.legacy.parts import Part
from reproduction.legacy.table1.columns import COLUMNS
from reproduction.legacy.table1.study import Study
from reproduction.machine import machine
from reproduction.runtime.heuristics import timed_method
from reproduction.runtime.measure import measure
from reproduction.solvable import has_path

TIMED = ("sail", "bfws", "astar", "mha", "manhattan", "neural_astar", "phil", "phil_paper")
MAPS, ROUNDS = 10, 3
QUICK_MAPS, QUICK_ROUNDS = 3, 2


@dataclass(frozen=True)
class Runtime:
    """The families of a study of Table 1, and its heuristics."""

    study: Study

    @property
    def name(self) -> str:
        """Of its files."""
        return file_name("runtime", quick=self.study.quick)

    def part(self, family: str) -> Part:
        """All methods on one family; must run while nothing else does."""
        path = self.study.results / self.name / f"{family}.json"
        return Part(path, partial(_part, self, family))


def _part(runtime: Runtime, family: str) -> dict[str, Any]:
    study = runtime.study
    timed = {name: timed_method(study, COLUMNS[name], family) for name in TIMED}
    problems = list(
        islice(
            filter(has_path, study.problems(family).test),
            QUICK_MAPS if study.quick else MAPS,
        )
    )
    solvers = {name: each.solver for name, each in timed.items()}
    rounds = QUICK_ROUNDS if study.quick else ROUNDS
    measured = measure(problems, solvers, rounds)
    return {
        "family": family,
        "maps": len(problems),
        "rounds": rounds,
        "machine": machine(),
        "methods": {
            name: {"heuristic": timed[name].origin, **engines} for name, engines in measured.items()
        },
    }
