"""The learner: its steps against the same steps taken by hand, and that it learns."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
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
from phil.learning.algorithm import imitate
from phil.learning.fitting import learning_rate
from phil.learning.learner import tensors_of
from phil.learning.losses import ranking_loss
from phil.learning.rollout import Rollout
from phil.learning.settings import training_settings
from phil.learning.validation import Validation
from phil.problems.problem import Problem
from phil.search.guide import Heuristic
from tests.learning.small import Setup, corner_problem, graph_problems, grid_problems

TINY: dict[str, object] = {"width": 8, "memory": 4, "iterations": 4}
ONE_STEP: dict[str, object] = {"rollouts": 1, "batch": 1, "steps": 1}
SHORT = ONE_STEP | {"horizon": 60, "rollout": 12}
STILL = ONE_STEP | {"learning_rate": 1e-30}  # too small a rate to change any weight


class Unjudged(Validation):
    """A validation that is always given up."""

    def expansions(self, heuristic: Heuristic, best: float) -> list[int] | None:
        return None


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
        self.trained = self.learner(number, seed=seed)
        self.before = copy.deepcopy(self.trained.network)
        self._iterations = imitate(self.trained, self.oracle, Unjudged(self.oracle))
        self.gatherer = Gatherer(self.oracle.problems, self.network_settings, self.scaling)

    @property
    def rollouts(self) -> list[Rollout]:
        """All so far."""
        return self.trained.state.rollouts

    def iterate(self, iteration: int) -> float:
        """One iteration of Algorithm 1, whichever it was before; the loss."""
        self.trained.state.iteration = iteration - 1
        return next(self._iterations).loss

    def by_hand(
        self, network: PhilNetwork, rollout: Rollout, memory: Tensor, *, cut: bool = False
    ) -> tuple[Tensor, Tensor]:
        """Values and scaled distances of a rollout, step by step; `cut`: time is cut off."""
        values = []
        for step in range(rollout.steps):
            place = slice(rollout.first[step], rollout.first[step + 1])
            batch = self.gatherer.gather(
                [
                    (
                        rollout.problem,
                        rollout.nodes[place],
                        rollout.inputs(np.arange(rollout.nodes.size)[place]),
                    )
                ]
            )
            found, memory = network(batch, memory.detach() if cut else memory)
            values.append(found)
        return torch.cat(values), torch.from_numpy(rollout.distance) / self.scale(rollout)

    def scale(self, rollout: Rollout) -> float:
        """What a value of 1 is worth in moves."""
        graph = self.oracle.problems[rollout.problem].graph
        return float(frame(graph, self.scaling).distance[0])

    def squared_errors(self, rollout: Rollout, memory: Tensor) -> Tensor:
        """One per node, of the first network."""
        with torch.no_grad():
            values, exact = self.by_hand(self.before, rollout, memory)
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
@pytest.mark.parametrize("carried", [0, 2])
def test_the_memory_is_carried_on_from_where_it_starts(start: str, kind: str, carried: int) -> None:
    problems = grid_problems(1) if kind == "grid" else graph_problems(1, edge_features=1)
    changes = {"memory_start": start, "carried": carried}
    learning = Learning(problems, "paper", SHORT | changes, seed=3)
    loss = learning.iterate(1)
    [rollout] = learning.rollouts
    assert rollout.memory[:, 2:].any() == (carried == 0)
    rolled = torch.from_numpy(rollout.memory[0])
    assert rolled.abs().max() > 0.01, "the roll-in must have left a memory"
    losses = {
        "rolled": float(learning.squared_errors(rollout, rolled).mean()),
        "zero": float(learning.squared_errors(rollout, zeros(learning)).mean()),
    }
    assert loss == close_to(losses[start])
    assert losses["rolled"] != pytest.approx(losses["zero"], rel=2e-4)


def test_rollouts_are_trained_side_by_side() -> None:
    """Of different lengths, and where a step uncovers nothing the memory stays as it was."""
    changes = {"rollouts": 4, "batch": 100, "horizon": 150, "rollout": 40}
    learning = Learning(grid_problems(3, side=12), "paper", STILL | changes)
    for iteration in (1, 2, 3):
        loss = learning.iterate(iteration)
        known = learning.rollouts
        errors = [learning.squared_errors(t, torch.from_numpy(t.memory[0])) for t in known]
        assert loss == close_to(float(torch.cat(errors).mean()))
    assert len({rollout.steps for rollout in known}) > 1
    assert any(0 in np.diff(t.first)[: np.argmax(t.first == t.nodes.size)] for t in known)
    assert same(tensors_of(learning.trained.network), tensors_of(learning.before))


def test_a_batch_holds_no_rollout_twice() -> None:
    changes = {"rollouts": 4, "batch": 2, "horizon": 60, "rollout": 12}
    learning = Learning(grid_problems(3), "paper", STILL | changes)
    for iteration in range(1, 5):
        loss = learning.iterate(iteration)
        errors = [
            learning.squared_errors(rollout, torch.from_numpy(rollout.memory[0]))
            for rollout in learning.rollouts
        ]
        assert any(
            loss == close_to(float(torch.cat(pair).mean())) for pair in combinations(errors, 2)
        )


def test_gradients_flow_through_time() -> None:
    learning = Learning(grid_problems(1), "paper", SHORT, seed=1)
    learning.iterate(1)
    [rollout] = learning.rollouts
    found = [p.grad for p in learning.trained.network.parameters() if p.grad is not None]
    gradients = {}
    for cut in (False, True):
        network = copy.deepcopy(learning.before)
        values, exact = learning.by_hand(
            network, rollout, torch.from_numpy(rollout.memory[0]), cut=cut
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
    learning.iterate(1)
    [rollout] = learning.rollouts
    network = learning.before
    adam = torch.optim.Adam(network.parameters(), lr=learning.settings.learning_rate)
    values, exact = learning.by_hand(network, rollout, torch.from_numpy(rollout.memory[0]))
    (values - exact).square().mean().backward()  # type: ignore[no-untyped-call]
    clipped_gradients(network, learning.settings.clip)
    adam.step()
    for name, value in tensors_of(learning.trained.network).items():
        assert value == pytest.approx(tensors_of(network)[name], rel=1e-3, abs=2e-4), name


@pytest.mark.parametrize("weight", [1.0, 7.0])
def test_underestimates_weigh_more(weight: float) -> None:
    """On a map of two cells there is one node to judge."""
    problem = corner_problem(np.ones((1, 2), bool))
    signs = set()
    for seed in range(6):
        learning = Learning((problem,), "best", ONE_STEP | {"underestimates": weight}, seed=seed)
        loss = learning.iterate(1)
        [rollout] = learning.rollouts
        with torch.no_grad():
            value, exact = learning.by_hand(learning.before, rollout, zeros(learning))
        assert (len(value), float(exact)) == (1, 0.0)
        signs.add(float(value) < 0)
        assert loss == close_to(float(value) ** 2 * (weight if float(value) < 0 else 1.0))
    assert signs == {True, False}


def ranking_losses(learning: Learning, rollout: Rollout) -> list[float]:
    """Of each event, with values and memory computed by hand."""
    with torch.no_grad():
        values, exact = learning.by_hand(learning.before, rollout, zeros(learning))
    losses = []
    for event in rollout.events:
        there = torch.from_numpy(event >= 0)
        places = torch.from_numpy(np.maximum(event, 0)).long()
        moves = values[places] * learning.scale(rollout)
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
        losses[weight] = learning.iterate(1)
    [rollout] = learning.rollouts
    assert len(rollout.events) > 1
    ranking = (losses[3.0] - losses[1.0]) / 2
    assert any(
        ranking == pytest.approx(loss, rel=1e-3) for loss in ranking_losses(learning, rollout)
    )
    assert ranking > 0.01


@pytest.mark.parametrize("remember", [True, False])
def test_a_network_can_learn_without_ranking(remember: bool) -> None:
    changes = {"ranking": 0.0, "remember": remember, "steps": 20, "learning_rate": 5e-3}
    learning = Learning(grid_problems(1), "best", ONE_STEP | changes)
    losses = [learning.iterate(iteration) for iteration in (1, 2, 3, 4)]
    assert losses[-1] < losses[0]
    assert not any(len(rollout.events) for rollout in learning.rollouts)


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
        assert math.isfinite(learning.iterate(1))
        [rollout] = learning.rollouts
        assert rollout.nodes.size > 0
        assert not same(tensors_of(learning.trained.network), tensors_of(learning.before))


def test_windows_where_nothing_is_uncovered_are_left_out() -> None:
    """The hub of a star shows all there is at once."""
    star = Graph.from_edges(70, [(0, leaf) for leaf in range(1, 70)], np.arange(70.0)[:, None])
    changes = ONE_STEP | {"steps": 20, "rollout": 0}
    learning = Learning((Problem(star, 0, 69),), "paper-printed", changes)
    assert math.isfinite(learning.iterate(1))
    [rollout] = learning.rollouts
    assert np.diff(rollout.first).tolist() == [69] + [0] * 69


def test_the_oracles_share() -> None:
    problems = grid_problems(1)
    for beta, heuristic_steps in ((1.0, False), (0.0, True)):
        learning = Learning(problems, "best", STILL | {"beta": beta, "handover": 0})
        for iteration in (1, 2, 3):
            learning.iterate(iteration)
        steps = {rollout.steps for rollout in learning.rollouts}
        shortest = learning.oracle.distances[0][problems[0].start]
        assert (steps == {shortest}) is not heuristic_steps
        assert len(steps) == 1


def test_the_share_of_the_oracle_falls() -> None:
    """At a share of 0.5^i roll-outs soon are the learner's alone."""
    learning = Learning(
        grid_problems(1), "best", STILL | {"iterations": 30, "beta": 0.5, "handover": 0}
    )
    for iteration in (1, 2, 20, 21):
        learning.iterate(iteration)
    first, second, *late = learning.rollouts
    assert late[0].nodes.tolist() == late[1].nodes.tolist()
    assert first.nodes.tolist() != late[0].nodes.tolist()
    assert second.nodes.tolist() != late[0].nodes.tolist()


