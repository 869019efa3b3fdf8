"""The 15-puzzle: an undirected graph of 10^13 states, with one goal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil import GREEDY, Domain, ImplicitGraph, Key
from reproduction.domain.game import Game, Rival

SIDE = 4
CELLS = SIDE * SIDE
SLIDES = 80  # of a scramble
HOME = (*range(1, CELLS), 0)  # 0 is the gap
STEPS = [
    [
        SIDE * r + c
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        if 0 <= r < SIDE and 0 <= c < SIDE
    ]
    for row, column in (divmod(cell, SIDE) for cell in range(CELLS))
]

State = tuple[int, ...]


def slides(state: State) -> list[State]:
    """The states one slide away."""
    gap = state.index(0)
    found = []
    for cell in STEPS[gap]:
        after = list(state)
        after[gap], after[cell] = after[cell], 0
        found.append(tuple(after))
    return found


def scramble(random: np.random.Generator, difficulty: float) -> tuple[State, State]:
    """A state after a random walk that never takes a slide back, and the solved one."""
    before, state = None, HOME
    for _ in range(max(1, round(SLIDES * difficulty))):
        choices = [other for other in slides(state) if other != before]
        before, state = state, choices[random.integers(len(choices))]
    return state, HOME


def places(states: list[State]) -> NDArray[np.int64]:
    """The cell of each of the tiles 1, 2, ..., and last of the gap."""
    return np.roll(np.argsort(np.array(states), axis=1), -1, axis=1)


def manhattan(states: list[State]) -> NDArray[np.float64]:
    """How many slides the tiles are from home, if they could pass each other."""
    here, home = places(states)[:, :-1], np.arange(CELLS - 1)
    rows, columns = abs(here // SIDE - home // SIDE), abs(here % SIDE - home % SIDE)
    total: NDArray[np.float64] = (rows + columns).sum(axis=1).astype(np.float64)
    return total


def features(states: list[State]) -> NDArray[np.float64]:
    """The rows and columns of all tiles and of the gap, and the Manhattan distance."""
    here = places(states)
    return np.column_stack([here // SIDE, here % SIDE, manhattan(states)])


PUZZLE = Game(
    title="15-puzzle",
    about=(
        f"Scrambles of {SLIDES} random slides, none of which takes the last one back, to one goal. "
        "The features are the row and column of every tile and the Manhattan distance. The graph "
        "is undirected."
    ),
    domain=Domain(
        ImplicitGraph(slides, features_of_many=features, dim=2 * CELLS + 1),
        scramble,
        directed=False,
        name="15-puzzle",
    ),
    rivals={
        "greedy Manhattan": Rival(manhattan, GREEDY),
        "weighted A*, w = 5, Manhattan": Rival(manhattan, Key(g=1.0, h=5.0)),
    },
)
