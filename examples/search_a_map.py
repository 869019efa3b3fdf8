"""Search a map with a heuristic shipped with PHIL, and draw what it expanded.

python examples/search_a_map.py
"""

from pathlib import Path

import phil
from phil.problems.generated import generate_maps
from phil.view import save_picture

# A Boolean array, True where a cell is free. For your own map:
#     free = phil.read_map("map.png")
free = generate_maps("shifting_gaps", 1, seed=0, split="test")[0]
grid = phil.GridGraph(free)
start, goal = (200, 0), (0, 200)  # (row, column), row 0 is the top

for name in ("phil:shifting_gaps", "euclidean"):
    result = phil.search(grid, start, goal, name, trace=True)
    print(f"{name}: {result.outcome}, {result.expansions} expansions, cost {result.cost:.1f}")
    picture = Path(name.replace(":", "_") + ".png")
    save_picture(picture, grid, result)
    print(f"  see {picture}")
