"""Search a map that is discovered on the way: cells are checked only when the search needs them.

python examples/costly_expansions.py
"""

from itertools import product

import phil
from phil.problems.generated import generate_maps

# A stand-in for the real world: a robot, a simulator or a database would answer here, and take its
# time. What counts is the number of calls.
world = generate_maps("shifting_gaps", 1, seed=0, split="test")[0]
rows, columns = world.shape
MILLISECONDS = 20  # the cost of one call


def neighbors(cell: tuple[int, int]) -> list[tuple[int, int]]:
    """The cells reachable from a cell; imagine that this call is expensive."""
    row, column = cell
    around = product((row - 1, row, row + 1), (column - 1, column, column + 1))
    return [near for near in around if near != cell and is_free(*near)]


def is_free(row: int, column: int) -> bool:
    return 0 <= row < rows and 0 <= column < columns and bool(world[row, column])


graph = phil.ImplicitGraph.on_grid(neighbors, world.shape)
start, goal = (200, 0), (0, 200)
for text, name, key in (
    ("A*", "euclidean", phil.ASTAR),
    ("greedy Euclidean", "euclidean", phil.GREEDY),
    ("PHIL", "phil:shifting_gaps", phil.GREEDY),
):
    result = phil.search(graph, start, goal, name, key=key)
    print(
        f"{text:17} {result.expansions:6} expansions, {result.calls:6} calls "
        f"({result.lookahead_calls} to look ahead): "
        f"{result.calls * MILLISECONDS / 1000:.0f} s of waiting"
    )

# Graphs need not be maps: any hashable value can be a node, and edges may have weights.
flights = {"Oslo": {"Rome": 2.5, "Bonn": 1.5}, "Bonn": {"Rome": 1.75}, "Rome": {}}
cities = phil.ImplicitGraph(lambda city: flights[city])
result = phil.search(cities, "Oslo", "Rome", "dijkstra")
print(result.path, result.cost)