def test_the_oracle_takes_over_where_asked() -> None:
    learning = Learning(
        grid_problems(1), "best", STILL | {"iterations": 9, "beta": 0, "handover": 1}
    )
    for iteration in range(1, 7):
        learning.iterate(iteration)
    alone, *handed_over = learning.rollouts
    assert all(rollout.reached for rollout in handed_over)
    assert max(rollout.steps for rollout in handed_over) <= alone.steps
    assert len({rollout.steps for rollout in handed_over}) > 1


def test_roll_ins_end_before_the_horizon() -> None:
    """With a roll-out as long as the horizon there is no roll-in, so no memory to begin with."""
    for horizon, rolled_in in ((12, False), (40, True)):
        changes = ONE_STEP | {"rollouts": 8, "horizon": horizon, "rollout": 12}
        learning = Learning(grid_problems(2), "paper", changes)
        learning.iterate(1)
        memories = [rollout.memory[0].any() for rollout in learning.rollouts]
        assert any(memories) is rolled_in
        assert {rollout.steps for rollout in learning.rollouts} == {12}


def test_rollouts_are_aggregated() -> None:
    learning = Learning(grid_problems(2), "best", {"rollouts": 3, "steps": 1, "batch": 2})
    for iteration in (1, 2, 3):
        before = list(learning.rollouts)
        learning.iterate(iteration)
        assert learning.rollouts[: len(before)] == before
        assert len(learning.rollouts) == len(before) + 3


