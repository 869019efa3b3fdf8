"""What users hold is shown in one short line, or in a small table, without addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import networkx as nx
import numpy as np
import pytest

import phil
from phil.evaluation import MethodScore, Run, parse_method, summarize
from phil.graphs.formats.registry import formats
from phil.heuristics.function import FunctionHeuristic
from phil.heuristics.node_value import TableHeuristic
from phil.heuristics.novelty import Novelty
from phil.heuristics.registry import heuristics, shipped_names
from phil.problems.problem import join
from phil.search.guide import WithoutLoop
from phil.search.registry import searches

MOST = 500  # characters
LONG = "a very long name" * 100
GRID = phil.GridGraph(np.ones((201, 201), bool))
NETWORK = nx.relabel_nodes(nx.path_graph(300), lambda number: f"{LONG} {number}")


def graphs() -> Iterator[Any]:
    yield GRID
    yield phil.Graph.from_networkx(NETWORK)
    yield phil.networkx.convert(NETWORK)
    yield phil.ImplicitGraph(lambda node: [], lambda node: [0.0], dim=1)
    yield phil.ImplicitGraph(partial(max, 0))
    yield phil.ImplicitGraph.on_grid(lambda cell: [], (9, 9))
    numbers: phil.ImplicitGraph[int] = phil.ImplicitGraph(lambda node: [node + 1])
    yield numbers.discover(0, 1)


def problems() -> Iterator[Any]:
    yield phil.Problem(GRID, 0, 5, LONG)
    yield phil.Problem(NETWORK, f"{LONG} 0", f"{LONG} 9")
    yield phil.Problem(phil.ImplicitGraph(lambda node: []), LONG, (LONG, LONG))
    chosen = phil.open_set(GRID)
    twice = join(chosen.test, chosen.test)
    yield from (chosen, chosen.train, chosen.all, chosen.train[:300], twice)
    yield phil.ProblemSet(LONG)
    yield phil.ProblemSet("empty").train


def guides() -> Iterator[Any]:
    yield from heuristics().values()
    yield from map(phil.load, shipped_names())
    yield FunctionHeuristic(lambda node, goal: 0.0)
    yield FunctionHeuristic(max, LONG)
    yield TableHeuristic(np.zeros(10_000))
    yield from (Novelty(phil.load("zero")), WithoutLoop(phil.load("zero")))


def methods() -> Iterator[Any]:
    yield from (parse_method(search.example) for search in searches().values())
    yield parse_method("mha(phil:map, phil:forest, phil:mazes)")
    yield parse_method("hedge(phil:map)")


def results() -> Iterator[Any]:
    yield phil.search(GRID, 0, 201 * 201 - 1, "zero", trace=True)
    yield phil.search(GRID, 0, 200, "zero", limits=phil.Limits(expansions=3))
    result = phil.search(NETWORK, f"{LONG} 0", f"{LONG} 9", "zero")
    yield result
    run = Run(LONG, result, 1.0)
    yield from (run, MethodScore(LONG, (run,) * 1000), MethodScore("none", ()), summarize([1, 2]))
    yield phil.evaluate([phil.Problem(GRID, 0, 5, LONG)] * 9, ["bfs", "greedy(zero)"])


def settings() -> Iterator[Any]:
    yield from (phil.ASTAR, phil.Limits(expansions=3), phil.Outcome.SOLVED, *formats())


SHOWN = [*graphs(), *problems(), *guides(), *methods(), *results(), *settings()]


@pytest.mark.parametrize("shown", SHOWN, ids=lambda shown: type(shown).__name__)
def test_it_is_short_and_has_no_address(shown: object) -> None:
    text = repr(shown)
    assert len(text) < MOST, text
    assert not re.search(r"0x[0-9a-f]{6,}| object at |<function ", text), text
    assert all(line.isprintable() for line in text.splitlines())
    assert "\n" not in text or isinstance(shown, phil.evaluation.Evaluation)


def test_built_in_heuristics_are_shown_as_they_are_loaded() -> None:
    for heuristic in heuristics().values():
        if hasattr(heuristic, "__reduce__") and repr(heuristic).startswith("phil."):
            assert eval(repr(heuristic)) is heuristic
    assert repr(phil.load("euclidean")) == "phil.load('euclidean')"
