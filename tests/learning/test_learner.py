"""The learner: its steps against the same steps taken by hand, and that it learns."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import pytest
import torch
from torch import Tensor

from phil.graphs import Graph
from phil.heuristics.file import Tensors
from phil.heuristics.phil.batches import Gatherer
from phil.heuristics.phil.network import PhilNetwork
from phil.heuristics.phil.specification import CONVOLUTIONS
from phil.heuristics.scaling import frame
from phil.learning.learner import Learner, tensors_of
from phil.learning.losses import ranking_loss
from phil.learning.rollout import Rollout
from phil.problems.problem import Problem
from tests.learning.small import Setup, corner_problem, graph_problems, grid_problems

TINY: dict[str, object] = {"width": 8, "memory": 4, "iterations": 4}
ONE_STEP: dict[str, object] = {"rollouts": 1, "batch": 1, "steps": 1}
SHORT = ONE_STEP | {"horizon": 60, "rollout": 12}
STILL = ONE_STEP | {"learning_rate": 1e-30}  # too small a rate to change any weight


class Learning(Setup):
    """A learner, with the network as it was before the first step."""

    def __init__(
        self,
        problems: tuple[Problem, ...],
        preset: str,
        changes: Mapping[str, object],
        *,
        seed: int = 0,
        number: int = 0,
    ) -> None:
        super().__init__(problems, preset, TINY | dict(changes))
        self.learner = Learner(
            self.oracle, self.settings, self.network_settings, self.scaling, seed, number
        )
        self.before = copy.deepcopy(self.learner.network)
        self.gatherer = Gatherer(self.oracle.problems, self.network_settings, self.scaling)

    def by_hand(
        self, network: PhilNetwork, trajectory: Rollout, memory: Tensor, *, cut: bool = False
    ) -> tuple[Tensor, Tensor]:
        """Values and scaled distances of a trajectory, step by step; `cut`: time is cut off."""
        values = []
        for step in range(trajectory.steps):
            place = slice(trajectory.first[step], trajectory.first[step + 1])
            batch = self.gatherer.gather(
                [(trajectory.problem, trajectory.nodes[place], trajectory.trail[place])]
            )
            found, memory = network(batch, memory.detach() if cut else memory)
            values.append(found)
        return torch.cat(values), torch.from_numpy(trajectory.distance) / self.scale(trajectory)

    def scale(self, trajectory: Rollout) -> float:
        """What a value of 1 is worth in moves."""
        return frame(self.oracle.problems[trajectory.problem].graph, self.scaling).distance

    def squared_errors(self, trajectory: Rollout, memory: Tensor) -> Tensor:
        """One per node, of the first network."""
        with torch.no_grad():
            values, exact = self.by_hand(self.before, trajectory, memory)
        return (values - exact).square()


def zeros(learning: Learning) -> Tensor:
    return torch.zeros(learning.settings.memory)


def close_to(value: float) -> object:
    return pytest.approx(value, rel=2e-5)


def clipped_gradients(network: PhilNetwork, clip: float) -> list[Tensor]:
    torch.nn.utils.clip_grad_norm_(network.parameters(), clip)
    return [p.grad for p in network.parameters() if p.grad is not None]


def same(left: Tensors, right: Tensors) -> bool:
    return left.keys() == right.keys() and all(np.array_equal(left[k], right[k]) for k in left)


@pytest.mark.parametrize("kind", ["grid", "graph"])
@pytest.mark.parametrize("start", ["rolled", "zero"])
def test_the_memory_is_carried_on_from_where_it_starts(start: str, kind: str) -> None:
    problems = grid_problems(1) if kind == "grid" else graph_problems(1, edge_features=1)
    learning = Learning(problems, "paper", SHORT | {"memory_start": start}, seed=3)
    loss = learning.learner.iterate(1)
    [trajectory] = learning.learner.trajectories
    rolled = torch.from_numpy(trajectory.memory[0])
    assert rolled.abs().max() > 0.01, "the roll-in must have left a memory"
    losses = {
        "rolled": float(learning.squared_errors(trajectory, rolled).mean()),
        "zero": float(learning.squared_errors(trajectory, zeros(learning)).mean()),
    }
    assert loss == close_to(losses[start])
    assert losses["rolled"] != pytest.approx(losses["zero"], rel=2e-4)


def test_trajectories_are_trained_side_by_side() -> None:
    """Of different lengths, and where a step uncovers nothing the memory stays as it was."""
    changes = {"rollouts": 4, "batch": 100, "horizon": 150, "rollout": 40}
    learning = Learning(grid_problems(3, side=12), "paper", STILL | changes)
    for iteration in (1, 2, 3):
        loss = learning.learner.iterate(iteration)
        known = learning.learner.trajectories
        errors = [learning.squared_errors(t, torch.from_numpy(t.memory[0])) for t in known]
        assert loss == close_to(float(torch.cat(errors).mean()))
    assert len({trajectory.steps for trajectory in known}) > 1
    assert any(0 in np.diff(t.first)[: np.argmax(t.first == t.nodes.size)] for t in known)
    assert same(tensors_of(learning.learner.network), tensors_of(learning.before))


def test_a_batch_holds_no_trajectory_twice() -> None:
    changes = {"rollouts": 4, "batch": 2, "horizon": 60, "rollout": 12}
    learning = Learning(grid_problems(3), "paper", STILL | changes)
    for iteration in range(1, 5):
        loss = learning.learner.iterate(iteration)
        errors = [
            learning.squared_errors(trajectory, torch.from_numpy(trajectory.memory[0]))
            for trajectory in learning.learner.trajectories
        ]
        assert any(
            loss == close_to(float(torch.cat(pair).mean())) for pair in combinations(errors, 2)
        )


def test_gradients_flow_through_time() -> None:
    learning = Learning(grid_problems(1), "paper", SHORT, seed=1)
    learning.learner.iterate(1)
    [trajectory] = learning.learner.trajectories
    found = [p.grad for p in learning.learner.network.parameters() if p.grad is not None]
    gradients = {}
    for cut in (False, True):
        network = copy.deepcopy(learning.before)
        values, exact = learning.by_hand(
            network, trajectory, torch.from_numpy(trajectory.memory[0]), cut=cut
        )
        (values - exact).square().mean().backward()  # type: ignore[no-untyped-call]
        gradients[cut] = clipped_gradients(network, learning.settings.clip)
    for gradient, expected in zip(found, gradients[False], strict=True):
        assert torch.allclose(gradient, expected, rtol=1e-3, atol=1e-6)
    gap = max(
        float((through - cut).abs().max())
        for through, cut in zip(gradients[False], gradients[True], strict=True)
    )
    assert gap > 1e-3


def test_a_step_is_one_of_adam() -> None:
    learning = Learning(grid_problems(1), "paper", SHORT)
    learning.learner.iterate(1)
    [trajectory] = learning.learner.trajectories
    network = learning.before
    adam = torch.optim.Adam(network.parameters(), lr=learning.settings.learning_rate)
    values, exact = learning.by_hand(network, trajectory, torch.from_numpy(trajectory.memory[0]))
    (values - exact).square().mean().backward()  # type: ignore[no-untyped-call]
    clipped_gradients(network, learning.settings.clip)
    adam.step()
    for name, value in tensors_of(learning.learner.network).items():
        assert value == pytest.approx(tensors_of(network)[name], rel=1e-3, abs=2e-4), name


@pytest.mark.parametrize("weight", [1.0, 7.0])
def test_underestimates_weigh_more(weight: float) -> None:
    """On a map of two cells there is one node to judge."""
    problem = corner_problem(np.ones((1, 2), bool))
    signs = set()
    for seed in range(6):
        learning = Learning((problem,), "best", ONE_STEP | {"underestimates": weight}, seed=seed)
        loss = learning.learner.iterate(1)
        [trajectory] = learning.learner.trajectories
        with torch.no_grad():
            value, exact = learning.by_hand(learning.before, trajectory, zeros(learning))
        assert (len(value), float(exact)) == (1, 0.0)
        signs.add(float(value) < 0)
        assert loss == close_to(float(value) ** 2 * (weight if float(value) < 0 else 1.0))
    assert signs == {True, False}


def ranking_losses(learning: Learning, trajectory: Rollout) -> list[float]:
    """Of each event, with values and memory computed by hand."""
    with torch.no_grad():
        values, exact = learning.by_hand(learning.before, trajectory, zeros(learning))
    losses = []
    for event in trajectory.events:
        there = torch.from_numpy(event >= 0)
        places = torch.from_numpy(np.maximum(event, 0)).long()
        moves = values[places] * learning.scale(trajectory)
        temperature = learning.settings.temperature
        losses.append(
            float(ranking_loss(moves[None], exact[places][None], there[None], temperature))
        )
    return losses


@pytest.mark.parametrize("remember", [True, False])
def test_the_ranking_loss_is_added(remember: bool) -> None:
    """Each ranked node under the memory that it met."""
    losses = {}
    for weight in (1.0, 3.0):
        changes = {"ranking": weight, "remember": remember}
        learning = Learning(grid_problems(1), "best", ONE_STEP | changes, seed=4)
        losses[weight] = learning.learner.iterate(1)
    [trajectory] = learning.learner.trajectories
    assert len(trajectory.events) > 1
    ranking = (losses[3.0] - losses[1.0]) / 2
    assert any(
        ranking == pytest.approx(loss, rel=1e-3) for loss in ranking_losses(learning, trajectory)
    )
    assert ranking > 0.01


@pytest.mark.parametrize(
    ("preset", "problem", "changes"),
    [
        ("paper", corner_problem(np.ones((6, 6), bool)), {}),
        ("paper", corner_problem(np.ones((6, 6), bool)), {"stop_at_goal": True}),
        ("best", corner_problem(np.ones((1, 9), bool)), {}),
        ("best", corner_problem(np.ones((1, 9), bool)), {"remember": True}),
        ("best", graph_problems(1)[0], {"ranking_rate": 0.001}),
    ],
    ids=["roll-in too long", "goal in the roll-in", "corridor", "with memory", "no event"],
)
def test_a_search_that_is_too_short_still_teaches(
    preset: str, problem: Problem, changes: dict[str, object]
) -> None:
    for seed in range(4):
        learning = Learning((problem,), preset, ONE_STEP | changes, seed=seed)
        assert math.isfinite(learning.learner.iterate(1))
        [trajectory] = learning.learner.trajectories
        assert trajectory.nodes.size > 0
        assert not same(tensors_of(learning.learner.network), tensors_of(learning.before))


def test_windows_where_nothing_is_uncovered_are_left_out() -> None:
    """The hub of a star shows all there is at once."""
    star = Graph.from_edges(70, [(0, leaf) for leaf in range(1, 70)], np.arange(70.0)[:, None])
    changes = ONE_STEP | {"steps": 20, "rollout": 0}
    learning = Learning((Problem(star, 0, 69),), "paper", changes)
    assert math.isfinite(learning.learner.iterate(1))
    [trajectory] = learning.learner.trajectories
    assert np.diff(trajectory.first).tolist() == [69] + [0] * 69


def test_the_oracles_share() -> None:
    problems = grid_problems(1)
    for beta, heuristic_steps in ((1.0, False), (0.0, True)):
        learning = Learning(problems, "best", STILL | {"beta": beta, "handover": 0})
        for iteration in (1, 2, 3):
            learning.learner.iterate(iteration)
        steps = {trajectory.steps for trajectory in learning.learner.trajectories}
        shortest = learning.oracle.distances[0][problems[0].start]
        assert (steps == {shortest}) is not heuristic_steps
        assert len(steps) == 1


def test_the_share_of_the_oracle_falls() -> None:
    """At a share of 0.5^i roll-outs soon are the learner's alone."""
    learning = Learning(grid_problems(1), "best", STILL | {"beta": 0.5, "handover": 0})
    for iteration in (1, 2, 20, 21):
        learning.learner.iterate(iteration)
    first, second, *late = learning.learner.trajectories
    assert late[0].nodes.tolist() == late[1].nodes.tolist()
    assert first.nodes.tolist() != late[0].nodes.tolist()
    assert second.nodes.tolist() != late[0].nodes.tolist()


