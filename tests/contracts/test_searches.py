"""Every search keeps the contract."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from phil.heuristics.classical import manhattan, zero
from phil.heuristics.novelty import Novelty
from phil.search import (
    ASTAR,
    BFS,
    GREEDY,
    Key,
    Outcome,
    Result,
    search,
    search_bidirectional,
    search_hedge,
    search_mha,
)
from phil.search.guide import Heuristic
from phil.search.registry import built_in_searches
from tests.contracts.check_search import (
    CHECKS,
    FROM_BOTH_ENDS,
    Search,
    check_search,
    evaluates_every_node,
    searches_graphs_met_on_the_way,
    stops_at_a_limit,
)


def bfws(graph: Any, start: Any, goal: Any, heuristic: Heuristic, **options: Any) -> Result[Any]:
    return search(graph, start, goal, Novelty(heuristic), **options)


def mha(graph: Any, start: Any, goal: Any, heuristic: Heuristic, **options: Any) -> Result[Any]:
    return search_mha(graph, start, goal, [heuristic, manhattan, zero], **options)


def hedge(graph: Any, start: Any, goal: Any, heuristic: Heuristic, **options: Any) -> Result[Any]:
    return search_hedge(graph, start, goal, heuristic, manhattan, **options)


def dijkstra(
    graph: Any, start: Any, goal: Any, heuristic: Heuristic, **options: Any
) -> Result[Any]:
    return search(graph, start, goal, zero, key=ASTAR, **options)


def dijkstra_from_both_ends(
    graph: Any, start: Any, goal: Any, heuristic: Heuristic, **options: Any
) -> Result[Any]:
    return search_bidirectional(graph, start, goal, zero, key=ASTAR, **options)


NAMED: dict[str, Search] = {
    "greedy": partial(search, key=GREEDY),
    "astar": partial(search, key=ASTAR),
    "dijkstra": dijkstra,
    "wastar": partial(search, key=Key(g=1.0, h=2.0)),
    "bfs": partial(search, key=BFS),
    "depth": partial(search, key=Key(g=0.0, h=1.0, depth=-0.8)),
    "bfws": bfws,
    "mha": mha,
    "hedge": hedge,
}
BIDIRECTIONAL: dict[str, Search] = {
    "bidirectional": partial(search_bidirectional, key=GREEDY),
    "bibfs": partial(search_bidirectional, key=BFS),
    "bidijkstra": dijkstra_from_both_ends,
    "biastar": partial(search_bidirectional, key=ASTAR),
}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", NAMED)
def test_the_contract(name: str, check: Callable[[Search], None]) -> None:
    check(NAMED[name])


@pytest.mark.parametrize("check", FROM_BOTH_ENDS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", BIDIRECTIONAL)
def test_the_contract_from_both_ends(name: str, check: Callable[[Search], None]) -> None:
    check(BIDIRECTIONAL[name])


def test_every_search_that_has_a_name_is_checked() -> None:
    assert {*NAMED, *BIDIRECTIONAL, "bounded"} == set(built_in_searches())


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("weights", [(1.0, 1.0), (2.0, 1.5), (1.0, 9.0)])
def test_the_contract_with_weights(
    weights: tuple[float, float], check: Callable[[Search], None]
) -> None:
    if check is not searches_graphs_met_on_the_way:  # as with a bound
        check(partial(mha, w1=weights[0], w2=weights[1]))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("bound", [1.0, 1.5, float("inf")])
@pytest.mark.parametrize("key", [GREEDY, ASTAR], ids=["greedy", "astar"])
def test_the_contract_with_a_bound(key: Key, bound: float, check: Callable[[Search], None]) -> None:
    # Less is known of a graph that is met on the way, so that more must be expanded for a proof.
    # A proof evaluates no nodes, and at a limit the best path is returned (see test_bounded.py).
    others = (searches_graphs_met_on_the_way, evaluates_every_node, stops_at_a_limit)
    if check not in others:
        check(partial(search, key=key, bound=bound))


@pytest.mark.parametrize(
    "fault",
    [
        {"outcome": Outcome.LIMIT},
        {"expansions": 3},
        {"cost": 2.0},
        {"reopened": 1},
        {"generated": 1},
    ],
    ids=lambda fault: next(iter(fault)),
)
def test_every_fault_is_found(fault: dict[str, Any]) -> None:
    def faulty(*arguments: Any, **options: Any) -> Result:
        return replace(search(*arguments, **options), **fault)

    with pytest.raises(AssertionError):
        check_search(faulty)
