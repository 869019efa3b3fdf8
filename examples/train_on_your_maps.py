"""Train a heuristic on a folder of maps, and search with it.

python examples/train_on_your_maps.py
"""

from pathlib import Path

from PIL import Image

import phil
from phil.problems.generated import generate_maps

# Put your own PNG maps into a folder: white is free, black is blocked, the start is the bottom-left
# corner and the goal the top-right one. Sixty small mazes stand in for them here.
folder = Path("my_maps")
folder.mkdir(exist_ok=True)
for number, free in enumerate(generate_maps("mazes", 60, seed=0, shape=(51, 51))):
    Image.fromarray(free).save(folder / f"{number}.png")

problems = phil.open_set(folder)  # split 80/10/10 into train, validation and test
# These settings keep the example short; omit them for the best heuristic.
quick = {"iterations": 10, "hard_candidates": 0, "tune": 0}
heuristic = phil.train(problems, settings=quick, output="mine.safetensors")

print(phil.evaluate(problems, ["mine.safetensors", "euclidean", "astar"]))  # on the test maps
for problem in problems.test:
    result = phil.search(problem.graph, problem.start, problem.goal, heuristic)
    print(f"{problem.name}: {result.expansions} expansions")

# Later, also on machines without torch: heuristic = phil.load("mine.safetensors")