def test_the_oracle_takes_over_where_asked() -> None:
    learning = Learning(grid_problems(1), "best", STILL | {"beta": 0, "handover": 1})
    for iteration in range(1, 7):
        learning.learner.iterate(iteration)
    alone, *handed_over = learning.learner.trajectories
    assert all(trajectory.reached for trajectory in handed_over)
    assert max(trajectory.steps for trajectory in handed_over) <= alone.steps
    assert len({trajectory.steps for trajectory in handed_over}) > 1


def test_roll_ins_end_before_the_horizon() -> None:
    """With a roll-out as long as the horizon there is no roll-in, so no memory to begin with."""
    for horizon, rolled_in in ((12, False), (40, True)):
        changes = ONE_STEP | {"rollouts": 8, "horizon": horizon, "rollout": 12}
        learning = Learning(grid_problems(2), "paper", changes)
        learning.learner.iterate(1)
        memories = [trajectory.memory[0].any() for trajectory in learning.learner.trajectories]
        assert any(memories) is rolled_in
        assert {trajectory.steps for trajectory in learning.learner.trajectories} == {12}


def test_trajectories_are_aggregated() -> None:
    learning = Learning(grid_problems(2), "best", {"rollouts": 3, "steps": 1, "batch": 2})
    for iteration in (1, 2, 3):
        before = list(learning.learner.trajectories)
        learning.learner.iterate(iteration)
        assert learning.learner.trajectories[: len(before)] == before
        assert len(learning.learner.trajectories) == len(before) + 3


