"""One candidate network and all that it has seen: rolls out, aggregates, takes Adam steps."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from phil.heuristics.file import Tensors
from phil.heuristics.phil.batches import Gatherer, NodeBatch
from phil.heuristics.phil.gradient import has_gradient
from phil.heuristics.phil.network import PhilNetwork
from phil.heuristics.phil.specification import NetworkSettings
from phil.heuristics.phil.weights import Weights, pack
from phil.heuristics.scaling import Scaling, frame
from phil.learning.gradient import CompiledGradient, Examples, flatten, node_loss
from phil.learning.losses import ranking_loss, value_loss
from phil.learning.oracle import OracleProblems
from phil.learning.rollout import Roller, Rollout, RolloutSettings
from phil.learning.settings import TrainingSettings
from phil.learning.softmax_sum import embed

WINDOW = 32  # steps of backpropagation through time where whole roll-outs are kept


@dataclass(frozen=True)
class Window:
    """A run of steps of a trajectory, from `begin` on."""

    trajectory: Rollout
    begin: int
    end: int

    @property
    def nodes(self) -> slice:
        """The window's new nodes, as a slice of the trajectory's."""
        first = self.trajectory.first
        return slice(int(first[self.begin]), int(first[self.end]))


class Learner:
    """A network in training. The same seed and number give the same weights."""

    def __init__(
        self,
        problems: OracleProblems,
        settings: TrainingSettings,
        network: NetworkSettings,
        scaling: Scaling,
        seed: int,
        number: int,
    ) -> None:
        self.number = number
        self.trajectories: list[Rollout] = []
        self.rollout_seconds = 0.0  # of a core, in the last iteration
        self._problems = problems
        self._settings = settings
        self.scaling = scaling
        self._seed = seed
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(np.random.default_rng([seed, number]).integers(2**62)))
            self.network = PhilNetwork(network)
        self.average = copy.deepcopy(self.network)
        self.weights, self._mean_weights = flatten(self.network), flatten(self.average)
        self.optimiser = torch.optim.Adam([self.weights], lr=settings.learning_rate)
        self._compiled = (
            CompiledGradient(network, self.weights, settings) if has_gradient(network) else None
        )
        self._roller = Roller(problems.problems, list(problems.distances))
        self._gatherer = Gatherer(problems.problems, network, scaling)
        self._frames = [frame(problem.graph, scaling) for problem in problems.problems]

    @property
    def judged(self) -> PhilNetwork:
        """What is validated and kept: the averaged weights, if there are any."""
        return self.average if self._settings.average > 0 else self.network

    def iterate(self, iteration: int) -> float:
        """Algorithm 1's iteration (counted from 1): roll out, aggregate, train; the mean loss."""
        random = np.random.default_rng([self._seed, self.number, iteration])
        began = time.thread_time()
        self.collect(iteration, random)
        self.rollout_seconds = time.thread_time() - began
        losses = [self._step(iteration, step, random) for step in range(self._settings.steps)]
        return float(np.mean(losses))

    def collect(self, iteration: int, random: np.random.Generator) -> None:
        """Roll out with the network as it is, and add what was seen to the data."""
        settings = self._settings
        spread = self.scaling.edge_spread
        weights = pack(self.network.settings, tensors_of(self.network), spread)
        share = settings.beta**iteration
        chosen = random.integers(len(self._problems.problems), size=settings.rollouts)
        for problem in chosen.tolist():
            seed = int(random.integers(2**62))
            plan = self._plan(weights, share, problem, seed, random, iteration)
            trajectory = self._roller.roll(weights, self.scaling, problem, plan, seed)
            while not trajectory.nodes.size:
                # The search ended during the roll-in: begin earlier.
                plan = _after(plan, plan.roll_in // 2)
                trajectory = self._roller.roll(weights, self.scaling, problem, plan, seed)
            if settings.ranking and not len(trajectory.events):
                # A short search may have nothing to rank; its values are still worth learning.
                trajectory = replace(trajectory, events=_lone_event(settings.ranking_size))
            self.trajectories.append(trajectory)

    def _plan(
        self,
        weights: Weights,
        share: float,
        problem: int,
        seed: int,
        random: np.random.Generator,
        iteration: int,
    ) -> RolloutSettings:
        settings = self._settings
        plan = RolloutSettings(
            roll_in=0,
            record_from=0,
            steps=settings.rollout or settings.horizon,
            oracle_share=share,
            stop_at_goal=settings.stop_at_goal,
            event_rate=settings.ranking_rate if settings.ranking else 0.0,
            event_size=settings.ranking_size,
        )
        if settings.rollout:
            roll_in = int(random.integers(settings.horizon - settings.rollout + 1))
            return _after(plan, roll_in)
        if iteration > 1 and random.random() < settings.handover:
            # The learner alone shows how long it takes; the oracle takes over somewhere before.
            alone = replace(plan, oracle_share=0.0, event_rate=0.0)
            steps = self._roller.roll(weights, self.scaling, problem, alone, seed).steps
            return replace(plan, roll_in=int(random.integers(steps + 1)), oracle_share=1.0)
        return plan

    def _step(self, iteration: int, step: int, random: np.random.Generator) -> float:
        settings = self._settings
        if settings.decay == "cosine":
            done = ((iteration - 1) * settings.steps + step) / (
                settings.iterations * settings.steps
            )
            rate = 0.5 * settings.learning_rate * (1 + math.cos(math.pi * done))
            for group in self.optimiser.param_groups:
                group["lr"] = rate
        chosen = [
            self.trajectories[k]
            for k in random.permutation(len(self.trajectories))[: settings.batch].tolist()
        ]
        self.optimiser.zero_grad(set_to_none=False)
        loss = self._add_gradient(chosen, random)
        torch.nn.utils.clip_grad_norm_(self.weights, settings.clip)
        self.optimiser.step()
        self._follow((iteration - 1) * settings.steps + step + 1)
        return loss

    def _add_gradient(self, chosen: Sequence[Rollout], random: np.random.Generator) -> float:
        """Add the gradient of the loss on some trajectories; the loss."""
        if not self._settings.remember:
            examples = self._examples(chosen, random)
            if self._compiled is not None:
                return self._compiled.add(examples)
            loss = node_loss(self.network, examples, self._settings)
        else:
            loss = self._sequence_loss(chosen, random)
        loss.backward()  # type: ignore[no-untyped-call]
        return float(loss.detach())

    def _follow(self, steps: int) -> None:
        """Move the averaged weights towards the network's; fast at first, when they mean little."""
        decay = min(self._settings.average, steps / (steps + 10))
        with torch.no_grad():
            self._mean_weights.lerp_(self.weights, 1 - decay)

    def _examples(self, chosen: Sequence[Rollout], random: np.random.Generator) -> Examples:
        """Without a memory every node stands alone: one ranking event and some nodes of each."""
        settings = self._settings
        size = settings.ranking_size if settings.ranking else 0
        events = np.empty((len(chosen), size), np.int32)
        for row, t in enumerate(chosen if size else ()):
            events[row] = t.events[random.integers(len(t.events))]
        picks = [random.integers(t.nodes.size, size=settings.nodes) for t in chosen]
        places = np.concatenate([np.maximum(events, 0), np.stack(picks)], axis=1)
        return Examples(
            self._gather(chosen, places),
            self._distance(chosen, places),
            events >= 0,
            np.array([self._frames[t.problem].distance for t in chosen], np.float32),
        )

    def _gather(
        self, chosen: Sequence[Rollout], places: Sequence[NDArray[np.int64]] | NDArray[np.int64]
    ) -> NodeBatch:
        """The nodes at some places of each trajectory."""
        return self._gatherer.gather(
            [
                (t.problem, t.nodes[place], t.trail[place])
                for t, place in zip(chosen, places, strict=True)
            ]
        )

    def _distance(
        self, chosen: Sequence[Rollout], places: Sequence[NDArray[np.int64]] | NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Scaled distances (trajectories, places)."""
        return np.stack(
            [
                t.distance[place] / np.float32(self._frames[t.problem].distance)
                for t, place in zip(chosen, places, strict=True)
            ]
        )

    def _remembered(self, chosen: Sequence[Rollout], places: Sequence[NDArray[np.int64]]) -> Tensor:
        """Values (trajectories, places), each under the memory that the roll-out had there."""
        batch = self._gather(chosen, places)
        memory = torch.from_numpy(
            np.concatenate(
                [
                    t.memory[np.searchsorted(t.first, place, side="right") - 1]
                    for t, place in zip(chosen, places, strict=True)
                ]
            )
        )
        z = self.network.remember(embed(self.network, batch), memory)
        return self.network.value(z, torch.from_numpy(batch.goal)).view(len(chosen), -1)

    def _sequence_loss(self, chosen: Sequence[Rollout], random: np.random.Generator) -> Tensor:
        """Truncated backpropagation through time over a window of each trajectory."""
        settings = self._settings
        windows = [self._window(trajectory, random) for trajectory in chosen]
        values, distance = self._unroll(windows)
        loss = value_loss(values, distance, settings.underestimates)
        if settings.ranking:
            events = [t.events[random.integers(len(t.events))] for t in chosen]
            places = [np.maximum(event, 0) for event in events]
            exact = torch.from_numpy(self._distance(chosen, places))
            there = torch.from_numpy(np.stack(events) >= 0)
            scale = torch.tensor([self._frames[t.problem].distance for t in chosen]).unsqueeze(1)
            ranked = self._remembered(chosen, places) * scale
            loss = loss + settings.ranking * ranking_loss(
                ranked, exact, there, settings.temperature
            )
        return loss

    def _window(self, trajectory: Rollout, random: np.random.Generator) -> Window:
        length = self._settings.rollout or WINDOW
        begin = int(random.integers(max(0, trajectory.steps - length) + 1))
        before, after = trajectory.first[[begin, min(begin + length, trajectory.steps)]]
        if before == after:
            # Nothing was uncovered there: go back to where something was.
            begin = int(np.searchsorted(trajectory.first, before - 1, side="right")) - 1
        return Window(trajectory, begin, min(begin + length, trajectory.steps))

    def _unroll(self, windows: Sequence[Window]) -> tuple[Tensor, Tensor]:
        """Values and scaled distances of all nodes of the windows, the memory carried on."""
        size = self.network.settings.memory
        batch = self._gatherer.gather(
            [
                (w.trajectory.problem, w.trajectory.nodes[w.nodes], w.trajectory.trail[w.nodes])
                for w in windows
            ]
        )
        embedded = embed(self.network, batch)
        owner, step = _places(windows)
        memory = torch.zeros(len(windows), size)
        if self._settings.memory_start == "rolled":
            memory = torch.from_numpy(np.stack([w.trajectory.memory[w.begin] for w in windows]))
        order = np.argsort(step, kind="stable")
        bounds = np.searchsorted(step[order], np.arange(step.max(initial=-1) + 2))
        pieces = []
        for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            rows = torch.from_numpy(order[begin:end])
            owners = torch.from_numpy(owner[order[begin:end]])
            z = self.network.remember(embedded[rows], memory[owners])
            pieces.append(z)
            count = torch.bincount(owners, minlength=len(windows)).unsqueeze(1)
            mean = torch.zeros(len(windows), size).index_add(0, owners, z) / count.clamp(min=1)
            # Where nothing new was uncovered the memory stays as it was.
            memory = torch.where(count > 0, mean, memory)
        z = torch.cat(pieces)
        rows = torch.from_numpy(order)
        distance = np.concatenate(
            [
                w.trajectory.distance[w.nodes] / self._frames[w.trajectory.problem].distance
                for w in windows
            ]
        ).astype(np.float32)
        goal = torch.from_numpy(batch.goal)[rows]
        return self.network.value(z, goal), torch.from_numpy(distance)[rows]


def _after(plan: RolloutSettings, roll_in: int) -> RolloutSettings:
    """As many steps written down, after a roll-in of another length."""
    kept = plan.steps - plan.record_from
    return replace(plan, roll_in=roll_in, record_from=roll_in, steps=roll_in + kept)


def _lone_event(size: int) -> NDArray[np.int32]:
    """A ranking event of the first node alone, which costs nothing."""
    event = np.full((1, size), -1, np.int32)
    event[0, 0] = 0
    return event


def _places(windows: Sequence[Window]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Window and step (from the window's begin) of each node of the windows."""
    counts = [np.diff(w.trajectory.first[w.begin : w.end + 1]) for w in windows]
    owner = np.repeat(np.arange(len(windows)), [int(count.sum()) for count in counts])
    step = np.concatenate([np.repeat(np.arange(count.size), count) for count in counts])
    return owner, step.astype(np.int64)


def tensors_of(network: PhilNetwork) -> Tensors:
    """A network's tensors as numpy arrays of their own."""
    return {name: value.detach().numpy().copy() for name, value in network.state_dict().items()}
