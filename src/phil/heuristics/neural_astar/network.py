"""The encoder in torch: what is trained. `encoder.py` computes the same from its tensors."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from phil.heuristics.file import Tensors
from phil.heuristics.neural_astar.metadata import IMAGES, EncoderSettings

NORM_SHARE = 0.1  # of a batch in the running mean and variance


class Convolution(nn.Module):
    """A convolution of 3 x 3 cells, normalised over the batch, and what of it is above 0.

    (Measured: without the normalisation training ends in guidance costs that are all the same.)
    """

    def __init__(self, before: int, after: int) -> None:
        super().__init__()
        self.weigh = nn.Conv2d(before, after, 3, padding=1, bias=False)
        self.normalize = nn.BatchNorm2d(after)

    def forward(self, image: Tensor) -> Tensor:
        """The image (batch, after, rows, columns)."""
        image = self.weigh(image)
        norm = self.normalize
        # A single value has no spread to be normalised by.
        alone = image.numel() == image.shape[1]
        return functional.relu(
            functional.batch_norm(
                image,
                norm.running_mean,
                norm.running_var,
                norm.weight,
                norm.bias,
                self.training and not alone,
                NORM_SHARE,
                norm.eps,
            )
        )

    def folded(self) -> tuple[Tensor, Tensor]:
        """Kernel and bias of the same without a normalisation of its own."""
        norm = self.normalize
        assert norm.running_var is not None
        assert norm.running_mean is not None
        factor = norm.weight / (norm.running_var + norm.eps).sqrt()
        weight = self.weigh.weight * factor[:, None, None, None]
        return weight.permute(2, 3, 1, 0), norm.bias - norm.running_mean * factor


class Encoder(nn.Module):
    """Gives every cell a guidance cost (see `EncoderSettings`); at first about half of the most."""

    def __init__(self, settings: EncoderSettings) -> None:
        super().__init__()
        self.settings = settings
        sizes = (IMAGES * settings.patch**2, *settings.channels)
        self.down = nn.ModuleList(
            Convolution(before, after) for before, after in zip(sizes, sizes[1:], strict=False)
        )
        self.up = nn.ModuleList(
            Convolution(here + below, here)
            for here, below in zip(sizes[1:], sizes[2:], strict=False)
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
        return self.settings.most_cost * torch.sigmoid(out)

    def tensors(self) -> Tensors:
        """The tensors of `metadata.tensor_shapes`, with the normalisations folded in."""
        patch = self.settings.patch
        found: dict[str, Tensor] = {}
        for kind, layers in (("down", self.down), ("up", self.up)):
            for level, layer in enumerate(layers):
                assert isinstance(layer, Convolution)
                found[f"{kind}.{level}.weight"], found[f"{kind}.{level}.bias"] = layer.folded()
        # pixel_unshuffle has the images before the cells of a patch, `encoder.folded` after them.
        first = found["down.0.weight"].reshape(3, 3, IMAGES, patch**2, -1)
        found["down.0.weight"] = first.transpose(2, 3).flatten(2, 3)
        found["out.weight"], found["out.bias"] = self.out.weight[:, :, 0, 0].T, self.out.bias
        return {name: tensor.detach().numpy().copy(order="C") for name, tensor in found.items()}