@pytest.mark.parametrize("preset", ["best", "paper"])
def test_training_reduces_the_loss(preset: str) -> None:
    changes = {"rollouts": 4, "steps": 40, "batch": 8, "learning_rate": 5e-3}
    learning = Learning(grid_problems(2), preset, changes)
    losses = [learning.iterate(iteration) for iteration in (1, 2, 3, 4)]
    assert losses[-1] < 0.5 * losses[0]


@pytest.mark.parametrize("preset", ["best", "paper"])
def test_the_seed_and_the_number_decide(preset: str) -> None:
    def trained(seed: int, number: int) -> Tensors:
        changes = {"rollouts": 2, "steps": 2, "batch": 2}
        learning = Learning(grid_problems(2), preset, changes, seed=seed, number=number)
        for iteration in (1, 2):
            learning.iterate(iteration)
        return tensors_of(learning.trained.network)

    first = trained(0, 0)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)  # the caller's numbers do not count
        assert same(trained(0, 0), first)
    assert not same(trained(1, 0), first)
    assert not same(trained(0, 1), first)


def test_the_random_numbers_of_the_caller_are_left_alone() -> None:
    torch.manual_seed(3)
    np.random.seed(3)
    before = torch.random.get_rng_state(), str(np.random.get_state())
    Learning(grid_problems(1), "best", ONE_STEP).iterate(1)
    assert torch.equal(torch.random.get_rng_state(), before[0])
    assert str(np.random.get_state()) == before[1]


