"""Every search with graphs, ends and heuristics in every form that users have them."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import phil

FREE = np.ones((6, 7), bool)
FREE[2, 1:] = False
GRID = phil.GridGraph(FREE)
ENDS = (0, 6), (5, 6)
SET = phil.ProblemSet("mine/set", (phil.Problem(GRID, 0, 1),), (phil.Problem(GRID, 0, 2),))
NETWORK = nx.relabel_nodes(nx.grid_2d_graph(4, 4), lambda cell: 10 * cell[0] + cell[1])


def distance(cell: tuple[int, int], goal: tuple[int, int]) -> float:
    return float(np.hypot(cell[0] - goal[0], cell[1] - goal[1]))


Search = Callable[..., Any]
SEARCHES: dict[str, Search] = {
    "search": phil.search,
    "anytime": lambda *given: next(phil.anytime(*given)),
    "hedge": lambda graph, start, goal, heuristic: phil.search_hedge(
        graph, start, goal, heuristic, "zero"
    ),
    "mha": lambda graph, start, goal, heuristic: phil.search_mha(
        graph, start, goal, [heuristic, "zero"]
    ),
    "one of mha": lambda *given: phil.search_mha(*given),
    "bidirectional": phil.search_bidirectional,
    "many": lambda graph, start, goal, heuristic: phil.search_many(
        graph, [(start, goal)], heuristic
    )[0],
    "problem": lambda graph, start, goal, heuristic: phil.evaluation.parse_method("astar").search(
        phil.Problem(graph, start, goal)
    ),
}


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_maps(search: Search, tmp_path: Path) -> None:
    phil.write_graph(tmp_path / "map.png", FREE)
    usual = search(GRID, *ENDS, phil.load("euclidean"))
    assert usual.solved
    for graph in (GRID, FREE, FREE.tolist(), tmp_path / "map.png", str(tmp_path / "map.png")):
        for heuristic in ("euclidean", phil.load("euclidean"), distance):
            result = search(graph, *ENDS, heuristic)
            assert result.path.tolist() == usual.path.tolist()
            assert result.expansions == usual.expansions
            assert result.cells == result.nodes == [GRID.cell(node) for node in usual.path]
            assert (result.cells[0], result.cells[-1]) == ENDS


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_networkx_graphs(search: Search) -> None:
    # Their nodes are integers that are not their ids.
    result = search(NETWORK, 11, 33, "zero")
    assert (result.nodes[0], result.nodes[-1]) == (11, 33)
    assert nx.is_path(NETWORK, result.nodes)
    with pytest.raises(phil.InputError, match="is not a node"):
        search(NETWORK, 11, 4, "zero")


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_labelled_graphs(search: Search) -> None:
    graph = phil.Graph.from_edges(3, [(0, 1), (1, 2)], labels=["a", "b", "c"])
    result = search(graph, "a", "c", "zero")
    assert result.path.tolist() == [0, 1, 2]
    assert result.nodes == ["a", "b", "c"]
    assert search(graph, 0, 2, "zero").nodes == ["a", "b", "c"]
    with pytest.raises(phil.InputError, match=r"cells; use result\.nodes"):
        result.cells  # noqa: B018
    with pytest.raises(phil.InputError, match="no node 'd'"):
        search(graph, "a", "d", "zero")


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_a_result_sent_elsewhere_keeps_its_names_but_not_the_graph(search: Search) -> None:
    for graph, ends in ((GRID, ENDS), (NETWORK, (11, 33))):
        result = search(graph, *ends, "zero")
        assert result.graph.num_nodes == (GRID.num_nodes if graph is GRID else 16)
        sent = pickle.loads(pickle.dumps(result))
        assert sent.graph is None
        assert sent.nodes == result.nodes
        assert pickle.loads(pickle.dumps(sent)).nodes == result.nodes
        if graph is GRID:
            assert sent.cells == result.cells


def test_results_on_implicit_grids_have_cells() -> None:
    grid = phil.ImplicitGraph.on_grid(lambda cell: [(0, cell[1] + 1)], (1, 5))
    result = phil.search(grid, (0, 0), (0, 3), "euclidean")
    assert result.cells == list(result.path) == [(0, 0), (0, 1), (0, 2), (0, 3)]
    numbers = phil.search(phil.ImplicitGraph(lambda node: [node + 1]), 0, 3, "zero")
    assert numbers.nodes == [0, 1, 2, 3]
    with pytest.raises(phil.InputError, match=r"use result\.nodes"):
        numbers.cells  # noqa: B018


@pytest.mark.parametrize("graph", [GRID, FREE], ids=["grid", "array"])
def test_a_method_by_name_searches(graph: Any) -> None:
    astar = phil.search(graph, *ENDS, "astar(octile)")
    assert astar.expansions == phil.search(GRID, *ENDS, "octile", key=phil.ASTAR).expansions
    assert phil.search(graph, *ENDS, "bfs").expansions > astar.expansions
    assert phil.search(graph, *ENDS, "greedy(zero)", bound=1.0).proven == 1.0
    with pytest.raises(phil.InputError, match="has a key of its own"):
        phil.search(graph, *ENDS, "astar(octile)", key=phil.GREEDY)
    with pytest.raises(phil.InputError, match="did you mean 'astar'"):
        phil.search(graph, *ENDS, "asta(octile)")


def test_methods_search_networkx_and_implicit_graphs() -> None:
    assert phil.search(NETWORK, 11, 33, "astar(zero)").path[0] == 11
    implicit = phil.ImplicitGraph(lambda node: [node + 1])
    assert phil.search(implicit, 0, 3, "bfs").path == (0, 1, 2, 3)


def test_problems_on_implicit_graphs_are_evaluated() -> None:
    implicit = phil.ImplicitGraph(lambda node: [node + 1])
    problem = phil.Problem(implicit, 0, 3)
    assert repr(problem).startswith("Problem('', 0 -> 3 on ImplicitGraph(")
    [score] = phil.evaluate(problem, "bfs")
    assert score.expansions.mean == 4
    assert score.cost_ratio.mean is None
    with pytest.raises(phil.InputError, match="start"):
        phil.Problem(implicit, [], 3)


def test_evaluate_takes_names_graphs_and_functions(tmp_path: Path) -> None:
    scores = phil.evaluate(GRID, ["astar", "greedy(octile)", phil.load("zero"), distance])
    assert [score.method for score in scores] == ["astar", "greedy(octile)", "zero", "distance"]
    assert {score.problems for score in scores} == {100}
    phil.write_graph(tmp_path / "map.png", GRID)
    [score] = phil.evaluate(str(tmp_path / "map.png"), "zero")
    assert score.expansions == scores[2].expansions


@pytest.mark.parametrize("heuristic", ["euclidian", "no.safetensors", Path("no.safetensors")])
def test_unknown_heuristics_are_told(heuristic: Any) -> None:
    with pytest.raises(phil.InputError, match=r"did you mean 'euclidean'|no heuristic file no\."):
        phil.search(GRID, *ENDS, heuristic)


@pytest.mark.parametrize("given", ["name", "file", "grid", "array", "network", "problems", "maps"])
@pytest.mark.parametrize("output", ["x.safetensors", Path("x.safetensors"), None])
def test_training_takes_problems_and_outputs_in_any_form(
    given: str, output: str | Path | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("phil.problems.registry._registered", {"mine/set": lambda _: SET})
    phil.write_graph("map.png", GRID)
    forms: dict[str, Any] = {
        "name": "mine/set",
        "file": Path("map.png"),
        "grid": GRID,
        "array": FREE,
        "network": NETWORK,
        "problems": [phil.Problem(GRID, 0, goal) for goal in (1, 2, 3)],
        "maps": [np.ones((5, 5), bool) for _ in range(10)],
    }
    seen: list[Any] = []

    class Learn:
        resumable = True

        def train(self, plan: Any, run: Any) -> None:
            seen.append(run.output)

    def planned(problems: Any, **_: Any) -> None:
        assert isinstance(problems, phil.ProblemSet)
        assert problems.train
        assert problems.validation

    monkeypatch.setattr("phil.learning.training.load_method", lambda method: Learn())
    monkeypatch.setattr("phil.learning.training.make_plan", planned)
    phil.train(forms[given], output=output)
    assert seen == [None if output is None else Path(output)]
