"""What the file of a multi-layer perceptron says about it."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, model_validator

from phil.heuristics.file import Metadata
from phil.heuristics.mlp.features import GRAPH, GRID, NODES
from phil.heuristics.phil.scaling import Scaling

MlpMethod = Literal["sail", "supervised", "cem", "q_learning"]
Inputs = Literal["grid", "graph", "nodes"]

KINDS: dict[Inputs, int] = {"grid": GRID, "graph": GRAPH, "nodes": NODES}


class MlpMetadata(Metadata):
    """The network's shape, what it reads of a node, and how that is scaled.

    `grid`: SaIL's 17 features of 2D maps. `graph`: features of node and goal, their distance, path
    cost and depth of the node. `nodes`: features of node and goal alone.
    """

    method: MlpMethod
    inputs: Inputs
    hidden: tuple[Annotated[int, Field(ge=1, le=4096)], ...] = Field(min_length=1, max_length=16)
    scaling: Scaling

    @property
    def features(self) -> int:
        """Numbers per node of the graphs that it is for."""
        return len(self.feature_names)

    @property
    def num_inputs(self) -> int:
        """Numbers that the network reads of a node."""
        return input_count(self.inputs, self.features)

    @model_validator(mode="after")
    def _fits(self) -> MlpMetadata:
        if not self.scaling.fits(self.features):
            scaled = len(self.scaling.centre)
            raise ValueError(f"{self.features} feature names, but a scaling of {scaled} features")
        if self.inputs == "grid" and not (self.scaling.grid and self.features == 2):
            raise ValueError("SaIL's features of 2D grids, but the scaling of another graph")
        return self


def input_count(inputs: Inputs, features: int) -> int:
    """Numbers that a network reads of a node with so many features."""
    return {"grid": 17, "graph": 2 * features + 3, "nodes": 2 * features}[inputs]


def tensor_shapes(metadata: MlpMetadata) -> dict[str, tuple[int, ...]]:
    """Name and shape of every tensor of the network: what its file must hold."""
    sizes = (metadata.num_inputs, *metadata.hidden, 1)
    shapes: dict[str, tuple[int, ...]] = {}
    for layer, (before, after) in enumerate(pairwise(sizes)):
        shapes |= {f"layers.{layer}.weight": (after, before), f"layers.{layer}.bias": (after,)}
    return shapes