def test_average_weights_follow() -> None:
    average = 0.3
    learning = Learning(grid_problems(1), "best", ONE_STEP | {"iterations": 9, "average": average})
    expected = tensors_of(learning.before)
    for step in range(1, 9):
        learning.iterate(step)
        now = tensors_of(learning.trained.network)
        decay = min(average, step / (step + 10))  # fast at first
        expected = {name: decay * expected[name] + (1 - decay) * now[name] for name in now}
        for name, value in tensors_of(learning.trained.average).items():
            assert value == pytest.approx(expected[name], rel=1e-4, abs=1e-6), name
    assert not same(tensors_of(learning.trained.average), now)
    assert same(learning.trained.heuristic().tensors, tensors_of(learning.trained.average))


def test_without_averaging_the_average_is_the_network() -> None:
    learning = Learning(grid_problems(1), "best", ONE_STEP | {"average": 0})
    learning.iterate(1)
    assert same(tensors_of(learning.trained.average), tensors_of(learning.trained.network))


def test_the_learning_rate_decays_as_a_cosine() -> None:
    settings = training_settings("best", {"iterations": 2, "steps": 2, "decay": "none"})
    assert {learning_rate(settings, step) for step in range(4)} == {0.002}
    falling = settings.model_copy(update={"decay": "cosine"})
    expected = [0.001 * (1 + math.cos(math.pi * done / 4)) for done in range(4)]
    assert [learning_rate(falling, step) for step in range(4)] == pytest.approx(expected)


@pytest.mark.parametrize("preset", ["best", "paper"])
@pytest.mark.parametrize("convolution", CONVOLUTIONS)
def test_every_convolution_trains(convolution: str, preset: str) -> None:
    changes = ONE_STEP | {"steps": 5, "convolution": convolution}
    learning = Learning(grid_problems(1), preset, changes)
    assert math.isfinite(learning.iterate(1))
    after = tensors_of(learning.trained.network)
    for name, before in tensors_of(learning.before).items():
        assert np.isfinite(after[name]).all()
        if name.startswith("convolution."):
            assert not np.array_equal(after[name], before), name


@pytest.mark.parametrize("neighbors", [0, 3])
def test_few_neighbours_or_none_train(neighbors: int) -> None:
    learning = Learning(grid_problems(1), "best", ONE_STEP | {"neighbors": neighbors})
    assert math.isfinite(learning.iterate(1))
