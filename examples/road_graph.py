"""Search the streets of a town stored in networkx, and train a heuristic for it.

python examples/road_graph.py
"""

import random

import networkx as nx

import phil
from phil.networkx import heuristic_search

# A town of 40 x 40 crossings with two rivers and one bridge over each. For a real one:
#     town = osmnx.graph_from_place("Modena, Italy", network_type="drive"), weight="length"
dice = random.Random(0)
town = nx.grid_2d_graph(40, 40)
for row, bridge in ((13, 36), (26, 3)):
    town.remove_nodes_from([(column, row) for column in range(40) if column != bridge])
for column, row in town:
    place = {"x": 100 * column + dice.uniform(-30, 30), "y": 100 * row + dice.uniform(-30, 30)}
    town.nodes[column, row].update(place)
for u, v in town.edges:
    a, b = town.nodes[u], town.nodes[v]
    town.edges[u, v]["weight"] = ((a["x"] - b["x"]) ** 2 + (a["y"] - b["y"]) ** 2) ** 0.5

# Train on random trips. These settings keep the example short; omit them for the best heuristic.
trips = phil.open_set(town, count=100)
learned = phil.train(trips, settings={"iterations": 4, "hard_candidates": 0})

home, work = (0, 0), (39, 39)
least = nx.dijkstra_path_length(town, home, work)
for name, heuristic in (("euclidean", "euclidean"), ("landmarks", "landmarks"), ("PHIL", learned)):
    result = heuristic_search(town, home, work, heuristic)
    print(f"{name:10} {result.expansions:4} expansions, {result.cost / least:.2f} x the optimum")
best = heuristic_search(town, home, work, "landmarks", key=phil.ASTAR)
print(f"{'A*':10} {best.expansions:4} expansions, {best.cost / least:.2f} x the optimum")
