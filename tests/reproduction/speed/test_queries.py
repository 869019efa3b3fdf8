"""The queries that all libraries are asked: one graph, whatever the library, and checked paths."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.graphs.distances import costs_to
from reproduction.speed.common import Cell
from reproduction.speed.libraries import PEERS, Peer
from reproduction.speed.queries import KING, RULES, STRICT, Query, edges, path_cost
from tests.strategies import edge_costs, maps, node_ids


def query(free: NDArray[np.bool_], rule: str, start: Cell = (0, 0), goal: Cell = (0, 0)) -> Query:
    return Query("kind", "map", free, start, goal, RULES[rule])


@given(maps(), st.sampled_from(list(RULES)))
def test_the_edges_are_those_of_our_grid(free: NDArray[np.bool_], rule: str) -> None:
    asked = query(free, rule)
    pairs, costs = edges(asked)
    found = {(one, other): cost for (one, other), cost in zip(pairs.tolist(), costs, strict=True)}
    assert len(found) == len(pairs)
    both = found | {(other, one): cost for (one, other), cost in found.items()}
    assert both == edge_costs(asked.grid())


@given(maps(), st.sampled_from(list(RULES)), st.data())
def test_the_estimate_is_a_lower_bound(
    free: NDArray[np.bool_], rule: str, data: st.DataObject
) -> None:
    grid = query(free, rule).grid()
    goal = data.draw(st.sampled_from(node_ids(grid)))
    estimate = query(free, rule, goal=grid.cell(goal)).estimate()
    costs = costs_to(grid, goal)
    assert all(estimate(node) <= costs[node] + 1e-9 for node in node_ids(grid))


@pytest.mark.parametrize(
    ("peer", "rule"),
    [
        pytest.param(peer, rule.name, id=f"{peer.name}, {rule.name}")
        for peer in PEERS
        for rule in peer.rules
    ],
)
def test_every_library_finds_the_way(peer: Peer, rule: str) -> None:
    pytest.importorskip(peer.module)
    free = np.random.default_rng(3).random((25, 30)) < 0.8
    free[:2, :2] = free[-2:, -2:] = True
    asked = query(free, rule, (0, 0), (24, 29))
    built = peer.build(asked)
    least = costs_to(asked.grid(), asked.nodes[1])[0]
    for _ in range(2):  # the second answer must not depend on the first
        cost = path_cost(asked, built.cells(built.ask()))
        # tcod's costs are whole numbers, 99 for a diagonal move and 70 for a straight one.
        assert cost == pytest.approx(least, rel=1e-4) if peer.optimal else cost >= least - 1e-9


CORNER = np.array([[True, False], [True, True]])


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ([(0, 0), (1, 0)], "does not join"),
        ([(0, 0), (0, 1), (1, 1)], "enters an obstacle"),
        ([(0, 0), (0, 0), (1, 1)], "jumps"),
        ([(0, 0), (1, 1)], "cuts a corner"),
    ],
)
def test_what_is_no_path_is_found_out(path: list[Cell], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        path_cost(query(CORNER, STRICT.name, (0, 0), (1, 1)), np.array(path))


def test_what_a_path_costs() -> None:
    asked = query(CORNER, KING.name, (0, 0), (1, 1))
    assert path_cost(asked, np.array([(0, 0), (1, 1)])) == 1.0
    assert path_cost(asked, np.array([(0, 0), (1, 0), (1, 1)])) == 2.0
