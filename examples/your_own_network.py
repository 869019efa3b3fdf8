"""Train a torch network of your own by PHIL's roll-outs, save it, load it and search with it.

python examples/your_own_network.py
"""

import numpy as np
import torch

import phil
from phil.evaluation import Method, parse_method
from phil.problems.generated import generate_maps

SIDE = 41


class MyNetwork(torch.nn.Module):
    """A small perceptron; it is made from the number of features of a node, here x and y."""

    def __init__(self, features, width=32):
        super().__init__()
        self.layers = torch.nn.Sequential(
            torch.nn.Linear(2 * features + 1, width),
            torch.nn.ReLU(),
            torch.nn.Linear(width, width),
            torch.nn.ReLU(),
            torch.nn.Linear(width, 1),
        )

    def inputs(self, graph, nodes, goal):
        """What it reads of nodes, one row each: place, way to the goal, straight-line distance."""
        here, there = graph.features_of(nodes) / SIDE, graph.features_of([goal]) / SIDE
        return np.hstack([here, there - here, np.linalg.norm(there - here, axis=1, keepdims=True)])

    def forward(self, x):
        """The distance to the goal, in sides of the map."""
        return self.layers(x)


def problems(split, count):
    maps = generate_maps("shifting_gaps", count, seed=0, split=split, shape=(SIDE, SIDE))
    grids = [phil.GridGraph(free) for free in maps]
    return tuple(
        phil.Problem(grid, grid.node(SIDE - 1, 0), grid.node(0, SIDE - 1)) for grid in grids
    )


mine = phil.ProblemSet("my maps", problems("train", 40), problems("validation", 10))
quick = {"iterations": 10, "rollouts": 8, "validate_every": 2}
phil.train(mine, network=MyNetwork, settings=quick, output="mine.safetensors")

heuristic = phil.load("mine.safetensors", network=MyNetwork)
methods = [Method("my network", phil.GREEDY, heuristic), parse_method("euclidean")]
for score in phil.evaluate(problems("test", 20), methods):
    print(f"{score.method:10} {score.expansions.mean:6.1f} expansions")
