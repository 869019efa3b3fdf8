"""The backend of networkx gives what networkx gives."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.networkx import backend

ROOT = Path(__file__).parents[1]
GROUPS = ("networkx.backends", "networkx.backend_info")
KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)

# Runs networkx's own tests and counts what really ran on the backend.
NETWORKX_TESTS = """
import sys, pytest
from phil.networkx import backend

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
def test_shortest_paths_are_as_short_as_those_of_networkx(
    network: Any, data: st.DataObject
) -> None:
    nodes = st.sampled_from(list(network))
    source, target = data.draw(nodes), data.draw(nodes)
    weight = data.draw(st.sampled_from([None, "weight"]))
    theirs = outcome(nx.shortest_path, network, source, target, weight)
    ours = outcome(backend.shortest_path, backend.convert_from_nx(network), source, target, weight)
    if theirs is None:
        assert ours is None
    else:
        cost = outcome(nx.path_weight, network, theirs, weight or "none")
        assert (ours[0], ours[-1]) == (source, target)
        assert sum(
            min(data.get(weight, 1) for data in parallel_edges(network, *pair))
            for pair in zip(ours, ours[1:], strict=False)
        ) == sum(
            min(data.get(weight, 1) for data in parallel_edges(network, *pair))
            for pair in zip(theirs, theirs[1:], strict=False)
        )
        assert cost is not None


def parallel_edges(network: Any, left: Any, right: Any) -> list[Any]:
    between = network[left][right]
    return list(between.values()) if network.is_multigraph() else [between]


@pytest.mark.parametrize("weight", ["weight", lambda u, v, d: d["weight"]])
def test_a_way_found_too_late_does_not_count(weight: Any) -> None:
    """networkx goes by the ways by which nodes were expanded; also when the search is compiled."""
    edges = [("s", "n", 10), ("s", "m", 1), ("m", "n", 1), ("n", "t", 1)]
    chain = [(f"c{k}", f"c{k + 1}", 0) for k in range(40)]
    network = nx.DiGraph()
    network.add_weighted_edges_from([*chain, ("c40", "s", 0), *edges])
    # m looks bad, so that n is first expanded by the dear edge, and t is next when n gets better.
    left = {"m": 9.5, "n": 0, "t": 0.2}

    def heuristic(node: Any, _: Any) -> float:
        return left.get(node, 0.0)

    for known in (0.5, 100.0):
        left["n"] = known
        theirs = nx.astar_path(network, "c0", "t", heuristic, weight)
        ours = backend.astar_path(backend.Network(network), "c0", "t", heuristic, weight)
        assert ours == theirs


def test_functions_are_not_asked_about_what_they_do_not_know() -> None:
    network = nx.path_graph(200)
    network.add_edge("far", "away", weight="unknown")
    left = {node: 199 - node for node in range(200)}

    def heuristic(node: Any, _: Any) -> float:
        return left[node]

    def weight(u: Any, v: Any, data: Any) -> float:
        return float(data.get("weight", 1))

    own = backend.Network(network)
    assert backend.astar_path(own, 0, 199, heuristic, weight) == list(range(200))
    with pytest.raises(
        NotImplementedError, match=r"\('far', 'away'\): weight 'weight' is 'unknown'"
    ):
        backend.astar_path(own, 0, 199, heuristic)
    assert backend.astar_path(own, 0, 199, heuristic, None) == list(range(200))


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
