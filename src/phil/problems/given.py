"""Problem sets from what users hold in memory: a graph, several graphs, or problems."""

from __future__ import annotations

from typing import Any

from phil.arguments import is_iterable
from phil.errors import InputError, quoted
from phil.graphs.checks import GRAPH
from phil.problems.folder import graphs_set
from phil.problems.pairs import single_graph_set, split_problems
from phil.problems.problem import (
    PROBLEMS,
    VALIDATION_SHARE,
    Problem,
    ProblemSet,
    check_known,
    shuffled_split,
)

NAME = "given"  # of a set that comes from no file


def given_set(
    given: Any, *, pairs: str | None = None, seed: int = 0, count: int | None = None
) -> ProblemSet:
    """The problems of a graph (random pairs, or corners), of several graphs, or those given.

    Several graphs are split 80/10/10, as the files of a folder are. Of problems, one in ten, the
    last ones, is for validation, and the others for training; a single one is a test problem.
    """
    if isinstance(given, ProblemSet):
        return _as_they_are(given, pairs, count)
    if isinstance(given, Problem):
        return _as_they_are(ProblemSet(NAME, test=(given,)), pairs, count)
    if isinstance(given, list | tuple) and len(given):
        if PROBLEMS.fits(given):
            check_known(given, "a problem set")
            held_out = -(-len(given) // (VALIDATION_SHARE + 1)) if len(given) > 1 else 0
            first = len(given) - held_out
            problems = ProblemSet(NAME, train=tuple(given[:first]), validation=tuple(given[first:]))
            return _as_they_are(problems, pairs, count)
        if not _is_map(given):
            return _several(given, pairs, seed, count)
    graph = GRAPH.take(given, "a problem set")
    if pairs == "corners":
        return ProblemSet(NAME, test=split_problems({"map": graph}, NAME, pairs, seed, count))
    return single_graph_set(NAME, graph, seed=seed, count=count)


def _as_they_are(problems: ProblemSet, pairs: str | None, count: int | None) -> ProblemSet:
    if pairs is not None or count is not None:
        raise InputError("these problems have their starts and goals; leave out pairs and count")
    return problems


def _is_map(given: Any) -> bool:
    """Whether nested lists are the rows of a map rather than graphs."""
    return is_iterable(given[0]) and not hasattr(given[0], "ndim") and not GRAPH.fits(given[0])


def _several(given: Any, pairs: str | None, seed: int, count: int | None) -> ProblemSet:
    for place, each in enumerate(given):
        if isinstance(each, Problem):
            raise InputError(f"either problems or graphs, not both: item {place} is {quoted(each)}")
    graphs = {str(place): GRAPH.take(each, f"item {place}") for place, each in enumerate(given)}
    splits = {
        split: {name: graphs[name] for name in sorted(names, key=int)}
        for split, names in shuffled_split(graphs).items()
    }
    return graphs_set(NAME, splits, pairs=pairs, seed=seed, count=count)
