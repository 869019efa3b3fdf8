"""Table 2: sets of graphs, each in several tiers of features, by methods."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from phil.graphs import Graph
from phil.graphs.features import parse_recipe
from phil.problems import open_set
from phil.problems.problem import Problem, ProblemSet
from phil.problems.syntax_trees import projects
from reproduction.experiment import Document, Request, Value
from reproduction.grid import TIMED, Grid, Trial
from reproduction.markup import Section, round_to
from reproduction.methods import MethodSpec
from reproduction.page import Page
from reproduction.runner import Part
from reproduction.scores import over_reference
from reproduction.store import Content, Parts
from reproduction.table2 import page
from reproduction.table2.methods import (
    BOTH_ENDS,
    LONGER,
    METHODS,
    OF_LANDMARKS,
    PAPER,
    PHIL,
    REFERENCE,
    WITHOUT_FEATURES,
)
from reproduction.table2.pictures import city_picture, road_searches
from reproduction.table2.sets import FIRST, QUICK_SETS, SETS, TIERS, TableSet
from reproduction.table2.small_sets import small_set


class Table2(Grid):
    """PHIL and its rivals on graphs; a row is a set in a tier of features."""

    name = "table2"
    title = "Table 2: graphs"
    options = ("sets", "tiers", "methods")
    methods = METHODS
    references = (REFERENCE, "oracle")

    def sets(self, request: Request) -> tuple[str, ...]:
        """The sets that are asked for."""
        return request.chosen("sets", "set of Table 2", known_sets(quick=request.quick))

    def rows(self, request: Request) -> list[str]:
        """Sets in tiers, such as `cora-1`."""
        tiers = request.chosen("tiers", "tier", TIERS)
        known = known_sets(quick=request.quick)
        return [
            row_name(name, tier)
            for name in self.sets(request)
            for tier in known[name].tiers
            if tier in tiers
        ]

    def problems(self, request: Request, row: str) -> ProblemSet:
        """The problems of a set, on graphs with their own features."""
        name, _ = _set_and_tier(row)
        opened = known_sets(quick=request.quick)[name].opened
        return _opened(opened, request.data, request.quick)

    def about(self, row: str) -> dict[str, str]:
        """The set and the tier."""
        name, tier = _set_and_tier(row)
        return {"set": name, "tier": tier}

    def features(self, row: str) -> str:
        """Those of the tier."""
        return TIERS[_set_and_tier(row)[1]].recipe

    def tests(self, request: Request, trial: Trial) -> Sequence[Problem]:
        """The test problems; a learned heuristic adds its features itself."""
        problems = self.problems(request, trial.row).test
        if METHODS[trial.method].learned:
            return problems
        return ProblemSet(trial.row, test=problems).with_features(self.features(trial.row)).test

    def spec(self, trial: Trial) -> MethodSpec:
        """PHIL has more iterations where they take little."""
        spec, name = METHODS[trial.method], _set_and_tier(trial.row)[0]
        if trial.method in (PHIL.name, BOTH_ENDS) and name in SETS and SETS[name].trains_fast:
            return replace(spec, settings={**spec.settings, **LONGER})
        return spec

    def is_run(self, trial: Trial) -> bool:
        """What learns only in the first tier and in the best one, landmarks where there are any.

        The paper's PHIL, and what ignores features, only in the first tier; PHIL from both ends
        only in the best one.
        """
        name, tier = _set_and_tier(trial.row)
        best = tier == (SETS | QUICK_SETS)[name].best_tier
        if trial.method == BOTH_ENDS:
            return best
        if trial.method in (PAPER, *WITHOUT_FEATURES):
            return tier == FIRST
        if METHODS[trial.method].learned:
            return best or tier == FIRST
        return trial.method not in OF_LANDMARKS or "landmarks" in self.features(trial.row)

    def urgency(self, request: Request, trial: Trial) -> tuple[int, ...]:
        """First what ratios and limits are made of; then PHIL in the best tiers.

        Then all that learns nothing; then, seed by seed, PHIL and its rivals in the first tiers and
        the best ones, and in those between.
        """
        name, tier = _set_and_tier(trial.row)
        best = tier == known_sets(quick=request.quick)[name].best_tier
        if tier == FIRST and trial.method in (REFERENCE, "bfs", "oracle"):
            return 0, 0, 0
        if trial.method == "phil" and best:
            return 1, trial.seed, 0
        if not METHODS[trial.method].learned:
            return 2, 0, 0
        return 3, trial.seed, 0 if best or tier == FIRST else 1

    def problem_parts(self, request: Request) -> list[Part]:
        """The sizes of the graphs, and the test problems themselves."""
        return [
            Part(f"{name}-problems", partial(self._problems, request, name))
            for name in self.sets(request)
        ]

    def timed_parts(self, request: Request) -> list[Part]:
        """What features cost, then the milliseconds of every method."""
        rows = sorted(row for row in self.rows(request) if self.features(row))
        features = [Part(f"{row}-features", partial(self._features, request, row)) for row in rows]
        return features + super().timed_parts(request)

    def assemble(self, parts: Parts, *, quick: bool) -> Document:
        """Ratios to greedy Euclidean on the paper's features, and all else."""
        return {
            "titles": self.titles(),
            "tiers": {
                name: {"title": tier.title, "recipe": tier.recipe} for name, tier in TIERS.items()
            },
            "sets": {
                row.name: self._set(parts, row)
                for row in known_sets(quick=quick).values()
                if f"{row.name}-problems" in parts
                and all(
                    self.runs(parts, row_name(row.name, FIRST), method)
                    for method in (REFERENCE, "oracle")
                )
            },
        }

    def page(self, document: Document, request: Request) -> Page:
        """Ratios, costs, times, features, trainings, and a city."""
        searches = road_searches(self, request)
        return Page(
            page.TITLE,
            document["command"],
            [*page.sections(document), page.curves(document), city_picture(searches)],
            METHODS["phil"].title,
            files={
                f"roads-{search.method}.geojson": (json.dumps(search.geojson()) + "\n").encode()
                for search in searches
            },
        )

    def values(self, document: Document) -> dict[str, Value]:
        """Mean expansions."""
        titles, tiers = document["titles"], document["tiers"]
        return {
            f"{name}, {tiers[tier]['title']}, {titles[method]}": Value.of_expansions(summary)
            for name, row in document["sets"].items()
            for tier, found in row["tiers"].items()
            for method, summary in found["methods"].items()
        }

    def summary(self, document: Document) -> Section:
        """PHIL's ratios."""
        return page.ratios(document)

    def _set(self, parts: Parts, row: TableSet) -> dict[str, Any]:
        first = row_name(row.name, FIRST)
        reference = parts[Trial(first, REFERENCE).name]["test"]["expansions"]
        tiers: dict[str, dict[str, Any]] = {}
        for tier in row.tiers:
            name = row_name(row.name, tier)
            methods = self.summaries(parts, name)
            for method, summary in methods.items():
                tests = [run["test"] for run in self.runs(parts, name, method)]
                summary |= over_reference(tests, reference)
                compared = tier == FIRST and not row.other
                summary["printed"] = row.printed.get(method) if compared else None
            features = parts.get(f"{name}-features")
            seconds = None if features is None else features["seconds"]
            tiers[tier] = {"feature_seconds": seconds, "methods": methods}
        return {
            "problems": parts[f"{row.name}-problems"],
            "printed": dict(row.printed),
            "printed_for": row.other,
            "limit": tiers[FIRST]["methods"]["oracle"]["ratio"],
            "tiers": tiers,
        }

    def _problems(self, request: Request, name: str) -> Content:
        problems = self.problems(request, row_name(name, FIRST))
        prefix = f"{problems.name}/test/"
        graphs = _graphs(problems)
        found = {
            "set": problems.name,
            "train": len(problems.train),
            "validation": len(problems.validation),
            "graphs": len(graphs),
            "nodes": sum(graph.size for graph in graphs) / len(graphs),
            "edges": sum(graph.indices.size for graph in graphs) / (2 * len(graphs)),
            "features": list(problems.test[0].graph.feature_names),
            # The name tells the graph, where a set has many.
            "test": [[p.name.removeprefix(prefix), p.start, p.goal] for p in problems.test],
        }
        if problems.name.startswith("syntax_trees/"):
            found["projects"] = [list(astuple(project)) for project in projects()]
        return found

    def _features(self, request: Request, row: str) -> Content:
        """Seconds to compute each feature of a tier for one graph, without what is on the disk."""
        graphs = _graphs(self.problems(request, row))[:TIMED]
        seconds = {}
        for item in parse_recipe(self.features(row)):
            began = time.perf_counter()
            for graph in graphs:
                item.feature.values(item.feature.compute(graph, item.k))
            seconds[str(item)] = round_to((time.perf_counter() - began) / len(graphs))
        return {**self.about(row), "graphs": len(graphs), "seconds": seconds}


