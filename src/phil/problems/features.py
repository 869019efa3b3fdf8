"""Features added to all graphs of a problem set (see `phil.graphs.features`)."""

from __future__ import annotations

from dataclasses import replace

from phil.errors import InputError
from phil.graphs.features import add_features
from phil.problems.problem import Problem, ProblemSet


def with_features(problems: ProblemSet, recipe: str) -> ProblemSet:
    """The same problems on graphs that have the features of a recipe too.

    >>> graph = Graph.from_edges(3, [(0, 1), (1, 2)])
    >>> some = ProblemSet("mine", test=(Problem(graph, 0, 2),))
    >>> with_features(some, "degree").test[0].graph.feature_names
    ('degree',)
    """
    if not recipe:
        return problems
    train, validation, test = (
        tuple(_richer(problem, recipe) for problem in problems.split(split))
        for split in ("train", "validation", "test")
    )
    return ProblemSet(problems.name, train, validation, test)


def _richer(problem: Problem, recipe: str) -> Problem:
    if problem.graph.is_grid:
        raise InputError(
            f"features '{recipe}' are added to general graphs; the cells of a map have their "
            "coordinates alone"
        )
    return replace(problem, graph=add_features(problem.graph, recipe))
