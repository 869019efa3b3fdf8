"""The backend of networkx gives what networkx gives."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import warnings
from collections.abc import Callable
from fractions import Fraction
from importlib.metadata import EntryPoint
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.networkx import NotALowerBound, backend
from phil.networkx.conversion import CACHE
from tests.pages import DOCS, ROOT, python_blocks

GROUPS = ("networkx.backends", "networkx.backend_info")
KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)

# Runs networkx's own tests and counts what really ran on the backend.
NETWORKX_TESTS = """
import sys, pytest
from phil.networkx import NotALowerBound, backend

ran = {}
def counting(name, function):
    def call(*args, **kwargs):
        result = function(*args, **kwargs)
        ran[name] = ran.get(name, 0) + 1
        return result
    return call

for name in ("astar_path", "astar_path_length", "shortest_path"):
    setattr(backend, name, counting(name, getattr(backend, name)))
code = pytest.main(["-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", ".", "--pyargs",
    "networkx.algorithms.shortest_paths.tests.test_astar",
    "networkx.algorithms.shortest_paths.tests.test_generic"])
print(sorted(ran.items()))
sys.exit(code)
"""

DISPATCH = """
import networkx as nx, sys
assert "phil" not in sys.modules and "numba" not in sys.modules
print(sorted(nx.utils.backends.backend_info["phil"]["functions"]))
G = nx.Graph([("a", "b"), ("b", "c")])
assert nx.astar_path(G, "a", "c", backend="phil") == ["a", "b", "c"]
assert "numba" in sys.modules
assert "phil :" in nx.astar_path.__doc__
with nx.config(backend_priority=["phil"], fallback_to_nx=True):
    assert nx.shortest_path(G, "a") == {"a": ["a"], "b": ["a", "b"], "c": ["a", "b", "c"]}
    G.add_edge("a", "c", weight=-1)
    assert nx.astar_path_length(G, "a", "c") == -1
try:
    nx.shortest_path(G, "a", "c", "weight", backend="phil")
except NotImplementedError as error:
    print(error.__cause__)
