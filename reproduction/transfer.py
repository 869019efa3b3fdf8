"""How far a heuristic carries: other families, larger maps, random starts and goals.

A heuristic for every family, and two that learned on all families together, one of them from random
starts and goals, are run on the test maps of all families under three conditions. They learn by
imitation alone, which takes an eighth of the time. What each input is worth elsewhere is shown by
the experiment `carry`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from phil.evaluation import Method, Solver, evaluate, parse_method
from phil.heuristics.registry import SUFFIX, read_any
from phil.problems import open_set
from phil.problems.generated import FAMILIES, generate_maps
from phil.problems.pairs import map_problem
from phil.problems.problem import ALL, Problem, ProblemSet
from phil.search import GREEDY
from reproduction.experiment import Document, Experiment, Request, Value
from reproduction.markup import Section, whole
from reproduction.methods import train_once
from reproduction.page import Page
from reproduction.runner import Part, Stage
from reproduction.scores import mean, mean_calls, score_json
from reproduction.sections import CALLS, CellWriter, table
from reproduction.store import Content, Parts
from reproduction.table1.methods import METHODS
from reproduction.table1.table import SMALL_SIDE, TABLE1, has_path, small_set

CORNERS, LARGE, RANDOM = "corners", "large", "random"
CONDITIONS = {
    CORNERS: "The test maps of Table 1, bottom-left to top-right: the problems that the "
    "heuristics of single families were trained for.",
    LARGE: "Generated maps of twice the side, bottom-left to top-right.",
    RANDOM: "The test maps of Table 1, start and goal drawn at random.",
}
UNLEARNED = {"euclidean": "greedy(euclidean)", "astar": "astar(euclidean)", "oracle": "oracle"}
ALL_RANDOM = "all, random pairs"
ROWS = (*FAMILIES, ALL, ALL_RANDOM, *UNLEARNED)
TITLES = {
    CORNERS: "Other families",
    LARGE: "Larger maps",
    RANDOM: "Random starts and goals",
    "euclidean": "greedy Euclidean",
    "astar": "A*",
    "oracle": "shortest path",
}
SIDE = 201  # of the public maps
SPEC = METHODS["phil_imitation"]
LARGE_MAPS, QUICK_LARGE_MAPS, LARGE_SEED = 20, 2, 1


class Transfer(Experiment):
    """A row: what a heuristic learned from, or an unlearned method, on all families."""

    name = "transfer"
    title = "Transfer: other families, larger maps, random starts and goals"
    options = ("families",)

    def stages(self, request: Request) -> list[Stage]:
        """A part per row."""
        rows = (*TABLE1.rows(request), ALL, ALL_RANDOM, *UNLEARNED)
        return [Stage([Part(_name(row), partial(self._row, request, row)) for row in rows])]

    def assemble(self, parts: Parts, *, quick: bool) -> Document:
        """All rows that are there, on the families that all of them were run on."""
        rows = {row: parts[_name(row)] for row in ROWS if _name(row) in parts}
        return {
            "families": [
                family
                for family in FAMILIES
                if rows and all(family in row[CORNERS] for row in rows.values())
            ],
            "rows": rows,
        }

    def page(self, document: Document, request: Request) -> Page:
        """A table for each condition."""
        lead = Section(
            "What is shown",
            [
                f"Made by `{document['command']}`. Mean expansions, greedy search. Rows: what the "
                "heuristic learned from (`all` and `all, random pairs`: a share of every family, "
                "as many maps as the others); then methods that learn nothing, and the shortest "
                "path. Columns: the family of the test maps. Maps without a path are left out. The "
                "heuristics are trained by imitation alone, as in the second column of "
                "[Table 1](table1.md), once each. See [Carrying over](carry.md) for a heuristic "
                "that was made for any map.",
                f"Below each table, the mean calls of the same searches. {CALLS}",
            ],
        )
        tables = [
            write(document, condition) for condition in CONDITIONS for write in (_table, _calls)
        ]
        return Page(self.title, document["command"], [lead, *tables])

    def values(self, document: Document) -> dict[str, Value]:
        """Mean expansions."""
        return {
            f"{row}, {condition}, {family}": Value(mean(found[condition][family]["expansions"]))
            for row, found in document["rows"].items()
            for condition in CONDITIONS
            for family in document["families"]
        }

    def summary(self, document: Document) -> Section:
        """The table of other families."""
        return _table(document, CORNERS)

    def problems(self, request: Request, family: str, condition: str) -> Sequence[Problem]:
        """The test problems of a family under a condition."""
        if condition == LARGE:
            side = 2 * (SMALL_SIDE if request.quick else SIDE) - 1
            count = QUICK_LARGE_MAPS if request.quick else LARGE_MAPS
            maps = generate_maps(family, count, LARGE_SEED, "test", (side, side))
            return [map_problem(free, f"large/{family}", str(k)) for k, free in enumerate(maps)]
        if request.quick:
            return small_set(family, condition).test
        return open_set(f"grids/{family}", data=request.data, pairs=condition).test

    def _row(self, request: Request, row: str) -> Content:
        solver = _solver(request, row)
        found: Content = {}
        for condition in CONDITIONS:
            found[condition] = {}
            for family in TABLE1.rows(request):
                solvable = [*filter(has_path, self.problems(request, family, condition))]
                [score] = evaluate(solvable, [solver])
                found[condition][family] = score_json(score)
        return found


TRANSFER = Transfer()


def _name(row: str) -> str:
    return row.replace(", ", "-").replace(" ", "_")


def _solver(request: Request, row: str) -> Solver:
    if row in UNLEARNED:
        return parse_method(UNLEARNED[row])
    if row in (ALL, ALL_RANDOM):
        file = _train_on_all(request, RANDOM if row == ALL_RANDOM else CORNERS)
    else:
        file = _train(request, row, TABLE1.problems(request, row))
    return Method(row, GREEDY, read_any(file))


def _train_on_all(request: Request, pairs: str) -> Path:
    return _train(request, f"{ALL}-{pairs}", _all_problems(request, pairs))


def _train(request: Request, name: str, problems: ProblemSet) -> Path:
    file = request.heuristics / request.named("transfer") / f"{name}-0{SUFFIX}"
    return train_once(file, problems, SPEC, 0, quick=request.quick)


def _all_problems(request: Request, pairs: str) -> ProblemSet:
    """A share of every family."""
    if not request.quick:
        return open_set(f"grids/{ALL}", data=request.data, pairs=pairs)
    sets = [small_set(family, pairs) for family in TABLE1.rows(request)]
    return ProblemSet(
        ALL,
        train=tuple(problem for one in sets for problem in one.train),
        validation=tuple(problem for one in sets for problem in one.validation),
    )


def _table(document: Document, condition: str) -> Section:
    def expansions(family: str) -> CellWriter:
        return lambda row: whole(mean(row[condition][family]["expansions"]))

    return _by_family(document, TITLES[condition], CONDITIONS[condition], expansions)


def _calls(document: Document, condition: str) -> Section:
    def calls(family: str) -> CellWriter:
        return lambda row: whole(mean_calls(row[condition][family]))

    return _by_family(document, f"{TITLES[condition]}: calls", (), calls)


def _by_family(
    document: Document,
    title: str,
    text: str | Sequence[str],
    write: Callable[[str], CellWriter],
) -> Section:
    return table(
        title,
        text,
        {
            "learned from": "title",
            **{family: write(family) for family in document["families"]},
        },
        ({"title": TITLES.get(name, name), **row} for name, row in document["rows"].items()),
    )
