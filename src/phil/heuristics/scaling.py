"""Scaling features and distances for networks, in the same way for training and searches.

On a grid, there are two frames of reference. In the frame of the map, coordinates are centred on
the map and divided by half its longest side, so that they lie in [-1, 1]; distances are divided by
the longest side. In the frame of the goal, coordinates are relative to the goal and in a unit that
does not depend on the map, and the axes are mirrored and swapped so that the start always lies in
the same direction: every problem looks like its mirror images. On other graphs, the scaling uses
the mean and standard deviation of each feature, the size of edge features and the mean distance,
measured on the training problems and stored with the heuristic. So do features added to a map,
which also has the mean distance then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, model_validator

from phil.compiled import Array1, Struct, kernel, primitive
from phil.errors import InputError
from phil.graphs import AnyGraph, SearchedGraph
from phil.graphs.arrays import GraphArrays, coordinates, node_features

FrameName = Literal["map", "goal"]
Lengths = Literal["cells", "distance"]
LOCAL = 8.0  # cells: the unit of values that are in cells
CELLS = 64.0  # the unit of lengths in the frame of the goal, unless it is the distance of the start

SMALLEST, LARGEST = (float(x) for x in (np.finfo(np.float32).tiny, np.finfo(np.float32).max))
WITHIN = 1e-3  # share of its deviation that a feature must have within graphs to be read

# Kernels compute in float32, where a smaller spread would be 0 and a larger one infinite.
Centre = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]
Spread = Annotated[float, Field(ge=SMALLEST, le=LARGEST)]


class Scaling(BaseModel):
    """The scaling stored with a heuristic; with `grid`, it is taken from the map being searched.

    On a grid, `centre` and `spread` are those of the features besides the coordinates, and
    `distance` counts only if there are any.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    grid: bool = True
    centre: tuple[Centre, ...] = ()
    spread: tuple[Spread, ...] = ()
    edge_spread: tuple[Spread, ...] = ()
    distance: FiniteFloat = Field(1.0, gt=0)
    lengths: Lengths = Field(
        "cells",
        description="unit in the frame of the goal: a number of cells, or the start's distance",
    )

    @model_validator(mode="after")
    def _same_lengths(self) -> Scaling:
        if len(self.centre) != len(self.spread):
            raise ValueError(f"{len(self.centre)} centres, but {len(self.spread)} spreads")
        return self

    def fits(self, features: int) -> bool:
        """Whether nodes with this many features can be scaled; grids are 2D or 3D."""
        own = features - len(self.centre)
        return own in (2, 3) if self.grid else own == 0


class Frame(Struct):
    """The scaling of one problem: input k is (x[axes[k]] - centre[k]) / spread[k] of features x.

    A value v is a distance of v * distance[0]. A step from a node to the next is divided by `step`;
    on a grid it is in cells. Mirrored axes have a negative `spread` and `step`.
    """

    axes: Array1[np.int64]
    centre: Array1[np.float32]
    spread: Array1[np.float32]
    step: Array1[np.float32]
    distance: Array1[np.float64]
    by_distance: bool  # in the frame of the goal: lengths are in units of the start's distance
    # Of a grid: its sides along x, y and z, the number of the cell at (0, 0, 0), by how much a
    # cell's number grows along the axes, and by move, the number of the move that it becomes.
    sides: Array1[np.int64]
    origin: int
    strides: Array1[np.int64]
    turn: Array1[np.int64]


@primitive
def scaled_features(graph: GraphArrays, frame: Frame, node: int, out: NDArray[np.float32]) -> None:
    """Write the scaled features of a node."""
    node_features(graph, node, out)
    features = frame.axes.size
    # Only the first three can change places: the coordinates on a grid.
    raw = (out[0], out[min(1, features - 1)], out[min(2, features - 1)])
    for k in range(features):
        source = frame.axes[k]
        value = out[k] if source == k else raw[source]
        out[k] = (value - frame.centre[k]) / frame.spread[k]