"""


def entry_points() -> dict[str, dict[str, str]]:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
    return {group: declared[group] for group in GROUPS}


def run_installed(code: str, folder: Path, **environment: str) -> str:
    """Run code where the package is found with the entry points that pyproject.toml declares."""
    info = folder / "phil_search-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: phil-search\nVersion: 0.1.0\n")
    lines = [
        line
        for group, names in entry_points().items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in names.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))
    # The same name as the installed package, and before it: networkx sees this one.
    path = os.pathsep.join([str(folder), str(ROOT / "src")])
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_entry_points_lead_to_the_backend() -> None:
    loaded = {
        group: EntryPoint(name="phil", value=names["phil"], group=group).load()
        for group, names in entry_points().items()
    }
    assert loaded["networkx.backends"] is backend
    info = loaded["networkx.backend_info"]()
    assert all(callable(getattr(backend, name)) for name in info["functions"])


def test_the_tests_of_networkx_pass(tmp_path: Path) -> None:
    shown = run_installed(
        NETWORKX_TESTS, tmp_path, NETWORKX_TEST_BACKEND="phil", NETWORKX_FALLBACK_TO_NX="1"
    )
    assert " passed" in shown
    assert " failed" not in shown
    ran: dict[str, int] = dict(eval(shown.splitlines()[-1]))
    assert ran["astar_path"] >= 30
    assert ran["astar_path_length"] >= 15
    assert ran["shortest_path"] >= 5


def test_networkx_finds_the_backend_and_falls_back_to_itself(tmp_path: Path) -> None:
    functions, refused = run_installed(DISPATCH, tmp_path).splitlines()
    assert functions == "['astar_path', 'astar_path_length', 'shortest_path']"
    assert refused.startswith("edge ('a', 'c'): weight 'weight' is -1; costs must be")


def test_the_page_runs_as_it_stands(tmp_path: Path) -> None:
    blocks = python_blocks(DOCS / "networkx.md")
    assert len(blocks) == 6
    run_installed("\n".join(blocks), tmp_path)


@st.composite
def networks(draw: st.DrawFn) -> Any:
    """A networkx graph of any kind; costs are integers, so that ties are the same everywhere."""
    kind = draw(st.sampled_from(KINDS))
    nodes = draw(st.integers(1, 40))
    node = st.integers(0, nodes - 1)
    network = kind()
    network.add_nodes_from(f"n{k}" for k in range(nodes))
    for left, right in draw(st.lists(st.tuples(node, node), max_size=3 * nodes)):
        data = {}
        if draw(st.booleans()):
            data["weight"] = draw(st.integers(0, 9))
        network.add_edge(f"n{left}", f"n{right}", **data)
    return network


def outcome(search: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    try:
        with warnings.catch_warnings(action="ignore", category=NotALowerBound):
            return search(*args, **kwargs)
    except nx.NetworkXNoPath:
        return None


@given(network=networks(), data=st.data())
def test_astar_is_that_of_networkx(network: Any, data: st.DataObject) -> None:
    nodes = list(network)
    source, target = data.draw(st.sampled_from(nodes)), data.draw(st.sampled_from(nodes))
    # Any numbers: neither consistent nor below the true costs.
    left = {node: data.draw(st.integers(0, 20)) for node in nodes}
    functions: list[Any] = [None, lambda node, goal: left[node] if goal == target else 1 / 0]
    weights: list[Any] = [
        "weight",
        "none",
        None,
        lambda u, v, d: None if (u, v) == (nodes[0], nodes[-1]) else len(u) + len(v) + len(d),
    ]
    arguments = {
        "heuristic": data.draw(st.sampled_from(functions)),
        "weight": data.draw(st.sampled_from(weights)),
        "cutoff": data.draw(st.sampled_from([None, 0, 5, 12.5])),
    }
    own = backend.convert_from_nx(network)
    for name in ("astar_path", "astar_path_length"):
        theirs = outcome(getattr(nx, name), network, source, target, **arguments)
        ours = outcome(getattr(backend, name), own, source, target, **arguments)
        assert ours == theirs
        assert type(ours) is type(theirs)


@given(network=networks(), data=st.data())
def test_shortest_paths_cost_what_those_of_networkx_cost(network: Any, data: st.DataObject) -> None:
    nodes = st.sampled_from(list(network))
    source, target = data.draw(nodes), data.draw(nodes)
    weight = data.draw(st.sampled_from([None, "weight"]))
    theirs = outcome(nx.shortest_path, network, source, target, weight)
    ours = outcome(backend.shortest_path, backend.convert_from_nx(network), source, target, weight)
    assert (ours is None) == (theirs is None)
    if ours is not None:
        assert (ours[0], ours[-1]) == (source, target)
        assert cost(network, ours, weight) == cost(network, theirs, weight)


def cost(network: Any, path: list[Any], weight: str | None) -> int:
    total = 0
    for left, right in pairwise(path):
        between = network[left][right]
        edges = between.values() if network.is_multigraph() else [between]
        total += min(data.get(weight, 1) for data in edges)
    return total


@given(network=networks(), data=st.data())
def test_functions_are_called_no_more_often_than_by_networkx(
    network: Any, data: st.DataObject
) -> None:
    nodes = st.sampled_from(list(network))
    source, target = data.draw(nodes), data.draw(nodes)
    values = {node: data.draw(st.integers(0, 20)) for node in network}
    asked: list[tuple[Any, Any]] = []

    def heuristic(node: Any, goal: Any) -> int:
        asked.append((node, goal))
        return values[node]

    cutoff = data.draw(st.sampled_from([None, 12]))
    found = []
    for search in (nx.astar_path, backend.astar_path):
        given = network if search is nx.astar_path else backend.Network(network)
        asked.clear()
        found.append((outcome(search, given, source, target, heuristic, cutoff=cutoff), {*asked}))
        times = len(asked)
        if cutoff is None:
            assert times == len({*asked}), "each node is asked for once"
    (theirs, by_networkx), (ours, by_phil) = found
    assert ours == theirs
    assert by_phil == by_networkx - {(source, target)}


def test_a_graph_searched_with_a_function_is_not_converted() -> None:
    """A conversion takes longer than most searches."""
    network = nx.grid_2d_graph(30, 30)
    nx.set_edge_attributes(network, {edge: 1 + k % 5 for k, edge in enumerate(network.edges)}, "w")
    arguments = ((0, 0), (29, 29), lambda u, v: abs(u[0] - v[0]), "w")
    ours = backend.astar_path(backend.Network(network), *arguments)
    assert ours == nx.astar_path(network, *arguments)
    assert CACHE not in network.__networkx_cache__


def test_functions_are_not_asked_about_what_they_do_not_know() -> None:
    network = nx.path_graph(200)
    network.add_edge("far", "away", weight="unknown")
    left = {node: 199 - node for node in range(200)}

    def heuristic(node: Any, _: Any) -> float:
        return left[node]

    def weight(u: Any, v: Any, data: Any) -> float:
        return float(data.get("weight", 1))

    own = backend.Network(network)
    for function in (None, heuristic):
        assert backend.astar_path(own, 0, 199, function, weight) == list(range(200))
    with pytest.raises(
        NotImplementedError, match=r"\('far', 'away'\): weight 'weight' is 'unknown'"
    ):
        backend.astar_path(own, 0, 199)
    for cost in ("weight", None):
        assert backend.astar_path(own, 0, 199, heuristic, cost) == list(range(200))


def test_costs_may_be_of_any_type_of_number() -> None:
    network = nx.path_graph(4)
    nx.set_edge_attributes(network, Fraction(1, 3), "weight")
    length = backend.astar_path_length(backend.Network(network), 0, 3, lambda u, v: Fraction(0))
    assert (length, type(length)) == (1, Fraction)


def test_a_negative_cost_of_a_function_is_refused_when_it_is_met() -> None:
    network = nx.path_graph(3)
    with pytest.raises(NotImplementedError, match=r"edge \(0, 1\) is -1"):
        backend.astar_path(backend.Network(network), 0, 2, weight=lambda u, v, d: -1)


def test_errors_are_those_of_networkx() -> None:
    own = backend.Network(nx.path_graph(2))
    with pytest.raises(nx.NodeNotFound, match="Target 9 is not in G"):
        backend.astar_path_length(own, 0, 9)
    with pytest.raises(nx.NodeNotFound, match="Source 9 is not in G"):
        backend.shortest_path(own, 9, 0)
    with pytest.raises(ValueError, match="method not supported: magic"):
        backend.shortest_path(own, 0, 1, method="magic")
    with pytest.raises(ZeroDivisionError):
        backend.astar_path(own, 0, 1, lambda u, v: 1 / 0)


def test_what_can_and_should_run() -> None:
    network = nx.path_graph(2)
    assert backend.can_run("shortest_path", (network, 0, 1), {}) is True
    assert backend.can_run("shortest_path", (network, 0, 1), {"method": "bellman-ford"}) is True
    refused: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((network, 0), {}),
        ((network,), {"target": 1}),
        ((network, 0, 1, "weight"), {"method": "bellman-ford"}),
    ]
    for args, kwargs in refused:
        assert isinstance(backend.can_run("shortest_path", args, kwargs), str)
    assert backend.should_run("astar_path", (network, 0, 1), {"weight": "cost"}) is True
    assert isinstance(backend.should_run("astar_path", (network, 0, 1, max), {}), str)
    assert isinstance(backend.should_run("shortest_path", (network, 0, 1), {"weight": max}), str)


def test_a_converted_graph_goes_back_as_it_was() -> None:
    network = nx.path_graph(2)
    assert backend.convert_to_nx(backend.convert_from_nx(network, name="astar_path")) is network
    assert backend.convert_to_nx([0, 1]) == [0, 1]
