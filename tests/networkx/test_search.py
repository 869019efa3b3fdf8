"""Searches of networkx graphs by any heuristic."""

from __future__ import annotations

import gc
import math
import weakref
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import phil
from phil.heuristics.file import write_heuristic
from phil.heuristics.phil.specification import NetworkSettings
from phil.networkx import convert, heuristic_path, heuristic_search
from tests.networks import random_heuristic, scaling_for


def distance(left: Any, right: Any) -> float:
    return math.dist(left, right)


@pytest.fixture
def streets() -> Any:
    """A grid of streets, with costs and places."""
    network = nx.grid_2d_graph(8, 8)
    nx.set_node_attributes(network, {node: node for node in network}, "pos")
    for k, (_, _, data) in enumerate(network.edges(data=True)):
        data["weight"] = 1 + k % 3
    return network


@pytest.mark.parametrize("heuristic", ["euclidean", phil.load("manhattan"), distance, None])
def test_any_heuristic_finds_a_path(streets: Any, heuristic: Any) -> None:
    path = heuristic_path(streets, (0, 0), (7, 5), heuristic)
    assert (path[0], path[-1]) == ((0, 0), (7, 5))
    assert nx.is_path(streets, path)
    cheapest = heuristic_search(streets, (0, 0), (7, 5), heuristic, key=phil.ASTAR)
    assert cheapest.cost == nx.dijkstra_path_length(streets, (0, 0), (7, 5))
    bounded = heuristic_search(streets, (0, 0), (7, 5), heuristic, bound=1.0)
    assert (bounded.cost, bounded.proven) == (cheapest.cost, 1.0)


def test_a_file_is_a_heuristic(streets: Any, tmp_path: Path) -> None:
    graph = convert(streets).graph
    settings = NetworkSettings(features=2, edge_features=0, width=4, memory=3, layers=1)
    file = tmp_path / "mine.safetensors"
    write_heuristic(file, random_heuristic(settings, scaling_for(graph)))
    result = heuristic_search(streets, (0, 0), (7, 5), file)
    assert nx.is_path(streets, result.path)
    ends = convert(streets).ids[0, 0], convert(streets).ids[7, 5]
    assert result.expansions == phil.search(graph, *ends, phil.load(str(file))).expansions
    with pytest.raises(phil.InputError, match="feature"):
        heuristic_path(streets, (0, 0), (7, 5), file, coordinates=())


def test_the_search_is_shown_in_the_users_nodes(streets: Any) -> None:
    result = heuristic_search(streets, (0, 0), (0, 3), trace=True)
    assert result.path == ((0, 0), (0, 1), (0, 2), (0, 3))
    assert result.trace == result.path
    assert result.expansions == 4
    assert result.cost == nx.path_weight(streets, result.path, "weight")


def test_what_cannot_be_reached(streets: Any) -> None:
    streets.add_node("island", pos=(9, 9))
    with pytest.raises(nx.NetworkXNoPath, match="Node island not reachable from"):
        heuristic_path(streets, (0, 0), "island")
    assert not heuristic_search(streets, (0, 0), "island").solved
    with pytest.raises(nx.NodeNotFound, match="Source nowhere is not in G"):
        heuristic_path(streets, "nowhere", (0, 0))
    with pytest.raises(nx.NodeNotFound, match=r"Target \[\] is not in G"):
        heuristic_path(streets, (0, 0), [])


def test_heuristics_that_cannot_be() -> None:
    network = nx.path_graph(3)
    with pytest.raises(phil.InputError, match="euclidean needs coordinates"):
        heuristic_path(network, 0, 2)
    with pytest.raises(phil.InputError, match="3 is not a heuristic"):
        heuristic_path(network, 0, 2, 3)  # type: ignore[arg-type]
    with pytest.raises(phil.InputError, match="did you mean 'euclidean'"):
        heuristic_path(network, 0, 2, "euclidian")


def test_a_graph_is_converted_once_until_it_changes(streets: Any) -> None:
    first = convert(streets)
    assert convert(streets, weight="weight") is first
    assert convert(streets, weight=None) is not first
    assert convert(streets, features=["pos"]) is convert(streets, features=("pos",))
    streets.add_edge((0, 0), (7, 7), weight=10)
    assert heuristic_path(streets, (0, 0), (7, 7)) == [(0, 0), (7, 7)]
    streets.remove_node((7, 7))
    with pytest.raises(nx.NodeNotFound):
        heuristic_path(streets, (0, 0), (7, 7))


def test_what_may_change_unseen_is_converted_every_time(streets: Any) -> None:
    view = streets.subgraph([(0, 0), (0, 1), (0, 2)])
    assert heuristic_search(view, (0, 0), (0, 2)).length == 2
    streets.remove_edge((0, 0), (0, 1))
    assert not heuristic_search(view, (0, 0), (0, 2)).solved
    network = nx.path_graph(2)
    now = [1.0]

    def price(*_: Any) -> float:
        return now[0]

    for now[0] in (1.0, 2.0):
        assert heuristic_search(network, 0, 1, None, price).cost == now[0]
    with nx.config(cache_converted_graphs=False):
        assert convert(network) is not convert(network)


def test_a_conversion_does_not_keep_a_graph_alive() -> None:
    network = nx.path_graph(3)
    conversion = convert(network)
    gone = weakref.ref(network)
    del network
    gc.collect()
    assert gone() is None
    assert conversion.nodes == (0, 1, 2)
