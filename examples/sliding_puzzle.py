"""Learn the 15-puzzle, whose graph is never built: python examples/sliding_puzzle.py [--quick]"""

import sys

import numpy as np

import phil

HOME = (*range(1, 16), 0)  # 0 is the gap


def slides(tiles):
    gap = tiles.index(0)
    row, column = divmod(gap, 4)
    for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        if 0 <= r < 4 and 0 <= c < 4:
            after = list(tiles)
            after[gap], after[4 * r + c] = after[4 * r + c], 0
            yield tuple(after)


def features(tiles):  # the rows and columns of all tiles, and how far they are from home
    rows, columns = zip(*(divmod(tiles.index(tile), 4) for tile in HOME), strict=True)
    away = sum(abs(rows[k] - k // 4) + abs(columns[k] - k % 4) for k in range(15))
    return [*rows, *columns, away]


def scramble(random, difficulty):  # a start, after at most 80 slides from home, and the goal
    before, tiles = None, HOME
    for _ in range(max(1, round(80 * difficulty))):
        choices = [other for other in slides(tiles) if other != before]
        before, tiles = tiles, choices[random.integers(len(choices))]
    return tiles, HOME


puzzle = phil.Domain(phil.ImplicitGraph(slides, features, 33), scramble, directed=False)
quick = {"rounds": 2, "iterations": 5, "explore": 1000, "attempts": 20, "validation": 5}
heuristic = phil.train(puzzle, settings=quick if "--quick" in sys.argv else {})
print(phil.search(puzzle.graph, *scramble(np.random.default_rng(0), 1.0), heuristic))