TABLE2 = Table2()


def known_sets(*, quick: bool) -> Mapping[str, TableSet]:
    """The sets there are: public ones, or small generated ones."""
    return QUICK_SETS if quick else SETS


def row_name(name: str, tier: str) -> str:
    """The row of a set in a tier."""
    return f"{name}-{tier}"


def _set_and_tier(row: str) -> tuple[str, str]:
    name, _, tier = row.rpartition("-")
    return name, tier


def _graphs(problems: ProblemSet) -> list[Graph]:
    """The graphs of the test problems, each once."""
    found = {id(p.graph): p.graph for p in problems.test}.values()
    return [graph for graph in found if not graph.is_grid]


@cache
def _opened(name: str, data: Path | None, quick: bool) -> ProblemSet:
    # Kept while the process lives: many parts are of one set, and some take long to open.
    return _in_moves(small_set(name) if quick else open_set(name, data=data))


def _in_moves(problems: ProblemSet) -> ProblemSet:
    """The same problems where every edge costs 1: what counts in this table is expansions."""
    plain: dict[int, Graph] = {}

    def unit(problem: Problem) -> Problem:
        graph = problem.graph
        if graph.is_grid or graph.weights is None:
            return problem
        return replace(problem, graph=plain.setdefault(id(graph), graph.without_weights()))

    return problems.map(unit)
