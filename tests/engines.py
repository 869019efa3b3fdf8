"""One search, evaluated by the torch network and by the compiled kernel."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray

from phil.graphs import AnyGraph, SearchedGraph
from phil.heuristics.phil import PhilHeuristic
from phil.heuristics.phil.batches import NodeBatch
from phil.heuristics.phil.inputs import look_around
from phil.heuristics.phil.network import PhilNetwork
from phil.heuristics.scaling import LOCAL, frame
from phil.search import Limits, search
from phil.search.guide import Expansion, Guide

TREND = 0.9  # the trend of the steps to a node: this share of its parent's, the rest is its own


@dataclass
class Recorder:
    """A heuristic that keeps what it was asked and what it answered."""

    inner: PhilHeuristic
    name: str = "recorder"
    asked: list[Expansion] = field(default_factory=list)
    answered: list[NDArray[np.float64]] = field(default_factory=list)

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> Recorder:
        """Itself is the guide."""
        self._guide: Guide = self.inner.begin(graph, start, goal)
        return self

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """What the heuristic says."""
        values = self._guide.score(expansion)
        self.asked.append(expansion)
        self.answered.append(values.copy())
        return values


def compiled_search(
    heuristic: PhilHeuristic, graph: AnyGraph, start: int, goal: int, steps: int
) -> Recorder:
    """The first expansions of a greedy search, valued by the kernel."""
    recorder = Recorder(heuristic)
    search(graph, start, goal, recorder, limits=Limits(steps))
    return recorder


def torch_network(heuristic: PhilHeuristic) -> PhilNetwork:
    """The same network in torch."""
    network = PhilNetwork(heuristic.metadata.network)
    state = {name: torch.from_numpy(tensor) for name, tensor in heuristic.tensors.items()}
    network.load_state_dict(state)
    return network


class TorchEngine:
    """Values by the torch network, from nothing but the graph and what a search discovered."""

    def __init__(self, heuristic: PhilHeuristic, graph: AnyGraph, start: int, goal: int) -> None:
        self._network = torch_network(heuristic)
        self._settings = heuristic.metadata.network
        self._graph = graph
        self._frame = frame(graph, heuristic.metadata.scaling, self._settings.frame, (start, goal))
        self._edge_spread = heuristic.metadata.scaling.edge_spread or 1.0
        self._anchor = goal if self._settings.frame == "map" else start
        self._seen: dict[tuple[int, ...], int] = {}  # what is known of cells: see `_note`
        self._trend = {start: np.zeros(self._settings.features)}
        self.memory = torch.zeros(self._settings.memory)

    def values(self, expansion: Expansion) -> NDArray[np.float64]:
        """The values of V_new; moves the memory on."""
        with torch.no_grad():
            values, self.memory = self._network(self.batch(expansion), self.memory)
        scaled: NDArray[np.float64] = values.double().numpy()
        return scaled * float(self._frame.distance[0])

    def batch(self, expansion: Expansion) -> NodeBatch:
        """What the network reads of V_new."""
        settings, new = self._settings, expansion.new
        if settings.known:
            self._note(expansion.node)
        degree = self._graph.max_degree
        near, edges = np.empty(degree, np.int32), np.empty(degree, np.int64)
        neighbor = np.zeros((new.size, settings.neighbors), np.int64)
        mask = np.zeros(neighbor.shape, bool)
        edge = np.zeros((*neighbor.shape, settings.edge_features), np.float32)
        missing = np.zeros(new.size, np.int64)
        trail = np.zeros((new.size, settings.trail_size), np.float32)
        for item, node in enumerate(new.tolist()):
            count, missing[item] = look_around(
                self._graph.arrays,
                node,
                settings.neighbors,
                settings.walls,
                self._frame.turn,
                settings.sample_seed,
                near,
                edges,
                np.empty(degree),
            )
            neighbor[item, :count] = near[:count]
            mask[item, :count] = True
            edge[item, :count] = self._graph.arrays.edge_features[edges[:count]]
            edge[item, :count] /= self._edge_spread
            followed = self._trail(expansion.node, node, int(expansion.depth[item]))
            trail[item] = [*followed[: settings.steps_size], *self._known(node)]
        met, place = np.unique(np.append(new, neighbor), return_inverse=True)
        met = met.astype(np.int64)
        rows, goal = self._scaled(met), self._scaled(np.array([self._anchor]))
        return NodeBatch(
            rows=np.hstack([rows, np.broadcast_to(goal, rows.shape)]),
            node=place[: new.size],
            neighbor=place[new.size :].reshape(neighbor.shape),
            mask=mask,
            edge=edge,
            missing=missing,
            goal=np.repeat(goal, new.size, axis=0),
            trail=trail,
            local=np.full(new.size, LOCAL / self._frame.distance[0], np.float32),
        )

    def _scaled(self, nodes: NDArray[np.int64]) -> NDArray[np.float32]:
        features = self._graph.features[nodes][:, self._frame.axes]
        scaled = (features - self._frame.centre) / self._frame.spread
        return scaled.astype(np.float32)

    def _note(self, node: int) -> None:
        """A cell is 0 if it cannot be entered from an expanded one, 1 if it can, 2 if expanded."""
        here = self._graph.features[node].astype(int)
        free = {
            tuple(cell) for cell in self._graph.features[self._graph.neighbors(node)].astype(int)
        }
        for offset in self._graph.arrays.edge_features.astype(int):
            cell = tuple(here + offset)
            self._seen[cell] = max(self._seen.get(cell, 0), int(cell in free))
        self._seen[tuple(here)] = 2

    def _known(self, node: int) -> list[float]:
        """Three numbers for each cell of the window, which is turned as the frame is."""
        here, axes = self._graph.features[node].astype(int), self._frame.axes
        sides = self._frame.sides
        found: list[float] = []
        for window in self._settings.window:
            cell = here.copy()
            cell[axes] += (np.array(window) * self._frame.step).astype(int)
            inside = bool((cell >= 0).all() and (cell < sides).all())
            state = self._seen.get(tuple(cell)) if inside else 0
            found += [float(state == code) for code in range(3)]
        return found

    def _trail(self, parent: int, node: int, depth: int) -> NDArray[np.float64]:
        features = self._graph.features.astype(np.float64)[:, self._frame.axes]
        step = (features[node] - features[parent]) / self._frame.step
        trend = TREND * self._trend[parent] + (1 - TREND) * step
        self._trend[node] = trend
        return np.concatenate([[depth / self._frame.distance[0]], step, trend])
