"""What Table 2 is made of: parts (set, tier, method, seed), each trained and tested on its own."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar

from phil.evaluation import Solver, evaluate, parse_method
from phil.graphs import Graph
from phil.graphs.features import parse_recipe
from phil.heuristics.registry import SUFFIX
from phil.problems import open_set
from phil.problems.problem import Problem, ProblemSet
from phil.problems.syntax_trees import projects
from reproduction.legacy.columns import Column
from reproduction.legacy.kept import Kept, check_names
from reproduction.legacy.parts import Part
from reproduction.legacy.scores import score_json
from reproduction.legacy.table2.columns import (
    COLUMNS,
    OF_LANDMARKS,
    REFERENCE,
    WITHOUT_FEATURES,
)
from reproduction.legacy.table2.sets import FIRST, QUICK_SETS, SETS, TIERS, TableSet
from reproduction.legacy.table2.small_sets import small_set
from reproduction.legacy.training import round_to, train_once, trained_method, training_json

TIMED = 20  # problems, and graphs whose features are timed


@dataclass(frozen=True, order=True)
class Cell:
    """One training or one unlearned method: a part of the table."""

    set: str
    tier: str
    method: str
    seed: int = 0

    @property
    def stem(self) -> str:
        """Of its files."""
        return f"{self.set}-{self.tier}-{self.method}-{self.seed}"


@dataclass(frozen=True)
class Study(Kept):
    """What to run, and where it is kept."""

    experiment: ClassVar[str] = "table2"

    sets: Sequence[str]
    tiers: Sequence[str]
    methods: Sequence[str]
    seeds: int
    data: Path | None
    results: Path
    heuristics: Path  # of the trained files
    quick: bool = False

    def __post_init__(self) -> None:
        check_names("set of Table 2", self.sets, self.known)
        check_names("tier", self.tiers, TIERS)
        check_names("method of Table 2", self.methods, COLUMNS)

    @property
    def known(self) -> dict[str, TableSet]:
        """The sets there are."""
        return QUICK_SETS if self.quick else SETS

    def problems(self, name: str) -> ProblemSet:
        """The problems of a set, on graphs with their own features."""
        return _opened(self.known[name].opened, self.data, self.quick)

    def heuristic(self, cell: Cell) -> Path:
        """Where a trained heuristic is kept."""
        return self.heuristics / self.name / f"{cell.stem}{SUFFIX}"

    def part(self, cell: Cell) -> Part:
        """One method on one set and tier; unlearned methods have no seeds but 0."""
        make = _learned_part if COLUMNS[cell.method].learned else _unlearned_part
        return Part(self.folder / f"{cell.stem}.json", partial(make, self, cell))

    def problems_part(self, name: str) -> Part:
        """What is known of a set's problems, and the test problems themselves."""
        return Part(self.folder / f"{name}-problems.json", partial(_problems_part, self, name))

    def times_part(self, cell: Cell) -> Part:
        """The milliseconds of a method on a set and tier."""
        path = self.folder / f"{cell.set}-{cell.tier}-{cell.method}-times.json"
        return Part(path, partial(_times_part, self, cell))

    def features_part(self, name: str, tier: str) -> Part:
        """What the features of a tier cost on a set."""
        path = self.folder / f"{name}-{tier}-features.json"
        return Part(path, partial(_features_part, self, name, tier))

    def cells(self) -> list[Cell]:
        """All that is to be run, in the order in which it is of use.

        First what ratios and limits are made of; then PHIL in the best tiers; all that learns
        nothing; then, seed by seed, PHIL and its rivals in the first tiers and the best ones, and
        in those between.
        """
        found = [
            Cell(name, tier, method, seed)
            for seed in range(self.seeds)
            for method in self.methods
            for name in self.sets
            for tier in self.known[name].tiers
            if tier in self.tiers and self._is_run(Cell(name, tier, method, seed))
        ]
        return sorted(found, key=self._urgency)

    def parts(self) -> list[Part]:
        """All parts that may run side by side."""
        return [
            *(self.problems_part(name) for name in self.sets),
            *(self.part(cell) for cell in self.cells()),
        ]

    def times_parts(self) -> list[Part]:
        """The parts that must run while nothing else does."""
        cells = sorted(cell for cell in self.cells() if cell.seed == 0)
        tiers = sorted({(cell.set, cell.tier) for cell in cells if TIERS[cell.tier].recipe})
        return [
            *(self.features_part(name, tier) for name, tier in tiers),
            *(self.times_part(cell) for cell in cells),
        ]

    def _is_run(self, cell: Cell) -> bool:
        if cell.seed > 0 and not COLUMNS[cell.method].learned:
            return False
        if cell.method in WITHOUT_FEATURES:
            return cell.tier == FIRST
        return cell.method not in OF_LANDMARKS or "landmarks" in TIERS[cell.tier].recipe

    def _urgency(self, cell: Cell) -> tuple[int, int, int]:
        best = cell.tier == self.known[cell.set].best_tier
        if cell.tier == FIRST and cell.method in (REFERENCE, *WITHOUT_FEATURES):
            return 0, 0, 0
        if cell.method == "phil" and best:
            return 1, cell.seed, 0
        if not COLUMNS[cell.method].learned:
            return 2, 0, 0
        return 3, cell.seed, 0 if best or cell.tier == FIRST else 1


