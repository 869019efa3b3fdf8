"""What Table 3 is made of: parts (room, method, seed), each trained and tested on its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from phil.evaluation import Solver, evaluate, parse_method
from phil.heuristics.registry import SUFFIX
from phil.problems import open_set
from phil.problems.problem import ProblemSet
from phil.rooms import built_in_room, room_problem
from reproduction.legacy.kept import Kept, check_names
from reproduction.legacy.parts import Part
from reproduction.legacy.scores import score_json
from reproduction.legacy.table3.columns import COLUMNS
from reproduction.legacy.table3.rooms import ROOMS
from reproduction.legacy.training import round_to, train_once, trained_method, training_json

TIMED = 20  # problems
SMALL_SPLITS = {"train": 12, "validation": 4, "test": 4}


@dataclass(frozen=True, order=True)
class Cell:
    """One training or one unlearned method: a part of the table."""

    room: str
    method: str
    seed: int = 0

    @property
    def stem(self) -> str:
        """Of its files."""
        return f"{self.room}-{self.method}-{self.seed}"


@dataclass(frozen=True)
class Study(Kept):
    """What to run, and where it is kept."""

    experiment: ClassVar[str] = "table3"

    rooms: Sequence[str]
    methods: Sequence[str]
    seeds: int
    results: Path
    heuristics: Path  # of the trained files
    quick: bool = False

    def __post_init__(self) -> None:
        check_names("room", self.rooms, ROOMS)
        check_names("method of Table 3", self.methods, COLUMNS)

    def problems(self, room: str) -> ProblemSet:
        """The problems of a room, voxelised; in quick runs the first few of them."""
        return _opened(room, self.quick)

    def heuristic(self, cell: Cell) -> Path:
        """Where a trained heuristic is kept."""
        return self.heuristics / self.name / f"{cell.stem}{SUFFIX}"

    def part(self, cell: Cell) -> Part:
        """One method in one room; unlearned methods have no seeds but 0."""
        make = _learned_part if COLUMNS[cell.method].learned else _unlearned_part
        return Part(self.folder / f"{cell.stem}.json", partial(make, self, cell))

    def problems_part(self, room: str) -> Part:
        """What is known of a room's problems, and the test problems themselves."""
        return Part(self.folder / f"{room}-problems.json", partial(_problems_part, self, room))

    def times_part(self, cell: Cell) -> Part:
        """The milliseconds of a method in a voxelised room."""
        path = self.folder / f"{cell.room}-{cell.method}-times.json"
        return Part(path, partial(_times_part, self, cell))

    def cells(self) -> list[Cell]:
        """All that is to be run: first what learns nothing, then all trainings seed by seed."""
        found = [
            Cell(room, method, seed)
            for seed in range(self.seeds)
            for method in self.methods
            for room in self.rooms
            if seed == 0 or COLUMNS[method].learned
        ]
        return sorted(found, key=lambda cell: COLUMNS[cell.method].learned)

    def parts(self) -> list[Part]:
        """All parts that may run side by side."""
        return [
            *(self.problems_part(room) for room in self.rooms),
            *(self.part(cell) for cell in self.cells()),
        ]

    def times_parts(self) -> list[Part]:
        """The parts that must run while nothing else does."""
        return [self.times_part(cell) for cell in self.cells() if cell.seed == 0]


@cache
def _opened(room: str, quick: bool) -> ProblemSet:
    # Kept while the process lives: many parts are of one room.
    if not quick:
        return open_set(f"rooms/{room}")
    return ProblemSet(
        f"rooms/{room}",
        **{
            split: tuple(room_problem(room, split, number).problem for number in range(count))
            for split, count in SMALL_SPLITS.items()
        },
    )


def method_of(study: Study, cell: Cell) -> Solver:
    """The method of a cell, its heuristic trained if it has one."""
    column = COLUMNS[cell.method]
    if not column.learned:
        return parse_method(column.text)
    return trained_method(column, train_part(study, cell))


def train_part(study: Study, cell: Cell) -> Path:
    """Train the heuristic of a cell unless its file is there."""
    problems, column = study.problems(cell.room), COLUMNS[cell.method]
    return train_once(study.heuristic(cell), problems, column, cell.seed, quick=study.quick)


def _unlearned_part(study: Study, cell: Cell) -> dict[str, Any]:
    [score] = evaluate(study.problems(cell.room).test, [method_of(study, cell)])
    return {**asdict(cell), "test": score_json(score)}


def _learned_part(study: Study, cell: Cell) -> dict[str, Any]:
    file = train_part(study, cell)
    [score] = evaluate(study.problems(cell.room).test, [method_of(study, cell)])
    return {**asdict(cell), **training_json(file), "test": score_json(score)}


def _problems_part(study: Study, room: str) -> dict[str, Any]:
    problems = study.problems(room)
    grids = [problem.graph for problem in problems.test if problem.graph.is_grid]
    furnished = built_in_room(room)
    return {
        "set": problems.name,
        "shape": list(furnished.shape),
        "voxel": furnished.voxel,
        "connectivity": grids[0].connectivity,
        "furnished_free": round_to(float(furnished.free.mean())),
        "free": round_to(float(np.mean([grid.free.mean() for grid in grids]))),
        "train": len(problems.train),
        "validation": len(problems.validation),
        "test": [[problem.start, problem.goal] for problem in problems.test],
    }


def _times_part(study: Study, cell: Cell) -> dict[str, Any]:
    problems = study.problems(cell.room).test[:TIMED]
    [score] = evaluate(problems, [method_of(study, cell)])
    return {
        **asdict(cell),
        "problems": len(problems),
        "milliseconds": round_to(score.milliseconds.mean),
    }
