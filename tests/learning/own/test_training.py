"""Training a network of one's own, and what is refused."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

import phil
from phil.errors import InputError
from phil.evaluation import Method
from phil.heuristics.own import OwnHeuristic
from phil.learning import Iteration
from phil.problems.generated import generate_maps
from tests.learning.small import graph_problems, grid_problems, small_set
from tests.own_networks import Beeline, Perceptron

SIDE = 31
SHORT: dict[str, Any] = {"iterations": 2, "rollouts": 2, "steps": 2, "validate_every": 1}


def maps(split: str, count: int) -> tuple[phil.Problem, ...]:
    found = generate_maps("shifting_gaps", count, 0, split, (SIDE, SIDE))
    grids = [phil.GridGraph(free) for free in found]
    return tuple(
        phil.Problem(grid, grid.node(SIDE - 1, 0), grid.node(0, SIDE - 1)) for grid in grids
    )


def expansions(problems: tuple[phil.Problem, ...], heuristic: Any) -> float:
    [score] = phil.evaluate(problems, [Method("", phil.GREEDY, heuristic)])
    assert len(score.solved) == len(problems)
    assert score.expansions.mean is not None
    return score.expansions.mean


def untrained(problems: phil.ProblemSet, make: Any) -> Any:
    """The network after a training that changes next to nothing."""
    nothing = SHORT | {"iterations": 1, "steps": 1, "learning_rate": 1e-12}
    return phil.train(problems, network=make, settings=nothing)


def test_training_teaches_a_network_to_search_unseen_maps(tmp_path: Path) -> None:
    problems = phil.ProblemSet("maps", maps("train", 40), maps("validation", 10))
    network = partial(Perceptron, width=32)
    reports: list[Iteration] = []
    output = tmp_path / "own.safetensors"
    trained = phil.train(
        problems,
        network=network,
        settings={"iterations": 10, "rollouts": 8, "validate_every": 2},
        output=output,
        report=reports.append,
    )
    unseen = maps("test", 15)
    learned = expansions(unseen, trained)
    assert learned < 0.3 * expansions(unseen, untrained(problems, network))
    assert learned < 0.7 * expansions(unseen, phil.load("euclidean"))
    again = phil.load(str(output), network=network)
    assert expansions(unseen, again) == learned
    assert [one.number for one in reports] == [*range(1, 11)]
    assert [one.validation is None for one in reports] == [True, False] * 5
    assert trained.metadata.training["settings"]["iterations"] == 10
    assert "width" not in trained.metadata.training["settings"]
    assert trained.metadata.validation["expansions"]["mean"] > 0


def test_the_same_seed_gives_the_same_heuristic() -> None:
    def tensors(seed: int) -> list[float]:
        trained = phil.train(small_set(), network=Perceptron, settings=SHORT, seed=seed)
        return [float(tensor.sum()) for tensor in trained.tensors.values()]

    assert tensors(1) == tensors(1) != tensors(2)


@pytest.mark.parametrize("make", [Beeline, partial(Perceptron, width=5)])
def test_graphs_and_inputs_of_ones_own(make: Any) -> None:
    problems = phil.ProblemSet("rings", graph_problems(4), graph_problems(2, seed=1))
    trained = phil.train(problems, network=make, settings=SHORT, features="")
    assert isinstance(trained, OwnHeuristic)
    problem = problems.train[0]
    assert phil.search(problem.graph, problem.start, problem.goal, trained).solved


def test_a_factor_learns_its_sign() -> None:
    """With a negative factor, the search would run away from the goal."""
    problems = phil.ProblemSet("maps", grid_problems(4), grid_problems(2, seed=1))
    settings = SHORT | {"iterations": 6, "steps": 40, "learning_rate": 0.05}
    trained = phil.train(problems, network=Beeline, settings=settings)
    assert untrained(problems, Beeline).tensors["factor"] == pytest.approx(-1)
    assert trained.tensors["factor"] > 0


@pytest.mark.parametrize("search", ["astar", "wastar(2)"])
def test_it_can_be_trained_for_other_searches(search: str) -> None:
    trained = phil.train(small_set(), network=Perceptron, settings=SHORT | {"search": search})
    assert trained.metadata.validation["search"] == search


class Normed(nn.Module):
    """Its statistics are counted in integers."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(2 * features)

    def forward(self, x: Tensor) -> Tensor:
        values: Tensor = self.norm(x)
        return values.sum(1)


class Two(Perceptron):
    def forward(self, x: Tensor) -> Tensor:
        return torch.stack([super().forward(x)] * 2, 1)


class Detached(Perceptron):
    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x).detach()


class NoNumber(Perceptron):
    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x) * float("nan")


class Flat(Perceptron):
    def inputs(self, graph: Any, nodes: Any, goal: int) -> Any:
        return np.zeros(len(nodes))


class Wide(Perceptron):
    def inputs(self, graph: Any, nodes: Any, goal: int) -> Any:
        return np.zeros((len(nodes), 77))


def empty(features: int) -> nn.Module:
    return nn.Flatten(0)


@pytest.mark.parametrize(
    ("network", "said"),
    [
        (Normed, "num_batches_tracked of Normed holds torch.int64.*LayerNorm"),
        (Two, r"Two gave values of shape \(2, 2\) for inputs of shape \(2, 4\)"),
        (Detached, "the values of Detached do not depend on its parameters"),
        (NoNumber, r"NoNumber gave \[nan, nan\]"),
        (Flat, r"Flat.inputs gave an array of shape \(2,\) for 2 nodes"),
        (Wide, "Wide failed on inputs of two nodes: RuntimeError: mat1 and mat2"),
        (empty, "Flatten has no parameters"),
        (lambda features: Perceptron(*range(9)), "failed: TypeError: .*positional arguments"),
        (lambda features: features, r"must be a torch.nn.Module, not a int"),
    ],
)
def test_networks_that_cannot_be_trained(network: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        phil.train(small_set(), network=network, settings=SHORT)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"settings": {"width": 8}}, "setting width is of PHIL's own network.*iterations"),
        ({"settings": {"candidates": 2}}, "setting candidates is of PHIL's own network"),
        ({"settings": {"tune": 1}}, "setting tune is of PHIL's own network"),
        ({"settings": {"itterations": 1}}, "did you mean 'iterations'"),
        ({"settings": {"beta": 7}}, "setting beta=7"),
        ({"preset": "paper"}, "preset 'paper' is of PHIL's own network"),
        ({"method": "sail"}, "method is 'sail', which has a network of its own"),
        ({"network": 3}, "network must be a function"),
        ({"network": None, "method": "own"}, "pass its class as network="),
        ({"resume": True}, "own cannot be resumed; start a new one"),
    ],
)
def test_arguments_that_make_no_sense(arguments: dict[str, Any], said: str, tmp_path: Path) -> None:
    given: dict[str, Any] = {
        "network": Perceptron,
        "output": tmp_path / "own.safetensors",
    } | arguments
    with pytest.raises(InputError, match=said):
        phil.train(small_set(), **given)
