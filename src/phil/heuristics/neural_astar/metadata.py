"""What a file of Neural A* says about itself."""

from __future__ import annotations

from itertools import pairwise
from math import gcd

from pydantic import BaseModel, ConfigDict, Field, model_validator

from phil.heuristics.file import Metadata

IMAGES = 2  # what the encoder sees: the free cells, and start and goal
GROUPS = 8  # of channels that are normalised together, if their number can be divided by it
SMALLEST_VARIANCE = 1e-5  # of such a group


class EncoderSettings(BaseModel):
    """The shape of the encoder, a U-Net.

    `patch` x `patch` cells of the map are one cell of the first level, in as many channels as it
    takes; every further level halves the side. So a large map costs little, and yet every cell of
    it has a guidance cost of its own.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    channels: tuple[int, ...] = Field(min_length=1, max_length=8, description="of every level")
    patch: int = Field(ge=1, le=16, description="side of the cells that are seen as one")
    most_cost: float = Field(gt=0, le=1000, description="what a cell costs at most")
    least_cost: float = Field(0.0, ge=0, le=1000, description="what a cell costs at least")

    @model_validator(mode="after")
    def _in_order(self) -> EncoderSettings:
        if self.least_cost > self.most_cost:
            raise ValueError(
                f"a cell costs at least {self.least_cost}, but at most {self.most_cost}"
            )
        return self


class NeuralAstarMetadata(Metadata):
    """What a heuristic learned by Neural A* is."""

    encoder: EncoderSettings
    block: int = Field(ge=1, le=64)  # side of the cells of a map that the encoder sees as one


def groups_of(channels: int) -> int:
    """In how many groups the channels of a level are normalised."""
    return gcd(GROUPS, channels)


def tensor_shapes(settings: EncoderSettings) -> dict[str, tuple[int, ...]]:
    """The tensors of an encoder: kernels are (3 down, 3 right, from, to)."""
    sizes = (IMAGES * settings.patch**2, *settings.channels)
    layers = {
        f"down.{level}": (before, after) for level, (before, after) in enumerate(pairwise(sizes))
    } | {
        f"up.{level}": (here + below, here)
        for level, (here, below) in enumerate(pairwise(settings.channels))
    }
    shapes: dict[str, tuple[int, ...]] = {}
    for name, (before, after) in layers.items():
        shapes[f"{name}.weight"] = (3, 3, before, after)
        shapes[f"{name}.scale"] = shapes[f"{name}.shift"] = (after,)
    shapes["out.weight"] = (settings.channels[0], settings.patch**2)
    shapes["out.bias"] = (settings.patch**2,)
    return shapes
