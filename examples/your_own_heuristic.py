"""Write your own heuristic: the sliding puzzle, guided by how far its tiles are from home.

python examples/your_own_heuristic.py
"""

import random

import numpy as np

import phil

SIDE = 3
HOME = (*range(1, SIDE * SIDE), 0)  # the tiles in order; 0 is the gap


def slides(tiles):
    """The positions one slide away; the puzzle's graph is never built as a whole."""
    gap = tiles.index(0)
    row, column = divmod(gap, SIDE)
    for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        if 0 <= r < SIDE and 0 <= c < SIDE:
            after = list(tiles)
            after[gap], after[r * SIDE + c] = after[r * SIDE + c], 0
            yield tuple(after)


def moves_home(tiles):
    """The number of slides if tiles could pass through each other (Manhattan distance)."""
    pairs = ((divmod(k, SIDE), divmod(tile - 1, SIDE)) for k, tile in enumerate(tiles) if tile)
    return sum(abs(a - b) for here, home in pairs for a, b in zip(here, home, strict=True))


class TilesFromHome:  # creates a guide for each search
    name = "tiles from home"

    def begin(self, graph, start, goal):
        return TileGuide(graph)


class TileGuide:  # called after every expansion for the values of the new nodes
    def __init__(self, graph):
        self.graph = graph

    def score(self, expansion):
        return np.array([moves_home(self.graph.nodes[node]) for node in expansion.new], float)


dice = random.Random(0)
start = HOME
for _ in range(60):
    start = dice.choice(list(slides(start)))
puzzle = phil.ImplicitGraph(slides)
for text, heuristic, key in (
    ("breadth first", "zero", phil.BFS),
    ("A*", TilesFromHome(), phil.ASTAR),
    ("greedy", TilesFromHome(), phil.GREEDY),
):
    result = phil.search(puzzle, start, HOME, heuristic, key=key)
    print(f"{text:14} {result.expansions:6} expansions, {result.length} slides")
