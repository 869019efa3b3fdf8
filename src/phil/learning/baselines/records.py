"""Roll-outs with a perceptron that record open nodes, compiled.

As in `phil.learning.rollout`, the learner's and the oracle's queues share one closed list. At steps
sampled uniformly from the roll-out, one open node is recorded, with its inputs as of when it
entered OPEN, since its value in the queue was computed from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from phil.compiled import Array1, Array2, Struct, kernel, primitive
from phil.graphs.arrays import GraphArrays
from phil.heuristics.mlp.kernel import MlpWorkspace, evaluate_new, set_goal, write_features
from phil.heuristics.mlp.kernel import allocate as allocate_workspace
from phil.heuristics.mlp.specification import MlpMetadata, MlpWeights
from phil.heuristics.obstacles import ObstaclesPool
from phil.heuristics.obstacles import allocate as allocate_obstacles
from phil.heuristics.scaling import Frame, frame
from phil.learning.oracle import OracleProblems
from phil.learning.rollout import NO_GOAL, best_of_oracle, random_number
from phil.search.expand import close, insert
from phil.search.heap import Heap, allocate_heap, clear, make_tag, node_of, put
from phil.search.open import begin as begin_state
from phil.search.open import best
from phil.search.state import OPEN, OPEN_NODES, State, is_open, stage_stamp
from phil.search.state import allocate as allocate_state

TRIES = 32  # to draw a queue entry that is not stale, before the best open node is taken

Explorer = Literal["oracle", "random"]


@dataclass(frozen=True)
class RecordSettings:
    """The settings of one roll-out."""

    steps: int  # at most; it ends when the goal is expanded
    records: int  # open nodes recorded, at most one per step
    explore: float  # share of the steps that the explorer takes, not the learner
    explorer: Explorer = "oracle"  # `random` expands a random open node
    random_records: float = 1.0  # share of records of a random open node, not the expanded one
    until_met: bool = False  # end when the goal enters OPEN, and always record that step


@dataclass(frozen=True)
class Records:
    """The records of a roll-out.

    inputs (K, I): of open nodes; target (K,): their oracle distances; following (K, I): the inputs
    of the learner's best open node after the step; met (K,): whether the goal was in OPEN by then.
    Distances are in the network's scale: `scale` moves are 1.
    """

    inputs: NDArray[np.float32]
    target: NDArray[np.float32]
    following: NDArray[np.float32]
    met: NDArray[np.bool_]
    scale: float
    steps: int
    reached: bool


class RecordBuffer(Struct):
    """Preallocated arrays for the records."""

    nodes: Array1[np.int32]
    inputs: Array2[np.float32]
    following: Array2[np.float32]
    met: Array1[np.bool_]
    random: Array1[np.uint64]
    steps: Array1[np.int64]  # one number


class PerceptronRoller:
    """Rolls out searches on problems, reusing its workspace."""

    def __init__(self, problems: OracleProblems, metadata: MlpMetadata) -> None:
        self._problems = problems
        self._metadata = metadata
        graphs = [problem.graph for problem in problems.problems]
        self._size = max(graph.size for graph in graphs)
        degree = max(graph.max_degree for graph in graphs)
        self._learner = allocate_state(self._size, degree, room=self._size)
        self._learner.weights[1] = 1.0
        self._oracle = allocate_heap(self._size)
        self._obstacles = ObstaclesPool()
        self._workspace: MlpWorkspace | None = None

    def roll(self, weights: MlpWeights, problem: int, plan: RecordSettings, seed: int) -> Records:
        """One roll-out on a problem, determined by seed and weights."""
        chosen = self._problems.problems[problem]
        graph = chosen.graph
        scale = frame(graph, self._metadata.scaling)
        if self._metadata.inputs == "grid" and graph.is_grid:
            obstacles = self._obstacles.take(graph)
        else:
            obstacles = allocate_obstacles(0, 0)
        if self._workspace is None:
            workspace = allocate_workspace(weights, self._metadata.features, obstacles)
            kept = np.zeros((self._size, self._metadata.num_inputs), np.float32)
            self._workspace = workspace.replace(kept=kept)
        shape = (min(plan.records, plan.steps), self._metadata.num_inputs)
        buffer = RecordBuffer(
            nodes=np.zeros(shape[0], np.int32),
            inputs=np.zeros(shape, np.float32),
            following=np.zeros(shape, np.float32),
            met=np.zeros(shape[0], bool),
            random=np.array([seed], np.uint64),
            steps=np.zeros(1, np.int64),
        )
        distance = self._problems.distances[problem]
        reached = _roll(
            self._learner,
            self._oracle,
            distance,
            weights,
            self._workspace.replace(obstacles=obstacles),
            graph.arrays,
            scale,
            chosen.start,
            chosen.goal,
            min(plan.steps, self._size),
            plan.explore,
            plan.explorer == "oracle",
            plan.random_records,
            plan.until_met,
            buffer,
        )
        self._obstacles.give_back(obstacles)
        used = min(int(buffer.steps[0]), shape[0])
        return Records(
            inputs=buffer.inputs[:used],
            target=(distance[buffer.nodes[:used]] / scale.distance[0]).astype(np.float32),
            following=buffer.following[:used],
            met=buffer.met[:used],
            scale=float(scale.distance[0]),
            steps=int(buffer.steps[0]),
            reached=bool(reached),
        )


@primitive
def _random_open(learner: State, random: NDArray[np.uint64]) -> int:
    """A random open node."""
    for _ in range(TRIES):
        place = int(random_number(random) * learner.open.size[0])
        node = node_of(learner.open.tags[place])
        if is_open(learner, node):
            return node
    return best(learner)


@primitive
def _copy(source: NDArray[np.float32], target: NDArray[np.float32]) -> None:
    for j in range(target.size):
        target[j] = source[j]


@primitive
def _place(buffer: RecordBuffer, step: int) -> int:
    """Where to record a step, or -1 (reservoir sampling: all steps are equally likely)."""
    room = buffer.nodes.size
    if step < room:
        return step
    place = int(random_number(buffer.random) * (step + 1))
    return place if place < room else -1


@kernel
def _roll(
    learner: State,
    oracle: Heap,
    distance: NDArray[np.float64],
    weights: MlpWeights,
    workspace: MlpWorkspace,
    graph: GraphArrays,
    frame: Frame,
    start: int,
    goal: int,
    steps: int,
    explore: float,
    by_oracle: bool,
    random_records: float,
    until_met: bool,
    buffer: RecordBuffer,
) -> bool:
    set_goal(workspace, graph, frame, goal)
    begin_state(learner, start)
    clear(oracle)
    put(oracle, distance[start], make_tag(0, start))
    inputs = workspace.kept[start]
    write_features(
        weights.kind,
        weights.ends,
        graph,
        frame,
        workspace.obstacles,
        workspace.goal,
        start,
        0.0,
        0,
        inputs,
    )
    for step in range(steps):
        if learner.counters[OPEN_NODES] == 0:
            return False
        if random_number(buffer.random) >= explore:
            node = best(learner)
        elif by_oracle:
            node = best_of_oracle(learner, oracle)
        else:
            node = _random_open(learner, buffer.random)
        buffer.steps[0] += 1
        place = _place(buffer, step)
        if place >= 0:
            noted = node
            if random_number(buffer.random) < random_records:
                noted = _random_open(learner, buffer.random)
            buffer.nodes[place] = noted
            _copy(workspace.kept[noted], buffer.inputs[place])
        # Without a goal: it is expanded like any other node, for the record of the step.
        count = close(learner, graph, node, NO_GOAL)
        evaluate_new(weights, workspace, graph, frame, learner, count)
        insert(learner, graph, count)
        for k in range(count):
            other = learner.new[k]
            put(oracle, distance[other], make_tag(learner.nodes[other].order, other))
        met = learner.nodes[goal].stamp >= stage_stamp(learner, OPEN)
        if met and until_met and place < 0:
            place = int(random_number(buffer.random) * buffer.nodes.size)
            buffer.nodes[place] = node
            _copy(workspace.kept[node], buffer.inputs[place])
        if place >= 0:
            following = best(learner)
            buffer.met[place] = met
            _copy(workspace.kept[following if following >= 0 else node], buffer.following[place])
        if met and until_met:
            return True
        if node == goal:
            return True
    return False