@primitive
def local_unit(frame: Frame) -> np.float32:
    """The unit of values in cells, scaled."""
    return np.float32(LOCAL / frame.distance[0])


@kernel
def orient(frame: Frame, graph: GraphArrays, start: int, goal: int) -> None:
    """Set the frame of the goal of a problem on a grid.

    Axes are ordered by the start's distance along them, and mirrored if the start lies on the
    negative side. If it is as far along two axes, their order is that of the map.
    """
    count = frame.sides.size
    there = coordinates(graph, goal)
    here = coordinates(graph, start)
    gap = (here[0] - there[0], here[1] - there[1], here[2] - there[2])
    unit = CELLS
    if frame.by_distance:
        unit = max(1.0, np.sqrt(float(gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2])))
    for k in range(count):
        frame.axes[k] = k
    for k in range(1, count):  # insertion sort
        for at in range(k, 0, -1):
            before, after = frame.axes[at - 1], frame.axes[at]
            if abs(gap[before]) < abs(gap[after]):
                frame.axes[at - 1], frame.axes[at] = after, before
    for k in range(count):
        axis = frame.axes[k]
        sign = -1.0 if gap[axis] < 0 else 1.0
        frame.centre[k] = there[axis]
        frame.spread[k] = sign * unit
        frame.step[k] = sign
    frame.distance[0] = unit
    for move in range(frame.turn.size):
        frame.turn[move] = _turned(frame, graph.edge_features, move)


@primitive
def _turned(frame: Frame, offsets: NDArray[np.float32], move: int) -> int:
    """The number of the move that a move of a grid becomes in the frame."""
    for other in range(offsets.shape[0]):
        same = True
        for k in range(frame.sides.size):
            same = same and offsets[other, k] == offsets[move, frame.axes[k]] / frame.step[k]
        if same:
            return other
    return move


_map_frames: WeakKeyDictionary[SearchedGraph, tuple[Scaling, Frame]] = WeakKeyDictionary()


def frame(
    graph: SearchedGraph,
    scaling: Scaling,
    name: FrameName = "map",
    ends: tuple[int, int] | None = None,
) -> Frame:
    """The scaling to use on a graph; raises `InputError` if the heuristic is for another kind.

    The frame of the goal is that of a problem, from the first to the second of its `ends`. The
    frame of the map is shared by all searches.
    """
    if name == "goal":
        assert ends is not None
        found = _map_frame(graph, scaling)
        orient(found, graph.arrays, *ends)
        return found
    known = _map_frames.get(graph)
    if known is None or known[0] is not scaling:
        _map_frames[graph] = known = scaling, _map_frame(graph, scaling)
    return known[1]


def _map_frame(graph: SearchedGraph, scaling: Scaling) -> Frame:
    shape = graph.shape
    if shape is not None:
        if not scaling.grid:
            raise InputError("the heuristic was learned on general graphs, this is a grid map")
        longest = max(*shape, 2) - 1
        count = len(shape)
        added = len(graph.feature_names) - count if graph.is_known else 0
        if added != len(scaling.centre):
            raise InputError(
                f"the heuristic was learned with {len(scaling.centre)} features besides the "
                f"coordinates, this map has {added}"
            )
        sides = np.array(shape if count == 3 else shape[::-1], np.int64)  # along x, y, z
        plane = (shape[0] - 1) * shape[1], (1, -shape[1])
        origin, strides = plane if count == 2 else (0, (shape[1] * shape[2], shape[2], 1))
        return Frame(
            axes=np.arange(count + added),
            centre=_joined((sides - 1) / 2, scaling.centre),
            spread=_joined(np.full(count, longest / 2), scaling.spread),
            step=_joined(np.ones(count), scaling.spread),
            distance=np.array([scaling.distance if added else float(longest)]),
            by_distance=scaling.lengths == "distance",
            sides=sides,
            origin=origin,
            strides=np.array(strides, np.int64),
            turn=np.arange(graph.arrays.moves.shape[0]),
        )
    if scaling.grid:
        raise InputError("the heuristic was learned on grid maps, this is a general graph")
    width = graph.arrays.features.shape[1]
    if len(scaling.centre) != width:
        raise InputError(
            f"the heuristic was learned with {len(scaling.centre)} features per node, "
            f"this graph has {width}"
        )
    spread = np.array(scaling.spread, np.float32)
    return Frame(
        axes=np.arange(width),
        centre=np.array(scaling.centre, np.float32),
        spread=spread,
        step=spread,
        distance=np.array([scaling.distance]),
        by_distance=False,
        sides=np.zeros(0, np.int64),
        origin=0,
        strides=np.zeros(0, np.int64),
        turn=np.zeros(0, np.int64),
    )


