"""The PHIL network, described once: its settings, inputs, layers and their shapes.

The value of a newly discovered node i on the way to a goal is (Algorithm 2)

    x_i = f(node_i, goal, distances_i)
    g_i = phi(x_i, aggregate of (x_j, edge_ij) over at most n neighbours j)
          + walls[missing moves of i] + W [trail_i, known_i]
    z_i = GRU(g_i, memory)
    h_i = out(z_i, goal)

and the memory becomes the mean of z_i over the nodes discovered together, or the first `carried`
numbers of it, the others being 0. From this file follow the
tensors of a heuristic file (`tensor_shapes`), the torch network (`network.py`), the weights as the
compiled kernels read them (`weights.py`), and their workspaces. The inputs are computed in
`inputs.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from phil.heuristics.phil.inputs import STATES
from phil.heuristics.scaling import FrameName

Convolution = Literal["softmax", "power", "gat", "max", "sum"]
CONVOLUTIONS: tuple[Convolution, ...] = ("softmax", "power", "gat", "max", "sum")


class NetworkSettings(BaseModel):
    """The sizes and options of Algorithm 2; the defaults are the paper's for grids."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    features: int = Field(2, ge=1, description="features per node")
    edge_features: int = Field(2, ge=0, description="features per edge")
    width: int = Field(128, ge=1, le=4096, description="width of every layer")
    layers: int = Field(3, ge=1, le=16, description="layers of f, the embedding of a node")
    neighbors: int = Field(8, ge=0, le=1024, description="n: neighbours seen by the convolution")
    convolution: Convolution = Field("softmax", description="how neighbours are aggregated")
    memory: int = Field(64, ge=1, le=4096, description="d: dimensions of the memory")
    remember: bool = Field(True, description="keep the memory between expansions; else it is 0")
    carried: int = Field(
        0, ge=0, le=4096, description="numbers of the memory kept between expansions; 0: all"
    )
    walls: int = Field(0, ge=0, le=8, description="moves of a grid whose blocking is an input")
    trail: bool = Field(False, description="how the search reached a node is an input")
    axes: int = Field(0, ge=0, le=3, description="axes of a grid; 0 for other graphs")
    frame: FrameName = Field("map", description="grids: what coordinates are relative to")
    local: bool = Field(
        False, description="in the frame of the goal: a second output, in cells, is added to values"
    )
    known: int = Field(
        0, ge=0, le=8, description="grids: how far around a node what the search knows is an input"
    )
    lazy: bool = Field(
        False, description="a node is evaluated again with its neighbours before it is expanded"
    )
    groups: tuple[Annotated[int, Field(ge=1)], ...] = Field(
        (), description="sizes of groups of features, whose distances are separate inputs"
    )
    goal_first: bool = Field(False, description="the goal's value is 0, all others are positive")
    sample_seed: int = Field(
        0, ge=0, lt=2**63, description="seed for sampling neighbours where there are more than n"
    )

    @model_validator(mode="after")
    def _groups_are_whole(self) -> NetworkSettings:
        if self.groups and sum(self.groups) != self.features:
            raise ValueError(
                f"groups of {sum(self.groups)} features, but there are {self.features}"
            )
        return self

    @model_validator(mode="after")
    def _carried_is_there(self) -> NetworkSettings:
        if self.carried > self.memory:
            raise ValueError(f"{self.carried} numbers carried of a memory of {self.memory}")
        return self

    @model_validator(mode="after")
    def _grids_only(self) -> NetworkSettings:
        if (self.known or self.frame == "goal") and self.axes not in (2, 3):
            raise ValueError("the frame of the goal and known cells are for grids of 2 or 3 axes")
        if self.local and self.frame != "goal":
            raise ValueError("an output in cells needs the frame of the goal")
        if self.lazy and (self.remember or self.neighbors or self.walls or not self.known):
            raise ValueError("lazy look-ahead needs known cells, no memory and no eager look-ahead")
        return self

    @property
    def distances(self) -> int:
        """The number of distances to the goal that f reads: the paper's two, or three per group."""
        return 3 * len(self.groups) if self.groups else 2

    @property
    def steps_size(self) -> int:
        """The size of a trail: depth, last step and trend of the steps."""
        return 1 + 2 * self.features if self.trail else 0

    @property
    def window(self) -> tuple[tuple[int, ...], ...]:
        """The cells around a node of which the network reads what the search knows."""
        reach = range(-self.known, self.known + 1)
        return tuple(cell for cell in product(reach, repeat=self.axes) if any(cell))

    @property
    def trail_size(self) -> int:
        """The size of the trail and of what is known around a node."""
        return self.steps_size + STATES * len(self.window)

    @property
    def inputs(self) -> str:
        """A short description of the network's inputs."""
        names = [f"{self.features} node features", "distances to the goal"]
        names += [f"{self.edge_features} edge features"] if self.edge_features else []
        names += ["walls"] if self.walls else []
        names += ["trail"] if self.trail else []
        names += [f"known cells up to {self.known} away"] if self.known else []
        names += ["in the frame of the goal"] if self.frame == "goal" else []
        return ", ".join(names)


