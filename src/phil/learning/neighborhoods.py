"""The softmax convolution's sum over neighbourhoods, compiled, with its gradient.

It computes what `phil.heuristics.phil.convolutions.DeeperGCN` says, but one node at a time: an
array of all neighbours of all nodes, and many passes over it, cost several times as much.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from phil.compiled import kernel, primitive
from phil.compiled.exponential import exp32
from phil.heuristics.phil.aggregation import EPSILON
from phil.heuristics.phil.network import NodeBatch, PhilNetwork

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

LOWEST = np.float32(-np.inf)
ZERO = np.float32(0.0)
ONE = np.float32(1.0)


def embed(network: PhilNetwork, batch: NodeBatch) -> Tensor:
    """The same as `network.embed(batch)`, but faster where the convolution is the softmax."""
    if network.settings.convolution != "softmax":
        return network.embed(batch)
    convolution: Any = network.convolution
    summed = SoftmaxSum.apply(  # type: ignore[no-untyped-call]
        network.lift(batch.rows),
        batch.node,
        batch.neighbor,
        batch.mask,
        batch.edge,
        convolution.edge.weight,
        convolution.sharpness,
    )
    return network.situate(convolution.update(summed), batch)


class SoftmaxSum(torch.autograd.Function):
    """x_i + sum of softmax weights times messages ReLU(x_j + W e_ij) + eps, per node (B, w).

    Takes x (R, w), node (B,), neighbor (B, n), mask (B, n), edge (B, n, De), W (w, De) and the
    sharpness (1,) of the softmax (see `NodeBatch`).
    """

    @staticmethod
    def forward(
        ctx: Any,
        x: Tensor,
        node: Tensor,
        neighbor: Tensor,
        mask: Tensor,
        edge: Tensor,
        weight: Tensor,
        sharpness: Tensor,
    ) -> Tensor:
        along = weight.t().contiguous()
        out = torch.empty(len(node), x.shape[1])
        # What the gradient needs of each node: the largest logit, the sum of weights, the mean.
        kept = torch.empty(len(node), 3, x.shape[1])
        room = torch.empty(2 * neighbor.shape[1], x.shape[1])
        [rows, *others] = _arrays(x, node, neighbor, mask, edge, along, sharpness, room, kept, out)
        softmax_sum(rows, 0, *others)
        ctx.save_for_backward(x, node, neighbor, mask, edge, along, sharpness, kept)
        return out

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        x, node, neighbor, mask, edge, along, sharpness, kept = ctx.saved_tensors
        to_x, to_along = torch.zeros_like(x), torch.zeros_like(along)
        to_sharpness = torch.zeros(x.shape[1])
        room = torch.empty(2, x.shape[1])
        arrived = gradient.contiguous()
        to = (to_x, to_along, to_sharpness)
        [rows, *others] = _arrays(
            x, node, neighbor, mask, edge, along, sharpness, room, kept, arrived, *to
        )
        softmax_sum_gradient(rows, 0, *others)
        return to_x, None, None, None, None, to_along.t(), to_sharpness.sum(0, keepdim=True)


def _arrays(*tensors: Tensor) -> tuple[NDArray[Any], ...]:
    return tuple(tensor.detach().numpy() for tensor in tensors)


@primitive
def _message(near: Floats, edge: Floats, weight: Floats, message: Floats) -> None:
    """x_j + W e_ij."""
    for c in range(message.size):
        message[c] = near[c]
    for e in range(edge.size):
        scale, along = edge[e], weight[e]
        for c in range(message.size):
            message[c] += scale * along[c]


@kernel
def softmax_sum(
    x: Floats,
    first: int,
    node: Integers,
    neighbor: Integers,
    mask: NDArray[np.bool_],
    edge: Floats,
    weight: Floats,
    sharpness: Floats,
    room: Floats,
    kept: Floats,
    out: Floats,
) -> None:
    """x_i + the sum of each node; x are the rows from `first` on (see `SoftmaxSum`)."""
    width, most = x.shape[1], neighbor.shape[1]
    for item in range(node.size):
        top, total, mean = kept[item, 0], kept[item, 1], kept[item, 2]
        for c in range(width):
            top[c] = LOWEST
            total[c] = ZERO
            mean[c] = ZERO
        count = 0
        for j in range(most):
            if not mask[item, j]:
                continue
            message, logit = room[count], room[most + count]
            _message(x[neighbor[item, j] - first], edge[item, j], weight, message)
            for c in range(width):
                message[c] = (message[c] if message[c] > ZERO else ZERO) + EPSILON
                logit[c] = message[c] * sharpness[0]
                top[c] = logit[c] if logit[c] > top[c] else top[c]
            count += 1
        for k in range(count):
            message, logit = room[k], room[most + k]
            for c in range(width):
                share = exp32(logit[c] - top[c])
                total[c] += share
                mean[c] += share * message[c]
        own, into = x[node[item] - first], out[item]
        for c in range(width):
            # Without neighbours the sum is of nothing.
            mean[c] = mean[c] / total[c] if count > 0 else ZERO
            into[c] = own[c] + mean[c]


@kernel
def softmax_sum_gradient(
    x: Floats,
    first: int,
    node: Integers,
    neighbor: Integers,
    mask: NDArray[np.bool_],
    edge: Floats,
    weight: Floats,
    sharpness: Floats,
    room: Floats,
    kept: Floats,
    gradient: Floats,
    to_x: Floats,
    to_weight: Floats,
    to_sharpness: Floats,
) -> None:
    """Add what arrives at each node's sum to the gradients of what it was made of."""
    width, most = x.shape[1], neighbor.shape[1]
    message, back = room[0], room[1]
    for item in range(node.size):
        arrived, own = gradient[item], to_x[node[item] - first]
        top, total, mean = kept[item, 0], kept[item, 1], kept[item, 2]
        for c in range(width):
            own[c] += arrived[c]
        for j in range(most):
            if not mask[item, j]:
                continue
            _message(x[neighbor[item, j] - first], edge[item, j], weight, message)
            near = to_x[neighbor[item, j] - first]
            for c in range(width):
                positive = (message[c] if message[c] > ZERO else ZERO) + EPSILON
                flow = arrived[c] * exp32(positive * sharpness[0] - top[c]) / total[c]
                above = positive - mean[c]
                # The weighted gaps sum to 0, so positive * above would only add rounding.
                to_sharpness[c] += flow * above * above
                flow *= ONE + sharpness[0] * above
                back[c] = flow if message[c] > ZERO else ZERO
                near[c] += back[c]
            for e in range(weight.shape[0]):
                scale, along = edge[item, j, e], to_weight[e]
                for c in range(width):
                    along[c] += scale * back[c]
