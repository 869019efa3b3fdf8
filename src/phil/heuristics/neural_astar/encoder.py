"""The encoder without torch: a U-Net over a picture of any shape, by products of matrices."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.heuristics.file import Tensors
from phil.heuristics.neural_astar.metadata import SMALLEST_VARIANCE, EncoderSettings, groups_of

Image = NDArray[np.float32]  # (rows, columns, channels)


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
    # Far below 0 the exponential is infinite and the cost 0, as it should be.
    with np.errstate(over="ignore"):
        share = 1.0 / (1.0 + np.exp(-out[:rows, :columns]))
    costs = settings.least_cost + (settings.most_cost - settings.least_cost) * share
    return costs.astype(np.float32)


def folded(image: Image, patch: int) -> Image:
    """Every patch of cells as one cell with their channels; what is missing at the edge is 0."""
    rows, columns, channels = image.shape
    image = np.pad(image, ((0, -rows % patch), (0, -columns % patch), (0, 0)))
    rows, columns = image.shape[0] // patch, image.shape[1] // patch
    split = image.reshape(rows, patch, columns, patch, channels)
    return split.transpose(0, 2, 1, 3, 4).reshape(rows, columns, -1)


def unfolded(image: Image, patch: int) -> NDArray[np.float32]:
    """One number for each cell of every patch: the other way."""
    rows, columns, _ = image.shape
    split = image.reshape(rows, columns, patch, patch)
    return split.transpose(0, 2, 1, 3).reshape(rows * patch, columns * patch)


def halved(image: Image) -> Image:
    """The largest of every 2 x 2 cells; at the edge, of those that there are."""
    rows, columns, _ = image.shape
    image = np.pad(image, ((0, rows % 2), (0, columns % 2), (0, 0)), mode="edge")
    pairs = np.maximum(image[::2], image[1::2])
    return np.maximum(pairs[:, ::2], pairs[:, 1::2])


def convolved(tensors: Tensors, name: str, image: Image) -> Image:
    """A convolution of 3 x 3 cells, normalised, and what of it is above 0.

    Row after row, with an empty cell at both ends, every offset within the 3 x 3 cells is an offset
    in one long row: nine products of matrices, and nothing is copied.
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
    """Every group of channels with mean 0 and variance 1 over the image."""
    rows, columns, channels = image.shape
    split = image.reshape(rows * columns, groups_of(channels), -1)
    mean = split.mean((0, 2), keepdims=True, dtype=np.float64)
    variance = np.square(split - mean).mean((0, 2), keepdims=True)
    out: Image = ((split - mean) / np.sqrt(variance + SMALLEST_VARIANCE)).astype(np.float32)
    return out.reshape(image.shape)
