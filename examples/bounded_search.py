"""Bound the path cost: at most 1.5 times the optimum, whatever the heuristic says.

python examples/bounded_search.py
"""

import phil
from phil.problems.generated import generate_maps

grid = phil.GridGraph(generate_maps("forest", 1, seed=0, split="test")[0])
start, goal = (200, 0), (0, 200)
heuristic = phil.load("phil:forest")  # or a file you trained

best = phil.search(grid, start, goal, "astar(octile)")
print(f"A*: {best.expansions} expansions, cost {best.cost:.1f}")

# A bound costs expansions: the search continues until the bound is proven.
for bound in (None, 1.5, 1.1, 1.05, 1.0):
    result = phil.search(grid, start, goal, heuristic, bound=bound)
    said = "no bound" if bound is None else f"bound {bound}, proven {result.proven:.3f}"
    ratio = result.cost / best.cost
    print(f"PHIL, {said}: {result.expansions} expansions, {ratio:.3f} x the optimum")

# Anytime search yields better and better paths until the limit is reached.
limits = phil.Limits(expansions=3_000)
for result in phil.anytime(grid, start, goal, heuristic, limits=limits):
    print(f"anytime: cost {result.cost:.1f} after {result.expansions} expansions")

# MHA* combines several heuristics; its bound is the product of the two weights.
result = phil.search_mha(grid, start, goal, ["octile", heuristic], w1=1.5, w2=1.5)
print(f"MHA*: {result.expansions} expansions, proven {result.proven:.3f}")