def _joined(first: NDArray[np.float64], rest: Sequence[float]) -> NDArray[np.float32]:
    return np.concatenate([first, np.array(rest, np.float64)]).astype(np.float32)


def check_axes(frame: Frame, names: tuple[str, ...]) -> None:
    """Raise `InputError` if a map has other axes than those that a heuristic was learned on."""
    if frame.centre.size != len(names):
        raise InputError(
            f"the heuristic was learned on {len(names)}D maps, this one is {frame.centre.size}D"
        )


def measure(graphs: Sequence[AnyGraph], mean_distance: float, *, together: bool = False) -> Scaling:
    """The scaling of graphs, from feature statistics over the given ones.

    They are all general graphs, or maps with features besides the coordinates.

    Features that are alike (see `FeatureGroup`) share one spread, so that distances between them
    keep their meaning; with `together`, those of every group do. Edge features are divided by their
    root mean square.

    A feature that is the same on all nodes of every graph, but not from graph to graph, tells no
    two nodes apart, and on a graph unlike those of the training it would lead values astray: it
    gets the largest spread, so that its scaled values are next to 0.
    """
    grid = graphs[0].is_grid
    features = [graph.arrays.features[graph.node_ids] for graph in graphs]
    nodes = _Moments(features)
    spread = nodes.deviation
    of_graphs = _deviation_within(features) < WITHIN * spread
    begin = 0
    for group in graphs[0].feature_groups[grid:]:
        columns = slice(begin, begin + group.size)
        if group.alike or together:
            shared = np.where(of_graphs[columns], 0.0, spread[columns])
            spread[columns] = np.sqrt(np.mean(shared**2))
        begin += group.size
    spread[of_graphs] = LARGEST
    edges = _Moments([graph.arrays.edge_features for graph in graphs])
    return Scaling(
        grid=grid,
        centre=tuple(nodes.mean.tolist()),
        spread=tuple(divisors(spread).tolist()),
        edge_spread=() if grid else tuple(divisors(edges.root_mean_square).tolist()),
        distance=mean_distance or 1.0,
    )


class _Moments:
    """Mean and standard deviation of each column of several arrays."""

    def __init__(self, arrays: Sequence[NDArray[np.float32]]) -> None:
        count = max(1, sum(len(array) for array in arrays))
        self.mean = sum(array.sum(axis=0, dtype=np.float64) for array in arrays) / count
        squares = sum(np.square(array - self.mean).sum(axis=0) for array in arrays)
        self.deviation: NDArray[np.float64] = np.sqrt(squares / count)
        self.root_mean_square: NDArray[np.float64] = np.hypot(self.mean, self.deviation)


def _deviation_within(arrays: Sequence[NDArray[np.float32]]) -> NDArray[np.float64]:
    """The standard deviation of each column from its mean in the same array."""
    squares = sum(
        np.square(array - array.mean(axis=0, dtype=np.float64)).sum(axis=0) for array in arrays
    )
    deviation: NDArray[np.float64] = np.sqrt(squares / max(1, sum(map(len, arrays))))
    return deviation


def divisors(spread: NDArray[np.float64]) -> NDArray[np.float64]:
    """What features of this spread are divided by: 1 if it is too small to divide by."""
    return np.where(spread >= SMALLEST, np.minimum(spread, LARGEST), 1.0)
