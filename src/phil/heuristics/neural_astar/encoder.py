"""The encoder of Neural A*: its shape, inputs and outputs, without torch.

It is a U-Net over a picture of any shape, computed by matrix products.
"""

from __future__ import annotations

from itertools import pairwise
from math import gcd
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, model_validator

from phil.graphs import GridGraph
from phil.heuristics.file import Tensors

IMAGES = 2  # input channels: the free cells, and start and goal
GROUPS = 8  # groups of channels in normalization, if their number is divisible by it
SMALLEST_VARIANCE = 1e-5  # of such a group

Image = NDArray[np.float32]  # (rows, columns, channels)


class EncoderSettings(BaseModel):
    """The shape of the encoder, a U-Net.

    `patch` x `patch` cells of the map become one cell of the first level, as further channels;
    every further level halves the sides. So a large map is cheap, and yet every cell has its own
    guidance cost.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    channels: tuple[Annotated[int, Field(ge=1, le=4096)], ...] = Field(
        min_length=1, max_length=8, description="channels per level"
    )
    patch: int = Field(ge=1, le=16, description="side of the patches seen as one cell")
    most_cost: float = Field(gt=0, le=1000, description="maximum guidance cost of a cell")
    least_cost: float = Field(0.0, ge=0, le=1000, description="minimum guidance cost of a cell")

    @model_validator(mode="after")
    def _in_order(self) -> EncoderSettings:
        if self.least_cost > self.most_cost:
            raise ValueError(
                f"a cell costs at least {self.least_cost}, but at most {self.most_cost}"
            )
        return self


def groups_of(channels: int) -> int:
    """The number of groups in which the channels of a level are normalized."""
    return gcd(GROUPS, channels)


def tensor_shapes(settings: EncoderSettings) -> dict[str, tuple[int, ...]]:
    """The tensors of an encoder; convolution kernels are (3 down, 3 right, inputs, outputs)."""
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


def scaled_down(grid: GridGraph, block: int, *ends: int) -> GridGraph:
    """The grid scaled down to blocks of `block` x `block` cells, with the same moves.

    A block is free if at least half of it is, or if it contains one of `ends`. (Measured on the
    public 201 x 201 maps with blocks of 2: no problem loses its path. Requiring all cells to be
    free closes gaps; requiring only one opens walls.)
    """
    if block == 1:
        return grid
    rows, columns = (-(-side // block) for side in grid.shape)
    cells = np.zeros((2, rows * block, columns * block), np.int64)
    cells[:, : grid.shape[0], : grid.shape[1]] = grid.free, np.ones(grid.shape)
    free, whole = cells.reshape(2, rows, block, columns, block).sum((2, 4))
    coarse = 2 * free >= whole
    for end in ends:
        row, column = grid.cell(end)
        coarse[row // block, column // block] = True
    return GridGraph(
        coarse,
        connectivity=grid.connectivity,
        corners=grid.corners,
        diagonal_cost=grid.diagonal_cost,
    )


def block_of(grid: GridGraph, block: int, node: int) -> int:
    """The node of the scaled-down grid that contains a node."""
    _, columns = grid.plane("a map in blocks")
    row, column = divmod(node, columns)
    return row // block * -(-columns // block) + column // block


def picture(grid: GridGraph, start: int, goal: int) -> NDArray[np.float32]:
    """The encoder's input for a problem (rows, columns, 2): free cells, and start and goal."""
    image = np.zeros((grid.size, 2), np.float32)
    image[:, 0] = grid.free.reshape(-1)
    image[[start, goal], 1] = 1.0
    return image.reshape(*grid.shape, 2)


def encode(settings: EncoderSettings, tensors: Tensors, picture: Image) -> NDArray[np.float32]:
    """The guidance cost of every cell of a picture, from `least_cost` to `most_cost`."""
    rows, columns, _ = picture.shape
    image = folded(picture, settings.patch)
    levels: list[Image] = []
    for level in range(len(settings.channels)):
        if level > 0:
            image = halved(image)
        image = convolved(tensors, f"down.{level}", image)
        levels.append(image)
    for level in reversed(range(len(levels) - 1)):
        finer = levels[level]
        coarser = image.repeat(2, 0).repeat(2, 1)[: finer.shape[0], : finer.shape[1]]
        image = convolved(tensors, f"up.{level}", np.concatenate([coarser, finer], 2))
    out = unfolded(image @ tensors["out.weight"] + tensors["out.bias"], settings.patch)
    # Far below 0 the exponential is infinite and the share 0, as it should be.
    with np.errstate(over="ignore"):
        share = 1.0 / (1.0 + np.exp(-out[:rows, :columns]))
    costs = settings.least_cost + (settings.most_cost - settings.least_cost) * share
    return costs.astype(np.float32)


def folded(image: Image, patch: int) -> Image:
    """Every patch of cells as one cell with all their channels, padded with 0 at the edge."""
    rows, columns, channels = image.shape
    image = np.pad(image, ((0, -rows % patch), (0, -columns % patch), (0, 0)))
    rows, columns = image.shape[0] // patch, image.shape[1] // patch
    split = image.reshape(rows, patch, columns, patch, channels)
    return split.transpose(0, 2, 1, 3, 4).reshape(rows, columns, -1)


def unfolded(image: Image, patch: int) -> NDArray[np.float32]:
    """The inverse for one number per cell of every patch."""
    rows, columns, _ = image.shape
    split = image.reshape(rows, columns, patch, patch)
    return split.transpose(0, 2, 1, 3).reshape(rows * patch, columns * patch)


def halved(image: Image) -> Image:
    """Max pooling over 2 x 2 cells; at the edge, over those that exist."""
    rows, columns, _ = image.shape
    image = np.pad(image, ((0, rows % 2), (0, columns % 2), (0, 0)), mode="edge")
    pairs = np.maximum(image[::2], image[1::2])
    return np.maximum(pairs[:, ::2], pairs[:, 1::2])


def convolved(tensors: Tensors, name: str, image: Image) -> Image:
    """A 3 x 3 convolution, group normalization and ReLU.

    With rows padded at both ends and stored one after another, every offset within 3 x 3 cells is
    an offset in one long row: nine matrix products, without copies.
    """
    weight = tensors[f"{name}.weight"]
    rows, columns, channels = image.shape
    wide = columns + 2
    padded = np.zeros((rows + 3, wide, channels), np.float32)
    padded[1 : rows + 1, 1:-1] = image
    cells = padded.reshape(-1, channels)
    total = np.zeros((rows * wide, weight.shape[3]), np.float32)
    for down in range(3):
        for right in range(3):
            first = down * wide + right
            total += cells[first : first + total.shape[0]] @ weight[down, right]
    out = normalized(total.reshape(rows, wide, -1)[:, :columns])
    above: Image = np.maximum(out * tensors[f"{name}.scale"] + tensors[f"{name}.shift"], 0.0)
    return above


def normalized(image: Image) -> Image:
    """Group normalization: every group of channels has mean 0 and variance 1 over the image."""
    rows, columns, channels = image.shape
    split = image.reshape(rows * columns, groups_of(channels), -1)
    mean = split.mean((0, 2), keepdims=True, dtype=np.float64)
    variance = np.square(split - mean).mean((0, 2), keepdims=True)
    out: Image = ((split - mean) / np.sqrt(variance + SMALLEST_VARIANCE)).astype(np.float32)
    return out.reshape(image.shape)
