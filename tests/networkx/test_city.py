"""A city of OSMnx, read from its file by PHIL and by networkx."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import phil
from phil.networkx import NotALowerBound, backend, convert, heuristic_path, heuristic_search
from tests.networkx.city import load_city, save_city

FASTEST = 110 / 3.6  # metres a second


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_city(tmp_path_factory.mktemp("city") / "city.graphml")


@pytest.fixture
def city(file: Path) -> Any:
    return load_city(file)


def ends(city: Any) -> list[tuple[Any, Any]]:
    nodes = list(city)
    return [(nodes[0], nodes[-1]), (nodes[-1], nodes[3]), (nodes[20], nodes[7])]


def least(city: Any, source: Any, target: Any, weight: str) -> float:
    return float(nx.dijkstra_path_length(city, source, target, weight))


def test_the_file_has_what_files_of_osmnx_have(city: Any) -> None:
    assert isinstance(city, nx.MultiDiGraph)
    edges = [data for *_, data in city.edges(data=True)]
    assert any(len(parallel) > 1 for _, row in city.adjacency() for parallel in row.values())
    assert {data["oneway"] for data in edges} == {True, False}
    assert 0 < sum("travel_time" not in data for data in edges) < len(edges) / 2


def test_phil_reads_it(file: Path, city: Any) -> None:
    graph = phil.read_graph(file)
    assert isinstance(graph, phil.Graph)
    assert (graph.num_nodes, graph.indices.size) == (len(city), city.number_of_edges())
    assert graph.directed
    assert graph.geographic
    for source, target in ends(city):
        found = phil.search(
            graph,
            graph.find_node(str(source)),
            graph.find_node(str(target)),
            phil.load("euclidean"),
            bound=1.0,
        )
        assert found.cost == pytest.approx(least(city, source, target, "length"))


def test_a_missing_weight_is_named_with_its_line(file: Path) -> None:
    with pytest.raises(phil.InputError, match=r"line \d+: the edge has no 'travel_time'"):
        phil.read_graph(file, weight="travel_time")


@pytest.mark.parametrize("weight", ["length", "travel_time"])
def test_paths_through_it_cost_what_those_of_networkx_cost(city: Any, weight: str) -> None:
    """Where there is no travel time, an edge costs 1, as in networkx."""
    for source, target in ends(city):
        best = least(city, source, target, weight)
        exact = heuristic_search(city, source, target, weight=weight, bound=1.0)
        assert exact.cost == pytest.approx(best)
        assert nx.is_path(city, exact.path)
        found = heuristic_search(city, source, target, None, weight, key=phil.ASTAR)
        assert found.cost == pytest.approx(best)
        path = nx.shortest_path(city, source, target, weight)
        assert backend.shortest_path(backend.Network(city), source, target, weight) == path


def metres(city: Any) -> Any:
    features = convert(city, weight="length").graph.features
    places = dict(zip(city, features.tolist(), strict=True))
    return lambda u, v: math.dist(places[u], places[v])


@pytest.mark.parametrize("weight", ["length", "travel_time", lambda u, v, d: len(d)])
def test_functions_of_its_nodes_give_the_paths_of_networkx(city: Any, weight: Any) -> None:
    distance = metres(city)
    for scale in (0.0, 1 / FASTEST, 1.0, 5.0):  # no bound, a bound, and no longer one

        def heuristic(u: Any, v: Any, scale: float = scale) -> float:
            return float(scale * distance(u, v))

        for source, target in ends(city):
            theirs = nx.astar_path(city, source, target, heuristic, weight)
            with warnings.catch_warnings(action="ignore", category=NotALowerBound):
                own = backend.Network(city)
                assert backend.astar_path(own, source, target, heuristic, weight) == theirs


def test_metres_are_no_bound_on_seconds(city: Any) -> None:
    source, target = ends(city)[0]
    heuristic_path(city, source, target, weight="length")  # metres are one on metres
    heuristic_path(city, source, target, weight="length", key=phil.ASTAR)
    for key in (phil.GREEDY, phil.ASTAR):
        fresh = city.copy()
        with pytest.warns(NotALowerBound, match="euclidean is not .* the weight 'travel_time'"):
            heuristic_path(fresh, source, target, weight="travel_time", key=key)
        heuristic_path(fresh, source, target, weight="travel_time", key=key)  # said once
    # A proven bound holds whatever the heuristic says.
    heuristic_path(city.copy(), source, target, weight="travel_time", bound=1.5)


def test_the_warning_names_an_edge_and_points_to_the_users_line(city: Any) -> None:
    source, target = ends(city)[0]
    with pytest.warns(NotALowerBound) as warned:
        heuristic_path(city, source, target, "manhattan", "travel_time")
    assert warned[0].filename == __file__
    said = str(warned[0].message)
    u, v = map(int, said.partition("between ")[2].partition(",")[0].split(" and "))
    cost = float(said.partition("costs ")[2].partition(". ")[0])
    assert cost in [pytest.approx(d.get("travel_time", 1), rel=1e-4) for d in city[u][v].values()]


def test_a_function_in_metres_is_no_bound_on_seconds(city: Any) -> None:
    source, target = ends(city)[0]
    distance = metres(city)

    def seconds(u: Any, v: Any) -> float:
        return float(distance(u, v)) / FASTEST

    complete = city.copy()
    for *_, data in complete.edges(data=True):
        data.setdefault("travel_time", data["length"])
    for heuristic, weight in ((distance, "length"), (seconds, "travel_time")):
        heuristic_path(complete, source, target, heuristic, weight, key=phil.ASTAR)
        backend.astar_path(backend.Network(complete), source, target, heuristic, weight)
    for graph in (complete, complete.copy()):
        with pytest.warns(NotALowerBound, match="but a path costs"):
            heuristic_path(graph, source, target, distance, "travel_time", key=phil.ASTAR)
        backend.astar_path(backend.Network(graph), source, target, distance, "travel_time")
    own = backend.Network(complete.copy())
    with pytest.warns(NotALowerBound, match="lambda") as warned:
        backend.astar_path(own, source, target, distance, "travel_time")
    assert warned[0].filename == __file__


def test_numbers_that_are_text_are_refused(file: Path) -> None:
    """As networkx alone reads them from a file of OSMnx."""
    city = nx.read_graphml(file)
    source, target = list(city)[:2]
    with pytest.raises(phil.InputError, match=r"weight 'length' is the text '\d+.*load_graphml"):
        heuristic_path(city, source, target, weight="length")
    with pytest.raises(phil.InputError, match=r"euclidean needs coordinates.*numeric"):
        heuristic_path(city, source, target, weight=None)


def test_nodes_without_places(city: Any) -> None:
    source, target = ends(city)[0]
    del city.nodes[target]["x"]
    with pytest.raises(phil.InputError, match="euclidean needs coordinates, but not all nodes"):
        heuristic_path(city, source, target, weight="length")
    with pytest.raises(phil.InputError, match=f"node {target} has no attribute 'x'"):
        heuristic_path(city, source, target, weight="length", coordinates=("x", "y"))
    assert heuristic_search(city, source, target, None, "length", key=phil.ASTAR).solved
