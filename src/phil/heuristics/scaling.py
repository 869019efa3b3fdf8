"""Scaling features and distances for networks, in the same way for training and searches.

On a grid, coordinates are centred on the map and divided by half its longest side, so that they lie
in [-1, 1]; distances are divided by the longest side. A heuristic learned on maps of one size can
thus be used on maps of another. On other graphs, the scaling uses the mean and standard deviation
of each feature, the size of edge features and the mean distance, measured on the training problems
and stored with the heuristic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, model_validator

from phil.compiled import Array1, Struct, primitive
from phil.errors import InputError
from phil.graphs import Graph, SearchedGraph
from phil.graphs.arrays import GraphArrays, node_features

SMALLEST, LARGEST = (float(x) for x in (np.finfo(np.float32).tiny, np.finfo(np.float32).max))

# Kernels compute in float32, where a smaller spread would be 0 and a larger one infinite.
Centre = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]
Spread = Annotated[float, Field(ge=SMALLEST, le=LARGEST)]


class Scaling(BaseModel):
    """The scaling stored with a heuristic; with `grid`, it is taken from the map being searched."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    grid: bool = True
    centre: tuple[Centre, ...] = ()
    spread: tuple[Spread, ...] = ()
    edge_spread: tuple[Spread, ...] = ()
    distance: FiniteFloat = Field(1.0, gt=0)

    @model_validator(mode="after")
    def _same_lengths(self) -> Scaling:
        if len(self.centre) != len(self.spread):
            raise ValueError(f"{len(self.centre)} centres, but {len(self.spread)} spreads")
        return self

    def fits(self, features: int) -> bool:
        """Whether nodes with this many features can be scaled; grids are 2D or 3D."""
        return features in (2, 3) if self.grid else features == len(self.centre)


class Frame(Struct):
    """The scaling of one graph: x becomes (x - centre) / spread, a value v becomes v * distance.

    A step from a node to the next is divided by `step`; on a grid it is in cells.
    """

    centre: Array1[np.float32]
    spread: Array1[np.float32]
    step: Array1[np.float32]
    distance: float


@primitive
def scaled_features(graph: GraphArrays, frame: Frame, node: int, out: NDArray[np.float32]) -> None:
    """Write the scaled features of a node."""
    node_features(graph, node, out)
    for k in range(frame.centre.size):
        out[k] = (out[k] - frame.centre[k]) / frame.spread[k]


def frame(graph: SearchedGraph, scaling: Scaling) -> Frame:
    """The scaling to use on a graph; raises `InputError` if the heuristic is for another kind."""
    shape = graph.shape
    if shape is not None:
        if not scaling.grid:
            raise InputError("the heuristic was learned on general graphs, this is a grid map")
        longest = max(*shape, 2) - 1
        sides = np.array(shape if len(shape) == 3 else shape[::-1])  # along x, y, z
        centre = ((sides - 1) / 2).astype(np.float32)
        spread = np.full(sides.size, longest / 2, np.float32)
        return Frame(centre, spread, np.ones(sides.size, np.float32), float(longest))
    if scaling.grid:
        raise InputError("the heuristic was learned on grid maps, this is a general graph")
    width = graph.arrays.features.shape[1]
    if len(scaling.centre) != width:
        raise InputError(
            f"the heuristic was learned with {len(scaling.centre)} features per node, "
            f"this graph has {width}"
        )
    spread = np.array(scaling.spread, np.float32)
    return Frame(np.array(scaling.centre, np.float32), spread, spread, scaling.distance)


def check_axes(frame: Frame, names: tuple[str, ...]) -> None:
    """Raise `InputError` if a map has other axes than those that a heuristic was learned on."""
    if frame.centre.size != len(names):
        raise InputError(
            f"the heuristic was learned on {len(names)}D maps, this one is {frame.centre.size}D"
        )


def measure(graphs: Sequence[Graph], mean_distance: float, *, together: bool = False) -> Scaling:
    """The scaling of general graphs, from feature statistics over the given ones.

    Features that are alike (see `FeatureGroup`) share one spread, so that distances between them
    keep their meaning; with `together`, those of every group do. Edge features are divided by their
    root mean square.
    """
    nodes = _Moments([graph.features for graph in graphs])
    spread = nodes.deviation
    begin = 0
    for group in graphs[0].feature_groups:
        columns = slice(begin, begin + group.size)
        if group.alike or together:
            spread[columns] = np.sqrt(np.mean(spread[columns] ** 2))
        begin += group.size
    edges = _Moments([graph.edge_features for graph in graphs])
    return Scaling(
        grid=False,
        centre=tuple(nodes.mean.tolist()),
        spread=tuple(_divisors(spread).tolist()),
        edge_spread=tuple(_divisors(edges.root_mean_square).tolist()),
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


def _divisors(spread: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(spread >= SMALLEST, np.minimum(spread, LARGEST), 1.0)
