"""Peg solitaire on the English board: a directed graph with dead ends.

A peg jumps over a neighbour into a hole, and the neighbour is removed, until one peg is left in the
centre. All paths from a state have the same length; from many states there is none.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil import GREEDY, Domain, ImplicitGraph
from reproduction.domain.game import Game, Rival

MOVES = 20  # of a problem
HOLES = [(r, c) for r in range(7) for c in range(7) if 2 <= r <= 4 or 2 <= c <= 4]
NUMBER = {hole: k for k, hole in enumerate(HOLES)}
AROUND = ((0, 1), (0, -1), (1, 0), (-1, 0))
# The two pegs and the hole of every jump, as bits.
JUMPS = [
    (1 << NUMBER[r, c] | 1 << NUMBER[r + dr, c + dc], 1 << NUMBER[r + 2 * dr, c + 2 * dc])
    for r, c in HOLES
    for dr, dc in AROUND
    if (r + 2 * dr, c + 2 * dc) in NUMBER
]
GOAL = 1 << NUMBER[3, 3]
FROM_CENTRE = np.array([abs(r - 3) + abs(c - 3) for r, c in HOLES], float)
NEXT_TO = np.array([[abs(r - a) + abs(c - b) == 1 for a, b in HOLES] for r, c in HOLES], float)


def jumps(state: int) -> list[int]:
    """The states after one jump."""
    return [
        state ^ pegs ^ hole for pegs, hole in JUMPS if state & pegs == pegs and not state & hole
    ]


def jumps_back(state: int) -> list[int]:
    """The states before one jump."""
    return [state ^ two ^ hole for two, hole in JUMPS if state & hole and not state & two]


def position(random: np.random.Generator, difficulty: float) -> tuple[int, int]:
    """A state after a random walk backwards from the goal, and the goal."""
    state = GOAL
    for _ in range(max(1, round(MOVES * difficulty))):
        choices = jumps_back(state)
        if not choices:
            break
        state = choices[random.integers(len(choices))]
    return state, GOAL


def pegs(states: list[int]) -> NDArray[np.float64]:
    """Which holes have pegs, (states, holes)."""
    return (np.array(states, np.int64)[:, None] >> np.arange(len(HOLES)) & 1).astype(np.float64)


def isolated(states: list[int]) -> NDArray[np.float64]:
    """The number of pegs without a peg next to them."""
    found = pegs(states)
    total: NDArray[np.float64] = (found * (found @ NEXT_TO == 0)).sum(axis=1)
    return total


def far_out(states: list[int]) -> NDArray[np.float64]:
    """The sum of the distances of all pegs from the centre."""
    total: NDArray[np.float64] = pegs(states) @ FROM_CENTRE
    return total


def few_and_together(states: list[int]) -> NDArray[np.float64]:
    """The number of pegs, of which isolated ones count three times."""
    total: NDArray[np.float64] = pegs(states).sum(axis=1) + 2 * isolated(states)
    return total


def features(states: list[int]) -> NDArray[np.float64]:
    """The pegs, their number, their distance from the centre, and how many are isolated."""
    found = pegs(states)
    return np.column_stack([found, found.sum(axis=1), far_out(states), isolated(states)])


SOLITAIRE = Game(
    title="peg solitaire",
    about=(
        f"States {MOVES} random moves back from the last peg in the centre, on the English board "
        "of 33 holes. The features are the holes with pegs, the number of pegs, the sum of their "
        "distances from the centre, and the number of isolated pegs. The graph is directed and has "
        "dead ends; all paths of a problem have the same length."
    ),
    domain=Domain(
        ImplicitGraph(jumps, features_of_many=features, dim=len(HOLES) + 3),
        position,
        predecessors=jumps_back,
        name="peg solitaire",
    ),
    rivals={
        "greedy, distance from the centre": Rival(far_out, GREEDY),
        "greedy, pegs + 2 isolated pegs": Rival(few_and_together, GREEDY),
    },
)
