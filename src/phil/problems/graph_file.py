"""Problems on the one graph of a file, of any format."""

from __future__ import annotations

from pathlib import Path

from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.graphs.formats import read_graph
from phil.problems.pairs import graph_problems
from phil.problems.problem import ProblemSet
from phil.problems.single_graph import single_graph_set

VALIDATION_SHARE = 10  # training pairs for one validation pair


def open_graph_file(
    path: Path, *, pairs: str | None = None, seed: int = 0, count: int | None = None
) -> ProblemSet:
    """The problems of a graph file.

    `random` pairs, which is what None means, are 600 to learn from, 60 to choose by and 100 to
    report; with `count`, as many to learn from as to report, and a tenth of that to choose by. The
    `corners` of a map are one problem, to report.
    """
    return one_graph_set(str(path), read_graph(path), pairs, seed, count)


def one_graph_set(
    name: str, graph: AnyGraph, pairs: str | None, seed: int, count: int | None
) -> ProblemSet:
    """The problems of one graph, as `open_graph_file` says."""
    if pairs == "corners":
        file = Path(name)
        return ProblemSet(
            name, test=graph_problems(graph, str(file.parent), file.name, pairs, count=count)
        )
    if count is None:
        return single_graph_set(name, graph, seed=seed)
    if count < 1:
        raise InputError(f"--count must be at least 1, not {count}")
    return single_graph_set(
        name,
        graph,
        seed=seed,
        train_pairs=count,
        validation_pairs=max(1, count // VALIDATION_SHARE),
        test_pairs=count,
    )
