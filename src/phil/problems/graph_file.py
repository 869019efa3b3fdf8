"""Problems on the one graph of a file, of any format."""

from __future__ import annotations

from pathlib import Path

from phil.graphs.formats import read_graph
from phil.problems.pairs import split_problems
from phil.problems.problem import ProblemSet
from phil.problems.single_graph import single_graph_set


def open_graph_file(
    path: Path, *, pairs: str | None = None, seed: int = 0, count: int | None = None
) -> ProblemSet:
    """The problems of a graph file.

    `random` pairs, which is what None means, are 600 to learn from, 60 to choose by and 100 to
    report, or what `count` makes of that. The `corners` of a map are one problem, to report.
    """
    graph = read_graph(path)
    if pairs == "corners":
        corners = split_problems({path.name: graph}, str(path.parent), pairs, seed, count)
        return ProblemSet(str(path), test=corners)
    return single_graph_set(str(path), graph, seed=seed, count=count)