@pytest.mark.parametrize("preset", ["best", "paper"])
def test_training_reduces_the_loss(preset: str) -> None:
    changes = {"rollouts": 4, "steps": 40, "batch": 8, "learning_rate": 5e-3}
    learning = Learning(grid_problems(2), preset, changes)
    losses = [learning.learner.iterate(iteration) for iteration in (1, 2, 3, 4)]
    assert losses[-1] < 0.5 * losses[0]


@pytest.mark.parametrize("preset", ["best", "paper"])
def test_the_seed_and_the_number_decide(preset: str) -> None:
    def trained(seed: int, number: int) -> Tensors:
        changes = {"rollouts": 2, "steps": 2, "batch": 2}
        learning = Learning(grid_problems(2), preset, changes, seed=seed, number=number)
        for iteration in (1, 2):
            learning.learner.iterate(iteration)
        return tensors_of(learning.learner.network)

    first = trained(0, 0)
    assert same(trained(0, 0), first)
    assert not same(trained(1, 0), first)
    assert not same(trained(0, 1), first)


def test_the_random_numbers_of_the_caller_are_left_alone() -> None:
    torch.manual_seed(3)
    np.random.seed(3)
    before = torch.random.get_rng_state(), str(np.random.get_state())
    Learning(grid_problems(1), "best", ONE_STEP).learner.iterate(1)
    assert torch.equal(torch.random.get_rng_state(), before[0])
    assert str(np.random.get_state()) == before[1]


