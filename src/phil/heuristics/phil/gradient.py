"""The forward pass over a batch and its gradient, compiled, for a network without memory.

It computes what `phil.heuristics.phil.network` defines in torch, for the softmax convolution, but
works in place, layer by layer, in kernels that never wait for the interpreter. Measured: several
times faster than torch.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel
from phil.compiled.gru import gru_cell_from_zero, gru_cell_from_zero_grad
from phil.heuristics.feature_distances import write_distances
from phil.heuristics.phil.batches import Floats, Integers, NodeBatch
from phil.heuristics.phil.layers import NO_SLOPE, Buffer, Dense, Perceptron
from phil.heuristics.phil.softmax_sum import softmax_sum, softmax_sum_grad
from phil.heuristics.phil.specification import NetworkSettings, tensor_shapes


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
        self._to_goal = settings.frame == "map"
        self._local = settings.local
        width, memory = settings.width, settings.memory
        f = [self._layer(f"f.{number}") for number in range(settings.layers)]
        out = [self._layer(f"out.{number}") for number in range(3)]
        self._f, self._out = Perceptron(f), Perceptron(out)
        self._update = self._layer("convolution.update")
        self._trail = self._layer("trail") if settings.trail_size else None
        self._gates = self._layer("gru", weight="weight_ih", bias="bias_ih")
        self._has_walls = settings.walls > 0
        # Of f, by row; then by node.
        self._inputs, self._f_grad = Buffer(f[0].inputs), Buffer(width)
        self._kept = Buffer(3, width)  # of the softmax
        self._summed, self._summed_grad = Buffer(width), Buffer(width)
        self._g, self._g_grad = Buffer(width), Buffer(width)
        self._gated, self._more = Buffer(3 * memory), Buffer(width)
        self._read, self._read_grad = Buffer(out[0].inputs), Buffer(out[0].inputs)
        self._memory = memory

    def _layer(self, name: str, *, weight: str = "weight", bias: str = "bias") -> Dense:
        weight, bias = f"{name}.{weight}", f"{name}.{bias}"
        none = np.zeros(len(self._tensors[weight]), np.float32)
        return Dense(
            self._tensors[weight],
            self._tensors.get(bias, none),
            self._grads[weight],
            self._grads.get(bias, none.copy()),
        )

    def forward(self, batch: NodeBatch) -> Floats:
        """The values (B,) of the nodes of a batch; valid until the next one."""
        nodes = len(batch.node)
        inputs = self._inputs.rows(len(batch.rows))
        _read_rows(batch.rows, self._ends, self._to_goal, inputs)
        summed, g, more = (part.rows(nodes) for part in (self._summed, self._g, self._more))
        softmax_sum(*self._messages(batch, self._f.forward(inputs)), summed)
        for layer in (self._update, self._trail, self._gates):
            if layer is not None:
                layer.begin()
        self._update.forward(summed, NO_SLOPE, g)
        if self._trail is not None:
            self._trail.forward(batch.trail, NO_SLOPE, more)
            np.add(g, more, g)
        if self._has_walls:
            np.take(self._tensors["walls.weight"], batch.missing, 0, more, "clip")
            np.add(g, more, g)
        gated, read = self._gated.rows(nodes), self._read.rows(nodes)
        self._gates.forward(g, NO_SLOPE, gated)
        gru_cell_from_zero(gated, self._tensors["gru.bias_hh"], read)
        read[:, self._memory :] = batch.goal
        read_out = self._out.forward(read)
        values = read_out[:, 0]
        if self._local:
            values = values + read_out[:, 1] * batch.local
        return values

    def backward(self, batch: NodeBatch, values_grad: Floats) -> None:
        """Add the gradients, given those of the values of a batch just passed forward."""
        nodes, rows = len(batch.node), len(batch.rows)
        read_grad, gated = self._read_grad.rows(nodes), self._gated.rows(nodes)
        outs_grad = values_grad.reshape(nodes, 1)
        if self._local:
            outs_grad = np.concatenate([outs_grad, outs_grad * batch.local[:, None]], axis=1)
        self._out.backward(self._read.rows(nodes), outs_grad, read_grad)
        bias, bias_grad = (found["gru.bias_hh"] for found in (self._tensors, self._grads))
        gru_cell_from_zero_grad(gated, bias, read_grad, bias_grad)
        g, g_grad = self._g.rows(nodes), self._g_grad.rows(nodes)
        self._gates.backward(g, gated)
        self._gates.backward_inputs(gated, g, NO_SLOPE, g_grad)
        if self._has_walls:
            _add_rows(g_grad, batch.missing, self._grads["walls.weight"])
        if self._trail is not None:
            self._trail.backward(batch.trail, g_grad)
        summed, summed_grad = self._summed.rows(nodes), self._summed_grad.rows(nodes)
        self._update.backward(summed, g_grad)
        self._update.backward_inputs(g_grad, summed, NO_SLOPE, summed_grad)
        edge_grad, sharpness_grad, f_grad = (
            np.zeros(self._tensors["convolution.edge.weight"].shape[::-1], np.float32),
            np.zeros(summed.shape[1], np.float32),
            self._f_grad.rows(rows),
        )
        f_grad.fill(0.0)
        softmax_sum_grad(
            *self._messages(batch, self._f.outputs(rows)),
            summed_grad, f_grad, edge_grad, sharpness_grad,
        )  # fmt: skip
        self._grads["convolution.edge.weight"] += edge_grad.T
        self._grads["convolution.sharpness"] += sharpness_grad.sum()
        self._f.backward(self._inputs.rows(rows), f_grad)

    def _messages(self, batch: NodeBatch, x: Floats) -> _Messages:
        """The common arguments of `softmax_sum` and its gradient."""
        along = np.ascontiguousarray(self._tensors["convolution.edge.weight"].T)
        kept, sharpness = self._kept.rows(len(batch.node)), self._tensors["convolution.sharpness"]
        return x, batch.node, batch.neighbor, batch.mask, batch.edge, along, sharpness, kept


@kernel
def _read_rows(rows: Floats, ends: Integers, to_goal: bool, inputs: Floats) -> None:
    """Write the inputs of f: features of a node and of the goal, and their distances."""
    features = rows.shape[1] // 2
    for i in range(rows.shape[0]):
        row, x = rows[i], inputs[i]
        for k in range(2 * features):
            x[k] = row[k]
        write_distances(x, x[features : 2 * features], ends, to_goal, 2 * features)


@kernel
def _add_rows(x: Floats, number: Integers, into: Floats) -> None:
    """Add each row of x to a row of `into`, by its number."""
    for i in range(x.shape[0]):
        row, to = x[i], into[number[i]]
        for c in range(row.size):
            to[c] += row[c]
