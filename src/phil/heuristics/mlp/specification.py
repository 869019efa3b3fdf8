"""A multi-layer perceptron, described once: its file, its tensors and the kernel's layout."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from phil.compiled import Array1, Array2, Array3, Struct
from phil.compiled.vectors import aligned_zeros, padded
from phil.heuristics.file import Metadata, Tensors, check_tensors
from phil.heuristics.scaling import Scaling

MlpMethod = Literal["sail", "supervised", "cem", "q_learning"]
Inputs = Literal["grid", "graph", "nodes"]

GRID, GRAPH, NODES = 0, 1, 2  # which inputs, for the kernels
KINDS: dict[Inputs, int] = {"grid": GRID, "graph": GRAPH, "nodes": NODES}


class MlpMetadata(Metadata):
    """The network's shape, its inputs and their scaling.

    `grid`: SaIL's 17 features of 2D maps. `graph`: features of node and goal, their distance, path
    cost and depth of the node. `nodes`: only features of node and goal. With `groups`, the last two
    read the distances of each group of features that PHIL's network reads, instead of the one.
    """

    method: MlpMethod
    inputs: Inputs
    hidden: tuple[Annotated[int, Field(ge=1, le=4096)], ...] = Field(min_length=1, max_length=16)
    scaling: Scaling
    groups: tuple[Annotated[int, Field(ge=1)], ...] = ()  # sizes of the groups of features

    @property
    def features(self) -> int:
        """Features per node of the graphs that it is for."""
        return len(self.feature_names)

    @property
    def num_inputs(self) -> int:
        """The number of inputs of the network."""
        if self.inputs == "grid":
            return 17
        way, one = {"graph": (2, 1), "nodes": (0, 0)}[self.inputs]  # g and depth; the distance
        return 2 * self.features + way + (3 * len(self.groups) or one)

    @model_validator(mode="after")
    def _fits(self) -> MlpMetadata:
        if not self.scaling.fits(self.features):
            scaled = len(self.scaling.centre)
            raise ValueError(f"{self.features} feature names, but a scaling for {scaled} features")
        if self.inputs == "grid" and not (self.scaling.grid and self.features == 2):
            raise ValueError("SaIL's features of 2D grids, but a scaling for other graphs")
        if self.groups and (self.inputs == "grid" or sum(self.groups) != self.features):
            raise ValueError(f"groups of {sum(self.groups)} features, but {self.features} are read")
        return self


def tensor_shapes(metadata: MlpMetadata) -> dict[str, tuple[int, ...]]:
    """Name and shape of every tensor of the network, as in its file."""
    sizes = (metadata.num_inputs, *metadata.hidden, 1)
    shapes: dict[str, tuple[int, ...]] = {}
    for layer, (before, after) in enumerate(pairwise(sizes)):
        shapes |= {f"layers.{layer}.weight": (after, before), f"layers.{layer}.bias": (after,)}
    return shapes


class MlpWeights(Struct):
    """All hidden layers in arrays of one shape, since their number is only known at run time."""

    matrices: Array3[np.float32]  # (layers, inputs, outputs), padded with zeros
    biases: Array2[np.float32]  # (layers, outputs), padded with zeros to whole vectors
    sizes: Array1[np.int64]  # inputs of each layer, then the outputs of the last one
    last: Array1[np.float32]  # the output layer's weights
    last_bias: float
    kind: int  # which inputs: GRID, GRAPH or NODES
    ends: Array1[np.int64]  # of the groups of features; empty if there are none


def pack(metadata: MlpMetadata, tensors: Tensors) -> MlpWeights:
    """The kernel's layout of a network's tensors, which are named as in `tensor_shapes`."""
    check_tensors(tensor_shapes(metadata), tensors)
    sizes = (metadata.num_inputs, *metadata.hidden)
    layers, widest = len(metadata.hidden), padded(max(metadata.hidden))
    matrices = aligned_zeros(layers, max(sizes), widest)
    biases = aligned_zeros(layers, widest)
    for layer in range(layers):
        matrix = tensors[f"layers.{layer}.weight"].T
        matrices[layer, : matrix.shape[0], : matrix.shape[1]] = matrix
        biases[layer, : matrix.shape[1]] = tensors[f"layers.{layer}.bias"]
    last = aligned_zeros(padded(sizes[-1]))
    last[: sizes[-1]] = tensors[f"layers.{layers}.weight"][0]
    return MlpWeights(
        matrices=matrices,
        biases=biases,
        sizes=np.array(sizes, np.int64),
        last=last,
        last_bias=float(tensors[f"layers.{layers}.bias"][0]),
        kind=KINDS[metadata.inputs],
        ends=np.cumsum(np.array(metadata.groups, np.int64)),
    )