@cache
def _opened(name: str, data: Path | None, quick: bool) -> ProblemSet:
    # Kept while the process lives: many parts are of one set, and some take long to open.
    return _in_moves(small_set(name) if quick else open_set(name, data=data))


def _in_moves(problems: ProblemSet) -> ProblemSet:
    """The same problems where every edge costs 1: what counts in this table are expansions."""
    plain: dict[int, Graph] = {}

    def unit(problem: Problem) -> Problem:
        graph = problem.graph
        if graph.is_grid or graph.weights is None:
            return problem
        return replace(problem, graph=plain.setdefault(id(graph), graph.without_weights()))

    train, validation, test = (
        tuple(unit(problem) for problem in problems.split(split))
        for split in ("train", "validation", "test")
    )
    return ProblemSet(problems.name, train, validation, test)


def method_of(study: Study, cell: Cell) -> Solver:
    """The method of a cell, its heuristic trained if it has one."""
    column = COLUMNS[cell.method]
    if not column.learned:
        return parse_method(column.text)
    return trained_method(column, train_part(study, column, cell))


def test_problems(study: Study, cell: Cell) -> tuple[Problem, ...]:
    """The test problems as a method needs them: a learned heuristic adds its features itself."""
    problems = study.problems(cell.set)
    if COLUMNS[cell.method].learned:
        return problems.test
    return ProblemSet(cell.set, test=problems.test).with_features(TIERS[cell.tier].recipe).test


def train_part(study: Study, column: Column, cell: Cell) -> Path:
    """Train the heuristic of a cell unless its file is there."""
    return train_once(
        study.heuristic(cell),
        study.problems(cell.set),
        column,
        cell.seed,
        quick=study.quick,
        features=TIERS[cell.tier].recipe,
    )


def _unlearned_part(study: Study, cell: Cell) -> dict[str, Any]:
    [score] = evaluate(test_problems(study, cell), [method_of(study, cell)])
    return {**asdict(cell), "test": score_json(score)}


def _learned_part(study: Study, cell: Cell) -> dict[str, Any]:
    file = train_part(study, COLUMNS[cell.method], cell)
    [score] = evaluate(test_problems(study, cell), [method_of(study, cell)])
    return {**asdict(cell), **training_json(file), "test": score_json(score)}


def _problems_part(study: Study, name: str) -> dict[str, Any]:
    problems = study.problems(name)
    prefix = f"{problems.name}/test/"
    graphs = list({id(p.graph): p.graph for p in problems.test}.values())
    assert all(not graph.is_grid for graph in graphs)
    found = {
        "set": problems.name,
        "train": len(problems.train),
        "validation": len(problems.validation),
        "graphs": len(graphs),
        "nodes": sum(graph.size for graph in graphs) / len(graphs),
        "edges": sum(graph.indices.size for graph in graphs if not graph.is_grid)
        / (2 * len(graphs)),
        "features": list(problems.test[0].graph.feature_names),
        # The name tells the graph, where a set has many.
        "test": [[p.name.removeprefix(prefix), p.start, p.goal] for p in problems.test],
    }
    if problems.name.startswith("syntax_trees/"):
        found["projects"] = [list(astuple(project)) for project in projects()]
    return found


def _times_part(study: Study, cell: Cell) -> dict[str, Any]:
    problems = test_problems(study, cell)[:TIMED]
    [score] = evaluate(problems, [method_of(study, cell)])
    return {
        **asdict(cell),
        "problems": len(problems),
        "milliseconds": round_to(score.milliseconds.mean),
    }


def _features_part(study: Study, name: str, tier: str) -> dict[str, Any]:
    """Seconds to compute each feature of a tier for one graph, without what is on the disk."""
    graphs = list({id(p.graph): p.graph for p in study.problems(name).test}.values())[:TIMED]
    seconds = {}
    for item in parse_recipe(TIERS[tier].recipe):
        began = time.perf_counter()
        for graph in graphs:
            assert not graph.is_grid
            item.feature.values(item.feature.compute(graph, item.k))
        seconds[str(item)] = round_to((time.perf_counter() - began) / len(graphs))
    return {"set": name, "tier": tier, "graphs": len(graphs), "seconds": seconds}
