"""Fully connected layers with compiled gradients, for training."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from phil.compiled import dense as kernels

Floats = NDArray[np.float32]

SLOPE = float(kernels.SLOPE)
NO_SLOPE = 1.0  # of a layer without a leaky ReLU


class Dense:
    """A fully connected layer, and the gradients of its parameters, which backward passes add to.

    matrix: (outputs, inputs); bias: (outputs,).
    """

    def __init__(
        self, matrix: Floats, bias: Floats, matrix_grad: Floats, bias_grad: Floats
    ) -> None:
        self._matrix, self._bias = matrix, bias
        self._grads = matrix_grad, bias_grad
        self._transposed = np.empty(matrix.shape[::-1], np.float32)
        self._product = np.empty(matrix.shape, np.float32)
        self.outputs, self.inputs = matrix.shape

    def begin(self) -> None:
        """Read the current parameters; they may change between batches."""
        self._transposed[:] = self._matrix.T

    def forward(self, x: Floats, slope: float, out: Floats) -> None:
        """Write the outputs, after a leaky ReLU of a slope."""
        kernels.dense(x, self._transposed, self._bias, slope, out)

    def backward(self, x: Floats, out_grad: Floats) -> None:
        """Add the gradients of the parameters."""
        kernels.dense_grad(x, out_grad, *self._grads, self._product)

    def backward_inputs(self, out_grad: Floats, x: Floats, slope: float, x_grad: Floats) -> None:
        """Write the gradient of the inputs x, before the leaky ReLU that they are outputs of."""
        kernels.dense_grad_inputs(out_grad, self._matrix, x, slope, x_grad)


class Perceptron:
    """Layers with a leaky ReLU after each of them but the last."""

    def __init__(self, layers: Sequence[Dense]) -> None:
        self._layers = layers
        self._outputs = [Buffer(layer.outputs) for layer in layers]
        self._grads = [Buffer(layer.inputs) for layer in layers]

    def forward(self, x: Floats) -> Floats:
        """The outputs; valid until the next batch."""
        for layer, buffer in zip(self._layers, self._outputs, strict=True):
            layer.begin()
            out = buffer.rows(len(x))
            layer.forward(x, NO_SLOPE if layer is self._layers[-1] else SLOPE, out)
            x = out
        return x

    def outputs(self, rows: int) -> Floats:
        """The outputs of the last batch, of so many rows."""
        return self._outputs[-1].rows(rows)

    def backward(self, x: Floats, grad: Floats, x_grad: Floats | None = None) -> None:
        """Add the gradients of the parameters, and write that of the inputs if it is wanted."""
        inputs = [x, *(buffer.rows(len(x)) for buffer in self._outputs[:-1])]
        for number in range(len(self._layers) - 1, 0, -1):
            layer, into = self._layers[number], self._grads[number].rows(len(x))
            layer.backward(inputs[number], grad)
            layer.backward_inputs(grad, inputs[number], SLOPE, into)
            grad = into
        self._layers[0].backward(x, grad)
        if x_grad is not None:
            self._layers[0].backward_inputs(grad, x, NO_SLOPE, x_grad)


class Buffer:
    """Rows of a fixed shape that are kept from batch to batch; their number grows."""

    def __init__(self, *shape: int) -> None:
        self._array = np.empty((0, *shape), np.float32)

    def rows(self, count: int) -> Floats:
        """The first rows."""
        if len(self._array) < count:
            self._array = np.empty((count, *self._array.shape[1:]), np.float32)
        return self._array[:count]