Shape = tuple[int, ...]


@dataclass(frozen=True)
class Layer:
    """A fully connected layer: the sizes of its named inputs, in order, and of its output."""

    inputs: dict[str, int]
    outputs: int
    bias: bool = True

    @property
    def size(self) -> int:
        """The total size of the inputs."""
        return sum(self.inputs.values())

    def columns(self, name: str) -> slice:
        """The position of one input among all of them."""
        names = list(self.inputs)
        begin = sum(self.inputs[before] for before in names[: names.index(name)])
        return slice(begin, begin + self.inputs[name])


def layers(settings: NetworkSettings) -> dict[str, Layer | Shape]:
    """All layers and single tensors of a network by name, in the order of a file."""
    features, width, memory = settings.features, settings.width, settings.memory
    found: dict[str, Layer | Shape] = {}
    found["f.0"] = Layer(
        {"node": features, "goal": features, "distances": settings.distances}, width
    )
    for number in range(1, settings.layers):
        found[f"f.{number}"] = Layer({"hidden": width}, width)
    for name, part in _convolution(settings).items():
        found[f"convolution.{name}"] = part
    if settings.walls:
        found["walls.weight"] = (2**settings.walls, width)
    if settings.trail_size:
        found["trail"] = Layer({"trail": settings.trail_size}, width, bias=False)
    found["gru.weight_ih"] = (3 * memory, width)
    found["gru.weight_hh"] = (3 * memory, memory)
    found["gru.bias_ih"] = found["gru.bias_hh"] = (3 * memory,)
    found["out.0"] = Layer({"memory": memory, "goal": features}, width)
    found["out.1"] = Layer({"hidden": width}, width)
    found["out.2"] = Layer({"hidden": width}, 2 if settings.local else 1)
    return found


def _convolution(settings: NetworkSettings) -> dict[str, Layer | Shape]:
    """The layers of the convolution (see `phil.heuristics.phil.network` for the formulas)."""
    width = settings.width
    dense, linear = Layer({"x": width}, width), Layer({"x": width}, width, bias=False)
    edge = Layer({"edge": settings.edge_features}, width, bias=False)
    if settings.convolution == "gat":
        return {"attention": (3, width), "root": linear, "neighbor": dense, "edge": edge}
    if settings.convolution in ("max", "sum"):
        return {"node": dense, "neighbor": linear, "edge": edge, "root": linear, "update": dense}
    return {"sharpness": (1,), "edge": edge, "update": dense}


def layer(settings: NetworkSettings, name: str) -> Layer:
    """One of the fully connected layers."""
    found = layers(settings)[name]
    assert isinstance(found, Layer)
    return found


def tensor_shapes(settings: NetworkSettings) -> dict[str, Shape]:
    """Name and shape of every tensor of a network, as in a heuristic file."""
    shapes: dict[str, Shape] = {}
    for name, part in layers(settings).items():
        if isinstance(part, Layer):
            shapes[f"{name}.weight"] = (part.outputs, part.size)
            if part.bias:
                shapes[f"{name}.bias"] = (part.outputs,)
        else:
            shapes[name] = part
    return shapes
