"""The sum over neighbours of the softmax convolution, as a torch function with compiled kernels.

It equals `phil.heuristics.phil.network.DeeperGCN`, but works node by node: several passes over an
array of all neighbours of all nodes take several times as long.
"""

from __future__ import annotations

from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor

from phil.heuristics.phil.batches import NodeBatch
from phil.heuristics.phil.network import PhilNetwork
from phil.heuristics.phil.softmax_sum import softmax_sum, softmax_sum_grad


def embed(network: PhilNetwork, batch: NodeBatch) -> Tensor:
    """Equals `network.embed(batch)`, but is faster for the softmax convolution."""
    if network.settings.convolution != "softmax":
        return network.embed(batch)
    convolution: Any = network.convolution
    summed = SoftmaxSum.apply(  # type: ignore[no-untyped-call]
        network.lift(torch.from_numpy(batch.rows)),
        convolution.edge.weight,
        convolution.sharpness,
        batch,
    )
    return network.situate(convolution.update(summed), batch)


class SoftmaxSum(torch.autograd.Function):
    """x_i + sum of softmax weights times messages ReLU(x_j + W e_ij) + eps, per node (B, w).

    Takes x (R, w), W (w, De), the sharpness (1,) of the softmax, and the batch.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, sharpness: Tensor, batch: NodeBatch) -> Tensor:
        along = weight.t().contiguous()
        count = len(batch.node)
        out = torch.empty(count, x.shape[1])
        # Kept per node for the gradient: the largest logit, the sum of weights, the mean.
        kept = torch.empty(count, 3, x.shape[1])
        softmax_sum(*_arguments(x, along, sharpness, batch), *_arrays(kept, out))
        ctx.save_for_backward(x, along, sharpness, kept)
        ctx.batch = batch
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        x, along, sharpness, kept = ctx.saved_tensors
        grads = torch.zeros_like(x), torch.zeros_like(along), torch.zeros(x.shape[1])
        softmax_sum_grad(
            *_arguments(x, along, sharpness, ctx.batch),
            *_arrays(kept, grad.contiguous(), *grads),
        )
        x_grad, along_grad, sharpness_grad = grads
        return x_grad, along_grad.t(), sharpness_grad.sum(0, keepdim=True), None


def _arguments(x: Tensor, along: Tensor, sharpness: Tensor, batch: NodeBatch) -> tuple[Any, ...]:
    rows, weight, sharp = _arrays(x, along, sharpness)
    return rows, batch.node, batch.neighbor, batch.mask, batch.edge, weight, sharp


def _arrays(*tensors: Tensor) -> tuple[NDArray[Any], ...]:
    return tuple(tensor.detach().numpy() for tensor in tensors)
