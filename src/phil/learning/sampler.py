"""Sampling the batch of one Adam step: nodes of roll-outs, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from phil.heuristics.phil.batches import Gatherer, NodeBatch
from phil.heuristics.scaling import frame
from phil.learning.gradient import B, Examples
from phil.learning.objective import Objective
from phil.learning.oracle import OracleProblems
from phil.learning.plan import Candidate
from phil.learning.rollout import Rollout
from phil.learning.settings import TrainingSettings

Gathered = TypeVar("Gathered", covariant=True)

WINDOW = 32  # steps of backpropagation through time if roll-outs are recorded completely

Places = Sequence[NDArray[np.int64]] | NDArray[np.int64]  # per roll-out, indices into its nodes


@dataclass(frozen=True)
class Windows(Generic[B]):
    """M nodes of consecutive steps of W roll-outs, for backpropagation through time.

    batch: all nodes, window by window; distance (M,): scaled; owner (M,): the window of each node;
    step (M,): counted from the window's start; memory (W, d): at the window's start.
    """

    batch: B
    distance: NDArray[np.float32]
    owner: NDArray[np.int64]
    step: NDArray[np.int64]
    memory: NDArray[np.float32]


@dataclass(frozen=True)
class Events(Generic[B]):
    """E open nodes of each of V roll-outs, to be ranked.

    batch: all nodes in order; memory (V E, d): of the roll-out at each node; distance (V, E):
    scaled; there (V, E): which of them exist; spent (V, E): what the search's key adds to their
    values, scaled; scale (V,): the distance of a value of 1.
    """

    batch: B
    memory: NDArray[np.float32]
    distance: NDArray[np.float32]
    there: NDArray[np.bool_]
    spent: NDArray[np.float32]
    scale: NDArray[np.float32]


class Gathers(Protocol[Gathered]):
    """Gathers what a network reads of nodes."""

    def gather(
        self, groups: Sequence[tuple[int, NDArray[np.int32], NDArray[np.float32]]]
    ) -> Gathered:
        """The batch of nodes; a group is a problem, nodes of it and their inputs from a search."""
        ...


class Sampler(Generic[B]):
    """Samples from roll-outs; `scales` has the distance of a value of 1, for each problem."""

    def __init__(
        self, settings: TrainingSettings, gatherer: Gathers[B], scales: Sequence[float]
    ) -> None:
        self._settings = settings
        key = Objective(settings.search).key
        self._share = key.g / key.h
        self._gatherer = gatherer
        self._scales = scales

    def examples(self, chosen: Sequence[Rollout], random: np.random.Generator) -> Examples[B]:
        """For networks without memory: a ranking event and some random nodes of each roll-out."""
        settings = self._settings
        nodes = np.array([[rollout.nodes.size] for rollout in chosen])
        places = random.integers(nodes, size=(len(chosen), settings.nodes))
        events = np.empty((len(chosen), 0), np.int32)
        drawn: list[int] = []
        if settings.ranking:
            drawn = random.integers([len(rollout.events) for rollout in chosen]).tolist()
            events = np.stack([rollout.events[k] for rollout, k in zip(chosen, drawn, strict=True)])
            places = np.concatenate([np.maximum(events, 0), places], axis=1)
        return Examples(
            self._gather(chosen, places),
            self._distance(chosen, places),
            events >= 0,
            self._spent(chosen, drawn),
            self._scale(chosen),
        )

    def windows(self, chosen: Sequence[Rollout], random: np.random.Generator) -> Windows[B]:
        """A window of each roll-out that starts at a random step."""
        spans = [self._span(rollout, random) for rollout in chosen]
        counts = [
            np.diff(rollout.first[begin : end + 1])
            for rollout, (begin, end) in zip(chosen, spans, strict=True)
        ]
        places = [
            np.arange(rollout.first[begin], rollout.first[end], dtype=np.int64)
            for rollout, (begin, end) in zip(chosen, spans, strict=True)
        ]
        if self._settings.memory_start == "rolled":
            begins = [rollout.memory[b] for rollout, (b, _) in zip(chosen, spans, strict=True)]
            memory = np.stack(begins)
        else:
            memory = np.zeros((len(chosen), self._settings.memory), np.float32)
        return Windows(
            batch=self._gather(chosen, places),
            distance=np.concatenate(
                [
                    rollout.distance[place] / np.float32(self._scales[rollout.problem])
                    for rollout, place in zip(chosen, places, strict=True)
                ]
            ),
            owner=np.repeat(np.arange(len(chosen)), [int(count.sum()) for count in counts]),
            step=np.concatenate([np.repeat(np.arange(c.size), c) for c in counts]),
            memory=memory,
        )

    def events(self, chosen: Sequence[Rollout], random: np.random.Generator) -> Events[B]:
        """A ranking event of each roll-out, with the memory at each node."""
        drawn = [int(random.integers(len(rollout.events))) for rollout in chosen]
        events = [rollout.events[k] for rollout, k in zip(chosen, drawn, strict=True)]
        places = [np.maximum(event, 0) for event in events]
        memory = [
            rollout.memory[np.searchsorted(rollout.first, place, side="right") - 1]
            for rollout, place in zip(chosen, places, strict=True)
        ]
        return Events(
            batch=self._gather(chosen, places),
            memory=np.concatenate(memory),
            distance=self._distance(chosen, places),
            there=np.stack(events) >= 0,
            spent=self._spent(chosen, drawn),
            scale=self._scale(chosen),
        )

    def _span(self, rollout: Rollout, random: np.random.Generator) -> tuple[int, int]:
        """The steps of a random window: first, and last + 1."""
        length = self._settings.rollout or WINDOW
        begin = int(random.integers(max(0, rollout.steps - length) + 1))
        before, after = rollout.first[[begin, min(begin + length, rollout.steps)]]
        if before == after:
            # No node was uncovered there: go back to the last step with one.
            begin = int(np.searchsorted(rollout.first, before - 1, side="right")) - 1
        return begin, min(begin + length, rollout.steps)

    def _gather(self, chosen: Sequence[Rollout], places: Places) -> B:
        """The batch of the nodes at these places."""
        return self._gatherer.gather(
            [
                (rollout.problem, rollout.nodes.take(place), rollout.inputs(np.asarray(place)))
                for rollout, place in zip(chosen, places, strict=True)
            ]
        )

    def _distance(self, chosen: Sequence[Rollout], places: Places) -> NDArray[np.float32]:
        """The scaled distances, (roll-outs, places)."""
        exact = [rollout.distance.take(p) for rollout, p in zip(chosen, places, strict=True)]
        scaled: NDArray[np.float32] = np.divide(np.stack(exact), self._scale(chosen)[:, None])
        return scaled

    def _spent(self, chosen: Sequence[Rollout], drawn: Sequence[int]) -> NDArray[np.float32]:
        """What the key adds to the values of the nodes of the drawn events, (roll-outs, E)."""
        if not drawn:
            return np.zeros((len(chosen), 0), np.float32)
        spent = np.stack([rollout.spent[k] for rollout, k in zip(chosen, drawn, strict=True)])
        scaled: NDArray[np.float32] = np.float32(self._share) * spent / self._scale(chosen)[:, None]
        return scaled

    def _scale(self, chosen: Sequence[Rollout]) -> NDArray[np.float32]:
        return np.array([self._scales[rollout.problem] for rollout in chosen], np.float32)


def phil_sampler(
    candidate: Candidate, settings: TrainingSettings, oracle: OracleProblems
) -> Sampler[NodeBatch]:
    """Samples from the roll-outs of a candidate."""
    name = candidate.network.frame
    scales = [
        float(frame(p.graph, candidate.scaling, name, (p.start, p.goal)).distance[0])
        for p in oracle.problems
    ]
    gatherer = Gatherer(oracle.problems, candidate.network, candidate.scaling)
    return Sampler(settings, gatherer, scales)
