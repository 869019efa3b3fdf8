"""The PHIL network, described once: its settings, its inputs, its layers and their shapes.

The value of a node i, newly discovered on the way to a goal, is (Algorithm 2)

    x_i = f(node_i, goal, distances_i)
    g_i = phi(x_i, aggregate of (x_j, edge_ij) over at most n neighbours j)
          + walls[missing moves of i] + W trail_i
    z_i = GRU(g_i, memory)
    h_i = out(z_i, goal)

and the memory becomes the mean of z_i over the nodes discovered together. What follows from this
page: the tensors that a file must hold (`tensor_shapes`), the torch network (`network.py`), the
weights as the compiled kernels read them (`weights.py`), and their workspaces. What the inputs are
made of is written in `inputs.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Convolution = Literal["softmax", "power", "gat", "max", "sum"]
CONVOLUTIONS: tuple[Convolution, ...] = ("softmax", "power", "gat", "max", "sum")


class NetworkSettings(BaseModel):
    """Every size and choice of Algorithm 2; the defaults are the paper's on grids."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    features: int = Field(2, ge=1, description="numbers per node")
    edge_features: int = Field(2, ge=0, description="numbers per edge")
    width: int = Field(128, ge=1, le=4096, description="width of every layer")
    layers: int = Field(3, ge=1, le=16, description="layers of f, the embedding of a node")
    neighbors: int = Field(8, ge=0, le=1024, description="n: neighbours seen by the convolution")
    convolution: Convolution = Field("softmax", description="how neighbours are aggregated")
    memory: int = Field(64, ge=1, le=4096, description="d: dimensions of the memory")
    remember: bool = Field(True, description="carry the memory on; else it starts at 0 each time")
    walls: int = Field(0, ge=0, le=8, description="moves of a grid whose absence is an input")
    trail: bool = Field(False, description="how the search came to a node is an input")
    groups: tuple[Annotated[int, Field(ge=1)], ...] = Field(
        (), description="sizes of groups of features, whose distances are inputs apart"
    )
    goal_first: bool = Field(False, description="the goal's value is 0, all others are above")
    sample_seed: int = Field(
        0, ge=0, lt=2**63, description="which neighbours are taken where there are more"
    )

    @model_validator(mode="after")
    def _groups_are_whole(self) -> NetworkSettings:
        if self.groups and sum(self.groups) != self.features:
            raise ValueError(
                f"groups of {sum(self.groups)} features, but there are {self.features}"
            )
        return self

    @property
    def distances(self) -> int:
        """Distances of a node to the goal that f reads: the paper's two, or three per group."""
        return 3 * len(self.groups) if self.groups else 2

    @property
    def trail_size(self) -> int:
        """Numbers that say how the search came to a node: depth, last step, trend of the steps."""
        return 1 + 2 * self.features if self.trail else 0

    @property
    def inputs(self) -> str:
        """The inputs of the network in a few words."""
        names = [f"{self.features} node features", "distances to the goal"]
        names += [f"{self.edge_features} edge features"] if self.edge_features else []
        names += ["walls"] if self.walls else []
        names += ["trail"] if self.trail else []
        return ", ".join(names)


Shape = tuple[int, ...]


@dataclass(frozen=True)
class Layer:
    """A fully connected layer: sizes of its inputs by name, in order, and of its output."""

    inputs: dict[str, int]
    outputs: int
    bias: bool = True

    @property
    def size(self) -> int:
        """All inputs together."""
        return sum(self.inputs.values())

    def columns(self, name: str) -> slice:
        """Where one of the inputs stands among all of them."""
        names = list(self.inputs)
        begin = sum(self.inputs[before] for before in names[: names.index(name)])
        return slice(begin, begin + self.inputs[name])


def layers(settings: NetworkSettings) -> dict[str, Layer | Shape]:
    """All layers of a network by name, and tensors that stand alone, in the order of a file."""
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
    if settings.trail:
        found["trail"] = Layer({"trail": settings.trail_size}, width, bias=False)
    found["gru.weight_ih"] = (3 * memory, width)
    found["gru.weight_hh"] = (3 * memory, memory)
    found["gru.bias_ih"] = found["gru.bias_hh"] = (3 * memory,)
    found["out.0"] = Layer({"memory": memory, "goal": features}, width)
    found["out.1"] = Layer({"hidden": width}, width)
    found["out.2"] = Layer({"hidden": width}, 1)
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
    """Name and shape of every tensor of a network: what a heuristic file must hold."""
    shapes: dict[str, Shape] = {}
    for name, part in layers(settings).items():
        if isinstance(part, Layer):
            shapes[f"{name}.weight"] = (part.outputs, part.size)
            if part.bias:
                shapes[f"{name}.bias"] = (part.outputs,)
        else:
            shapes[name] = part
    return shapes
