"""Presets show what they say: counted in expansions, by the real searches."""

from __future__ import annotations

import pytest

from phil.evaluation import parse_method
from phil.graphs import Graph
from phil.play.cities import generate_city
from phil.play.presets import PRESETS, preset
from phil.search import Result


def race(name: str) -> dict[str, Result]:
    chosen = preset(name)
    return {each: parse_method(each).search(chosen.problem()) for each in chosen.methods}


def test_the_first_is_no_plain_map() -> None:
    assert PRESETS[0].kind == "graph"
    assert {each.kind for each in PRESETS} == {"graph", "grid2d", "grid3d"}
    assert all(1 <= len(each.methods) <= 4 for each in PRESETS)


def test_city() -> None:
    found = race("city")
    greedy, guided, astar, dijkstra = found.values()
    assert greedy.expansions < guided.expansions < astar.expansions / 4
    assert dijkstra.expansions > 0.9 * preset("city").problem().graph.num_nodes
    assert greedy.cost > 1.2 * astar.cost
    assert guided.cost == pytest.approx(dijkstra.cost)


@pytest.mark.parametrize(
    ("name", "best", "worst", "times"),
    [
        ("space", "phil:voxels", "astar(euclidean)", 20),
        ("gaps", "phil:gaps_and_forest", "greedy(euclidean)", 5),
        ("trap", "phil:map", "greedy(euclidean)", 5),
        ("forest", "greedy(euclidean)", "astar(octile)", 3),
        ("foreign", "greedy(euclidean)", "phil:alternating_gaps", 3),
        ("open", "astar(octile)", "dijkstra", 50),
        ("bounds", "phil:bugtrap_forest", "bounded(phil:bugtrap_forest, 1.1)", 5),
        ("acquaintances", "bibfs", "bfs", 3),
        ("rooms", "mha(euclidean, manhattan, obstacles)", "bfws(euclidean)", 3),
        ("caves", "greedy(euclidean)", "astar(octile)", 20),
    ],
)
def test_the_best_and_the_worst_case(name: str, best: str, worst: str, times: float) -> None:
    found = race(name)
    assert found[worst].expansions > times * found[best].expansions


def test_in_the_maze_straight_lines_say_little() -> None:
    found = race("maze")
    assert found["astar(octile)"].expansions > 0.8 * found["dijkstra"].expansions


def test_hedging_limits_the_loss_in_a_foreign_land() -> None:
    alone, hedged, *_ = race("foreign").values()
    assert hedged.expansions < alone.expansions


def test_cities_differ_by_seed_and_are_whole() -> None:
    one, same, other = (generate_city(400, seed) for seed in (1, 1, 2))
    assert isinstance(one, Graph)
    assert (one.indices == same.indices).all()
    assert one.num_nodes != other.num_nodes or (one.indptr != other.indptr).any()
    # The straight line is a lower bound, so that A* finds the fastest way.
    ends = 0, one.num_nodes - 1
    from phil import search

    assert search(one, *ends, "astar").cost == pytest.approx(search(one, *ends, "dijkstra").cost)
