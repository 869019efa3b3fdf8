"""The encoder in torch, for training; `encoder.py` computes the same from its tensors."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from phil.heuristics.file import Tensors
from phil.heuristics.neural_astar.encoder import (
    IMAGES,
    SMALLEST_VARIANCE,
    EncoderSettings,
    groups_of,
)


class Convolution(nn.Module):
    """A 3 x 3 convolution, group normalization and ReLU.

    (Measured: without normalization, training converges to constant guidance costs. With batch
    normalization it works during training, but the running means are far off afterwards.)
    """

    def __init__(self, before: int, after: int) -> None:
        super().__init__()
        self.weigh = nn.Conv2d(before, after, 3, padding=1, bias=False)
        self.normalize = nn.GroupNorm(groups_of(after), after, eps=SMALLEST_VARIANCE)

    def forward(self, image: Tensor) -> Tensor:
        """The image (batch, after, rows, columns)."""
        norm = self.normalize
        # Calling `norm` itself would refuse an image of one cell.
        out = torch.group_norm(self.weigh(image), norm.num_groups, norm.weight, norm.bias, norm.eps)
        return functional.relu(out)


class Encoder(nn.Module):
    """Predicts a guidance cost for every cell (see `EncoderSettings`); initially average."""

    def __init__(self, settings: EncoderSettings) -> None:
        super().__init__()
        self.settings = settings
        sizes = (IMAGES * settings.patch**2, *settings.channels)
        self.down = nn.ModuleList(Convolution(before, after) for before, after in pairwise(sizes))
        self.up = nn.ModuleList(
            Convolution(here + below, here) for here, below in pairwise(settings.channels)
        )
        self.out = nn.Conv2d(settings.channels[0], settings.patch**2, 1)

    def forward(self, pictures: Tensor) -> Tensor:
        """The costs (batch, rows, columns) of pictures (batch, IMAGES, rows, columns)."""
        patch = self.settings.patch
        rows, columns = pictures.shape[2:]
        image = functional.pad(pictures, (0, -columns % patch, 0, -rows % patch))
        image = functional.pixel_unshuffle(image, patch)
        levels = []
        for level, down in enumerate(self.down):
            if level > 0:
                image = functional.max_pool2d(image, 2, ceil_mode=True)
            image = down(image)
            levels.append(image)
        for up, finer in zip(reversed(self.up), reversed(levels[:-1]), strict=True):
            coarser = functional.interpolate(image, scale_factor=2)
            coarser = coarser[:, :, : finer.shape[2], : finer.shape[3]]
            image = up(torch.cat([coarser, finer], 1))
        out = functional.pixel_shuffle(self.out(image), patch)[:, 0, :rows, :columns]
        least, most = self.settings.least_cost, self.settings.most_cost
        return least + (most - least) * torch.sigmoid(out)

    def tensors(self) -> Tensors:
        """Copies of the tensors in the layout of `encoder.tensor_shapes`."""
        patch = self.settings.patch
        found: dict[str, Tensor] = {}
        for kind, layers in (("down", self.down), ("up", self.up)):
            for level, layer in enumerate(layers):
                assert isinstance(layer, Convolution)
                found[f"{kind}.{level}.weight"] = layer.weigh.weight.permute(2, 3, 1, 0)
                found[f"{kind}.{level}.scale"] = layer.normalize.weight
                found[f"{kind}.{level}.shift"] = layer.normalize.bias
        # pixel_unshuffle puts the images before the cells of a patch, `encoder.folded` after them.
        first = found["down.0.weight"].reshape(3, 3, IMAGES, patch**2, -1)
        found["down.0.weight"] = first.transpose(2, 3).flatten(2, 3)
        assert self.out.bias is not None
        found["out.weight"], found["out.bias"] = self.out.weight[:, :, 0, 0].T, self.out.bias
        return {name: tensor.detach().numpy().copy(order="C") for name, tensor in found.items()}
