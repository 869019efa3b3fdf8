"""The forward pass over a batch and its gradient, compiled, for a network without memory.

It computes what `phil.heuristics.phil.network` defines in torch, for the softmax convolution, but
works in place, layer by layer, in kernels that never wait for the interpreter. Measured: several
times faster than torch.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel
from phil.compiled.dense import SLOPE as RELU_SLOPE
from phil.compiled.dense import dense, dense_grad, dense_grad_inputs
from phil.compiled.gru import gru_cell_from_zero, gru_cell_from_zero_grad
from phil.heuristics.phil.batches import Floats, Integers, NodeBatch
from phil.heuristics.phil.inputs import write_distances
from phil.heuristics.phil.softmax_sum import softmax_sum, softmax_sum_grad
from phil.heuristics.phil.specification import NetworkSettings, tensor_shapes

SLOPE = float(RELU_SLOPE)
NO_SLOPE = 1.0  # of a layer without a leaky ReLU


def has_gradient(settings: NetworkSettings) -> bool:
    """Whether there is a compiled gradient for a network."""
    return settings.convolution == "softmax" and not settings.remember


def tensors_in(settings: NetworkSettings, vector: Floats) -> dict[str, Floats]:
    """Views of a vector of all parameters, or of their gradients, by name."""
    found, begin = {}, 0
    for name, shape in tensor_shapes(settings).items():
        end = begin + int(np.prod(shape))
        found[name] = vector[begin:end].reshape(shape)
        begin = end
    return found


_Messages = tuple[Floats, Integers, Integers, NDArray[np.bool_], Floats, Floats, Floats, Floats]


class Gradient:
    """Computes the values of batches, and adds the gradients of the parameters to a vector."""

    def __init__(self, settings: NetworkSettings, vector: Floats, gradients: Floats) -> None:
        self._tensors = tensors_in(settings, vector)
        self._grads = tensors_in(settings, gradients)
        self._ends = np.cumsum(np.array(settings.groups, np.int64))
        self._f = [self._layer(f"f.{number}") for number in range(settings.layers)]
        self._update = self._layer("convolution.update")
        self._trail = self._layer("trail") if settings.trail else None
        self._gates = _Dense(
            *(found[name] for name in ("gru.weight_ih", "gru.bias_ih")
              for found in (self._tensors, self._grads))
        )  # fmt: skip
        self._out = [self._layer(f"out.{number}") for number in range(3)]
        self._memory = settings.memory
        self._buffers: dict[str, Floats] = {}

    def _layer(self, name: str) -> _Dense:
        weight, bias = f"{name}.weight", f"{name}.bias"
        none = np.zeros(len(self._tensors[weight]), np.float32)
        return _Dense(
            self._tensors[weight],
            self._grads[weight],
            self._tensors.get(bias, none),
            self._grads.get(bias, none.copy()),
        )

    def _buffer(self, name: str, *shape: int) -> Floats:
        """A buffer that is kept from batch to batch, and grows with its number of rows."""
        found = self._buffers.get(name)
        if found is None or len(found) < shape[0]:
            found = self._buffers[name] = np.empty(shape, np.float32)
        return found[: shape[0]]

    def forward(self, batch: NodeBatch) -> Floats:
        """The values (B,) of the nodes of a batch; valid until the next one."""
        rows, nodes = len(batch.rows), len(batch.node)
        x = self._buffer("inputs", rows, self._f[0].matrix.shape[1])
        _read_rows(batch.rows, self._ends, x)
        for number, layer in enumerate(self._f):
            last = layer is self._f[-1]
            width = len(layer.bias)
            out = self._buffer(f"f.{number}", rows, width)
            layer.forward(x, NO_SLOPE if last else SLOPE, out)
            x = out
        summed, g = (self._buffer(name, nodes, width) for name in ("summed", "g"))
        softmax_sum(*self._messages(batch, x), summed)
        self._update.forward(summed, NO_SLOPE, g)
        more = self._buffer("more", nodes, width)
        if self._trail is not None:
            self._trail.forward(batch.trail, NO_SLOPE, more)
            np.add(g, more, g)
        if "walls.weight" in self._tensors:
            np.take(self._tensors["walls.weight"], batch.missing, 0, more, "clip")
            np.add(g, more, g)
        gates = self._buffer("gates", nodes, 3 * self._memory)
        self._gates.forward(g, NO_SLOPE, gates)
        x = self._buffer("read", nodes, self._out[0].matrix.shape[1])
        gru_cell_from_zero(gates, self._tensors["gru.bias_hh"], x)
        x[:, self._memory :] = batch.goal
        for number, layer in enumerate(self._out):
            out = self._buffer(f"out.{number}", nodes, len(layer.bias))
            layer.forward(x, NO_SLOPE if layer is self._out[-1] else SLOPE, out)
            x = out
        return x.reshape(-1)

    def backward(self, batch: NodeBatch, values_grad: Floats) -> None:
        """Add the gradients, given those of the values of a batch just passed forward."""
        rows, nodes, width = len(batch.rows), len(batch.node), len(self._update.bias)
        grad = values_grad.reshape(nodes, 1)
        for number in (2, 1, 0):
            name, slope = (f"out.{number - 1}", SLOPE) if number else ("read", NO_SLOPE)
            layer = self._out[number]
            x = self._buffer(name, nodes, layer.matrix.shape[1])
            into = self._buffer(f"{name} grad", *x.shape)
            layer.backward(x, grad)
            layer.backward_inputs(grad, x, slope, into)
            grad = into
        gates, g = (self._buffer("gates", nodes, 3 * self._memory), self._buffer("g", nodes, width))
        gru_cell_from_zero_grad(
            gates, self._tensors["gru.bias_hh"], grad, self._grads["gru.bias_hh"]
        )
        g_grad, summed_grad = (self._buffer(f"{name} grad", nodes, width) for name in "gs")
        self._gates.backward(g, gates)
        self._gates.backward_inputs(gates, g, NO_SLOPE, g_grad)
        if "walls.weight" in self._tensors:
            _add_rows(g_grad, batch.missing, self._grads["walls.weight"])
        if self._trail is not None:
            self._trail.backward(batch.trail, g_grad)
        summed = self._buffer("summed", nodes, width)
        self._update.backward(summed, g_grad)
        self._update.backward_inputs(g_grad, summed, NO_SLOPE, summed_grad)
        grad, other = (self._buffer(f"f grad {turn}", rows, width) for turn in (0, 1))
        grad[:] = 0.0
        edge_grad = np.zeros(self._tensors["convolution.edge.weight"].shape[::-1], np.float32)
        sharpness_grad = np.zeros(width, np.float32)
        softmax_sum_grad(
            *self._messages(batch, self._buffer(f"f.{len(self._f) - 1}", rows, width)),
            summed_grad, grad, edge_grad, sharpness_grad,
        )  # fmt: skip
        self._grads["convolution.edge.weight"] += edge_grad.T
        self._grads["convolution.sharpness"] += sharpness_grad.sum()
        for number in range(len(self._f) - 1, 0, -1):
            x = self._buffer(f"f.{number - 1}", rows, width)
            self._f[number].backward(x, grad)
            self._f[number].backward_inputs(grad, x, SLOPE, other)
            grad, other = other, grad
        self._f[0].backward(self._buffer("inputs", rows, self._f[0].matrix.shape[1]), grad)

    def _messages(self, batch: NodeBatch, x: Floats) -> _Messages:
        """The common arguments of `softmax_sum` and its gradient."""
        along = np.ascontiguousarray(self._tensors["convolution.edge.weight"].T)
        kept = self._buffer("kept", len(batch.node), 3, x.shape[1])
        sharpness = self._tensors["convolution.sharpness"]
        return x, batch.node, batch.neighbor, batch.mask, batch.edge, along, sharpness, kept


class _Dense:
    """A fully connected layer, and the gradients of its parameters."""

    def __init__(
        self, matrix: Floats, matrix_grad: Floats, bias: Floats, bias_grad: Floats
    ) -> None:
        self.matrix = matrix
        self.bias = bias
        self._grads = matrix_grad, bias_grad
        self._transposed = np.empty(matrix.shape[::-1], np.float32)
        self._product = np.empty(matrix.shape, np.float32)

    def forward(self, x: Floats, slope: float, out: Floats) -> None:
        self._transposed[:] = self.matrix.T
        dense(x, self._transposed, self.bias, slope, out)

    def backward(self, x: Floats, out_grad: Floats) -> None:
        """Add the gradients of the parameters."""
        dense_grad(x, out_grad, *self._grads, self._product)

    def backward_inputs(self, out_grad: Floats, x: Floats, slope: float, x_grad: Floats) -> None:
        """Write the gradient of the inputs, which are the outputs of a leaky ReLU of a slope."""
        dense_grad_inputs(out_grad, self.matrix, x, slope, x_grad)


@kernel
def _read_rows(rows: Floats, ends: Integers, inputs: Floats) -> None:
    """Write the inputs of f: features of a node and of the goal, and their distances."""
    features = rows.shape[1] // 2
    for i in range(rows.shape[0]):
        row, x = rows[i], inputs[i]
        for k in range(2 * features):
            x[k] = row[k]
        write_distances(x, x[features : 2 * features], ends, 2 * features)


@kernel
def _add_rows(x: Floats, number: Integers, into: Floats) -> None:
    """Add each row of x to a row of `into`, by its number."""
    for i in range(x.shape[0]):
        row, to = x[i], into[number[i]]
        for c in range(row.size):
            to[c] += row[c]
