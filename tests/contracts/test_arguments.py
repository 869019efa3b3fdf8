"""Every public function with arguments of every wrong kind: an `InputError`, or it works."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import phil
from phil.errors import InputError
from phil.evaluation import MethodScore, Run, parse_method
from phil.view import Report, Scene, Shot

GRAPH = phil.Graph.from_edges(3, [(0, 1), (1, 2)], [[0.0], [1.0], [2.0]], weights=[1.0, 2.0])
GRID = phil.GridGraph([[True] * 4] * 4)
ROOM = phil.GridGraph(np.ones((3, 3, 3), bool))
ZERO = phil.load("zero")
PROBLEM = phil.Problem(GRAPH, 0, 2)
SET = phil.ProblemSet("set", (PROBLEM,), (PROBLEM,))
RESULT = phil.search(GRID, 0, 15, ZERO, trace=True)
IN_ROOM = phil.search(ROOM, 0, 26, ZERO, trace=True)
SCORE = MethodScore("bfs", (Run("one", RESULT, 3.0),))
NETWORK = nx.path_graph(3)
FORMAT = phil.Format("own", endings=(".own",), read=lambda path: GRAPH)


def neighbors(node: int) -> list[int]:
    return [node + 1] if node < 9 else []


def hostile() -> Iterator[object]:
    """Values that fit almost nowhere."""
    yield from (None, object(), "text", "", "\x1b[31m", "a\0b", b"", b"bytes", 1.7, -0.5, 0, -1)
    yield from (float("nan"), float("inf"), float("-inf"), 2**70, -(2**70), 1j, True, False)
    yield from ([], {}, (), set(), [None], ["a", 1], [[1], [2, 3]], [[[0]]], {"a": 1}, range(2))
    yield from (np.array([1.5, 2.5]), np.array([]), np.array(["a"]), np.array(None), np.array(7))
    yield from (np.array([[1, 2], [3, 4]]), np.float32("nan"), np.int8(1), np.array([1j]))
    yield from (int, lambda: None, len, GRAPH, GRID, ZERO, SET, RESULT, Path("no such file"))
    yield from (phil.Graph, phil.ASTAR, phil.Limits(), iter([1]), NETWORK, ..., NotImplemented)


HOSTILE = list(hostile())

# How each function is called correctly; the rest of its parameters have defaults.
CALLS: dict[str, dict[str, Any]] = {
    "phil.Format": {"name": "own", "endings": (".own",), "read": lambda path: GRAPH},
    "phil.Graph": {"indptr": [0, 1, 2], "indices": [1, 0]},
    "phil.Graph.from_edges": {"num_nodes": 2, "edges": [(0, 1)]},
    "phil.Graph.from_networkx": {"network": NETWORK},
    "phil.Graph.from_pyg": {"data": None},
    "phil.Graph.from_scipy": {"matrix": None},
    "phil.GridGraph": {"free": [[True, True]]},
    "phil.ImplicitGraph": {"neighbors": neighbors},
    "phil.Domain": {
        "graph": phil.ImplicitGraph(lambda node: [], lambda node: [node], 1),
        "problems": lambda random, difficulty: (0, 1),
    },
    "phil.ImplicitGraph.on_grid": {"neighbors": lambda cell: [], "shape": (2, 2)},
    "phil.Key": {"g": 1.0, "h": 1.0},
    "phil.Limits": {},
    "phil.Problem": {"graph": GRAPH, "start": 0, "goal": 2},
    "phil.ProblemSet": {"name": "set"},
    "phil.add_features": {"graph": GRAPH, "recipe": "degree"},
    "phil.anytime": {"graph": GRAPH, "start": 0, "goal": 2, "heuristic": ZERO},
    "phil.evaluate": {"problems": [PROBLEM], "methods": [parse_method("bfs")]},
    "phil.load": {"name": "zero"},
    "phil.open_set": {"name": "no such set"},
    "phil.oracle_distances": {"graph": GRAPH, "goal": 0},
    "phil.plot": {"graph": GRID, "result": RESULT},
    "phil.read_graph": {"path": "no such file"},
    "phil.read_map": {"path": "no such file"},
    "phil.register_format": {"given": FORMAT},
    "phil.register_heuristic": {"heuristic": ZERO},
    "phil.register_problem_set": {"name": "own/set", "open": lambda options: SET},
    "phil.register_search": {"name": "own", "make": lambda heuristic: None},
    "phil.search": {"graph": GRAPH, "start": 0, "goal": 2, "heuristic": ZERO},
    "phil.search_bidirectional": {"graph": GRAPH, "start": 0, "goal": 2, "heuristic": ZERO},
    "phil.open_workers": {"on": "local"},
    "phil.search_many": {"graph": GRAPH, "pairs": [(0, 2)], "heuristic": ZERO},
    "phil.search_stream": {"graph": GRAPH, "pairs": [(0, 2)], "heuristic": ZERO},
    "phil.search_hedge": {
        "graph": GRAPH,
        "start": 0,
        "goal": 2,
        "heuristic": ZERO,
        "fallback": ZERO,
    },
    "phil.search_mha": {"graph": GRAPH, "start": 0, "goal": 2, "heuristics": [ZERO]},
    "phil.smooth": {"graph": GRID, "path": [0, 5, 10]},
    "phil.train": {"problems": SET},
    "phil.write_graph": {"path": "no such folder/graph.npz", "graph": GRAPH},
    "phil.write_set": {"path": "no such folder/set.parquet", "problems": SET},
    "phil.graphs.FeatureGroup": {"name": "own", "size": 1},
    "phil.graphs.distances.hops_to": {"graph": GRAPH, "goal": 0},
    "phil.graphs.distances.costs_to": {"graph": GRAPH, "goal": 0},
    "phil.graphs.distances.hops_from": {"graph": GRAPH, "start": 0},
    "phil.graphs.distances.costs_from": {"graph": GRAPH, "start": 0},
    "phil.graphs.distances.tolls_to": {"graph": GRAPH, "goal": 0, "tolls": np.zeros(3)},
    "phil.graphs.distances.components": {"graph": GRAPH},
    "phil.graphs.distances.directed_components": {"graph": GRAPH, "connection": "weak"},
    "phil.graphs.distances.diameter_estimate": {"graph": GRAPH, "node": 0},
    "phil.graphs.features.canonical": {"recipe": "degree"},
    "phil.graphs.features.feature_costs": {"graph": GRAPH, "recipe": "degree"},
    "phil.graphs.features.parse_recipe": {"recipe": "degree"},
    "phil.graphs.features.edges.road_edge_features": {"graph": GRAPH},
    "phil.graphs.formats.read_3d_scenarios": {"path": "no such file"},
    "phil.graphs.formats.read_3dmap": {"path": "no such file"},
    "phil.graphs.formats.read_bytes": {"path": "no such file"},
    "phil.graphs.formats.read_lines": {"path": "no such file"},
    "phil.graphs.formats.read_movingai_map": {"path": "no such file"},
    "phil.graphs.formats.read_ros_description": {"path": "no such file"},
    "phil.graphs.formats.read_ros_map": {"path": "no such file"},
    "phil.graphs.formats.read_scenarios": {"path": "no such file"},
    "phil.problems.list_sets": {},
    "phil.problems.single_graph_set": {"name": "own", "graph": GRAPH, "count": 3},
    "phil.problems.generated.generate_map": {
        "family": "forest",
        "rng": np.random.default_rng(0),
        "shape": (20, 20),
    },
    "phil.problems.generated.generate_maps": {
        "family": "forest",
        "count": 1,
        "seed": 0,
        "shape": (20, 20),
    },
    "phil.heuristics.registry.read_any": {"path": "no such file"},
    "phil.heuristics.novelty.Novelty": {"inner": ZERO},
    "phil.heuristics.phil.read_heuristic": {"path": "no such file"},
    "phil.heuristics.file.decode": {"data": b"", "path": "file"},
    "phil.heuristics.file.read_file": {"path": "no such file"},
    "phil.heuristics.file.write_heuristic": {"path": "no such folder/file", "heuristic": None},
    "phil.evaluation.HedgedMethod": {"text": "own", "heuristic": ZERO, "fallback": ZERO},
    "phil.evaluation.Method": {"text": "own", "key": phil.ASTAR, "heuristic": ZERO},
    "phil.evaluation.MultiHeuristicMethod": {"text": "own", "heuristics": (ZERO,)},
    "phil.evaluation.bootstrap_interval": {"values": [1.0, 2.0]},
    "phil.evaluation.bootstrap_ratio": {"above": [1.0, 2.0], "beneath": [1.0, 2.0]},
    "phil.evaluation.default_method": {"problem": phil.Problem(GRAPH, 0, 2)},
    "phil.evaluation.evaluation_json": {"set_name": "set", "split": "test", "scores": [SCORE]},
    "phil.evaluation.parse_method": {"text": "astar"},
    "phil.evaluation.summarize": {"values": [1.0, 2.0]},
    "phil.learning.short_training": {"problems": SET},
    "phil.learning.training_settings": {"preset": "best"},
    "phil.view.picture": {"graph": GRID, "result": RESULT},
    "phil.view.save_picture": {"path": "no such folder/a", "graph": GRID, "result": RESULT},
    "phil.view.report_html": {"report": Report("title", "summary", "problems", [SCORE])},
    "phil.view.write_report": {
        "path": "no such folder/a",
        "report": Report("title", "summary", "problems", [SCORE]),
    },
    "phil.view.scene_html": {"scene": Scene("room", ROOM, 26, [Shot("zero", IN_ROOM)])},
    "phil.networkx.convert": {"G": NETWORK},
    "phil.networkx.heuristic_path": {"G": NETWORK, "source": 0, "target": 2, "heuristic": None},
    "phil.networkx.heuristic_search": {"G": NETWORK, "source": 0, "target": 2, "heuristic": None},
}
# Methods of objects: the object, and its arguments.
METHODS: dict[str, tuple[object, dict[str, Any]]] = {
    "Graph.neighbors": (GRAPH, {"node": 0}),
    "Graph.label": (GRAPH, {"node": 0}),
    "Graph.find_node": (GRAPH, {"text": "0"}),
    "Graph.with_features": (GRAPH, {"features": [[0.0]] * 3}),
    "GridGraph.neighbors": (GRID, {"node": 0}),
    "GridGraph.cell": (GRID, {"node": 0}),
    "GridGraph.node_name": (GRID, {"node": 0}),
    "GridGraph.find_node": (GRID, {"text": "0,0"}),
    "ImplicitGraph.explored": (phil.ImplicitGraph(neighbors), {"start": 0, "most": 3}),
    "ProblemSet.split": (SET, {"name": "train"}),
    "ProblemSet.with_features": (SET, {"recipe": "degree"}),
    "ProblemSet.map": (SET, {"change": lambda problem: problem}),
}
NOT_CALLED = {  # results and records that only the library makes, protocols, and what needs files
    "phil.InputError",
    "phil.Outcome",
    "phil.PhilHeuristic",
    "phil.Result",
    "phil.Workers",
}


def resolve(name: str) -> Callable[..., Any]:
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            found: Any = import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            found = getattr(found, part)
        called: Callable[..., Any] = found
        return called
    raise LookupError(name)


def attempts(function: Callable[..., Any], usual: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The arguments of every call with one wrong value."""
    functions = ["change", "load", "preparing", "progress", "weight"]
    functions += ["heuristic"] if function.__module__ == "phil.networkx.search" else []
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        for value in HOSTILE:
            # What a user's function raises is the user's affair.
            if name not in functions or not callable(value):
                yield {**usual, name: value}


