"""The softmax convolution's sum for a batch of nodes, and its gradient, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel
from phil.compiled.messages import softmax_messages, softmax_messages_grad

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


@kernel
def softmax_sum(
    x: Floats,
    node: Integers,
    neighbor: Integers,
    mask: NDArray[np.bool_],
    edge: Floats,
    weight: Floats,
    sharpness: Floats,
    kept: Floats,
    out: Floats,
) -> None:
    """x_i + the softmax mean of its messages, for each node (see `phil.compiled.messages`)."""
    for k in range(node.size):
        softmax_messages(
            x, node[k], neighbor[k], mask[k], edge[k], weight, sharpness[0], kept[k], out[k]
        )


@kernel
def softmax_sum_grad(
    x: Floats,
    node: Integers,
    neighbor: Integers,
    mask: NDArray[np.bool_],
    edge: Floats,
    weight: Floats,
    sharpness: Floats,
    kept: Floats,
    out_grad: Floats,
    x_grad: Floats,
    weight_grad: Floats,
    sharpness_grad: Floats,
) -> None:
    """Add the gradients of x, W transposed and, by channel, the sharpness."""
    for k in range(node.size):
        softmax_messages_grad(
            x, node[k], neighbor[k], mask[k], edge[k], weight, sharpness[0], kept[k],
            out_grad[k], x_grad, weight_grad, sharpness_grad,
        )  # fmt: skip