def test_average_weights_follow() -> None:
    average = 0.3
    learning = Learning(grid_problems(1), "best", ONE_STEP | {"average": average})
    expected = tensors_of(learning.before)
    assert learning.learner.judged is learning.learner.average
    for step in range(1, 9):
        learning.learner.iterate(step)
        now = tensors_of(learning.learner.network)
        decay = min(average, step / (step + 10))  # fast at first
        expected = {name: decay * expected[name] + (1 - decay) * now[name] for name in now}
        for name, value in tensors_of(learning.learner.average).items():
            assert value == pytest.approx(expected[name], rel=1e-4, abs=1e-6), name
    assert not same(tensors_of(learning.learner.average), now)


def test_without_averaging_the_average_is_the_network() -> None:
    learning = Learning(grid_problems(1), "best", ONE_STEP | {"average": 0})
    learning.learner.iterate(1)
    assert learning.learner.judged is learning.learner.network
    assert same(tensors_of(learning.learner.average), tensors_of(learning.learner.network))


def rates(learning: Learning) -> Sequence[float]:
    """Learning rates of the last step of each iteration."""
    found = []
    for iteration in range(1, learning.settings.iterations + 1):
        learning.learner.iterate(iteration)
        found.append(learning.learner.optimiser.param_groups[0]["lr"])
    return found


def test_the_learning_rate_decays_as_a_cosine() -> None:
    constant = rates(Learning(grid_problems(1), "best", ONE_STEP | {"decay": "none"}))
    assert set(constant) == {0.002}
    falling = rates(Learning(grid_problems(1), "best", ONE_STEP | {"decay": "cosine"}))
    expected = [0.001 * (1 + math.cos(math.pi * done / 4)) for done in range(4)]
    assert falling == pytest.approx(expected)


@pytest.mark.parametrize("preset", ["best", "paper"])
@pytest.mark.parametrize("convolution", CONVOLUTIONS)
def test_every_convolution_trains(convolution: str, preset: str) -> None:
    changes = ONE_STEP | {"steps": 5, "convolution": convolution}
    learning = Learning(grid_problems(1), preset, changes)
    assert math.isfinite(learning.learner.iterate(1))
    after = tensors_of(learning.learner.network)
    for name, before in tensors_of(learning.before).items():
        assert np.isfinite(after[name]).all()
        if name.startswith("convolution."):
            assert not np.array_equal(after[name], before), name


@pytest.mark.parametrize("neighbors", [0, 3])
def test_few_neighbours_or_none_train(neighbors: int) -> None:
    learning = Learning(grid_problems(1), "best", ONE_STEP | {"neighbors": neighbors})
    assert math.isfinite(learning.learner.iterate(1))