def check(function: Callable[..., Any], arguments: dict[str, Any]) -> None:
    told = ""
    try:
        made = function(**arguments)
        if inspect.isgenerator(made):
            list(made)
    except InputError as error:
        told = str(error)
    except (nx.NodeNotFound, nx.NetworkXNoPath):
        pass  # what networkx promises
    except Exception as error:
        pytest.fail(f"{arguments!r}: {type(error).__name__}: {error}")
    assert len(told) < 2000
    assert all(line.isprintable() for line in told.split("\n"))


@pytest.fixture
def _in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("phil.learning.training.make_plan", refuse_to_train)


def refuse_to_train(*_: object, **__: object) -> None:
    raise InputError("the plan is checked elsewhere")


@pytest.mark.usefixtures("_in_empty_folder")
@pytest.mark.parametrize("name", CALLS)
def test_wrong_arguments_of_a_function(name: str) -> None:
    function = resolve(name)
    for arguments in attempts(function, CALLS[name]):
        check(function, arguments)


@pytest.mark.parametrize("name", METHODS)
def test_wrong_arguments_of_a_method(name: str) -> None:
    owner, usual = METHODS[name]
    function = getattr(owner, name.partition(".")[2])
    for arguments in attempts(function, usual):
        check(function, arguments)


def test_every_public_function_is_called() -> None:
    public = {f"phil.{name}" for name in phil.__all__ if callable(getattr(phil, name))}
    assert public - NOT_CALLED == {name for name in CALLS if name in public}
