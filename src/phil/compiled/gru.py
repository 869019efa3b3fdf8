"""The GRU cell: in vector instructions for searches, and from a zero memory with its gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numpy.typing import NDArray

from phil.compiled.exponential import exp32, exponential
from phil.compiled.jit import instruction, kernel
from phil.compiled.primitive import primitive
from phil.compiled.vectors import (
    INT,
    LANES,
    array_at,
    check_span,
    constant,
    fused,
    load,
    store,
    whole_vectors,
)

Floats = NDArray[np.float32]

ONE = np.float32(1.0)
TWO = np.float32(2.0)


@instruction
def gru_cell(
    context: Any, gates: Any, known: Any, memory: Any, size: Any, out: Any, total: Any
) -> Any:
    """A GRU cell from the two halves of its gates (reset, update, new, each `size` long).

    out = (1 - update) * tanh(new + reset * known new) + update * memory, also added to `total`.
    """
    return types.void(gates, known, memory, types.int64, out, total), _write_gru_cell


def _write_gru_cell(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    arrays = [array_at(context, builder, signature, arguments, at) for at in (0, 1, 2, 4, 5)]
    gates, known, memory, out, total = (array.data for array in arrays)
    size = arguments[3]
    for array, parts in zip(arrays, (3, 3, 1, 1, 1), strict=True):
        before = builder.mul(size, INT(parts - 1))
        check_span(context, builder, array, 0, before, whole_vectors(builder, size))
    one = constant(1.0)

    def sigmoid(x: Any) -> Any:
        return builder.fdiv(one, builder.fadd(one, exponential(builder, builder.fneg(x))))

    with cgutils.for_range_slice(builder, INT(0), size, INT(LANES), INT) as (column, _):

        def part(array: Any, number: int) -> Any:
            offset = builder.add(column, builder.mul(size, INT(number)))
            return load(builder, builder.gep(array, [offset]))

        reset = sigmoid(builder.fadd(part(gates, 0), part(known, 0)))
        update = sigmoid(builder.fadd(part(gates, 1), part(known, 1)))
        new = fused(builder, reset, part(known, 2), part(gates, 2))
        # tanh x = 1 - 2 / (1 + e^2x)
        power = exponential(builder, builder.fadd(new, new))
        tangent = builder.fsub(one, builder.fdiv(constant(2.0), builder.fadd(one, power)))
        # (1 - u) t + u m = t + u (m - t)
        kept = builder.fsub(part(memory, 0), tangent)
        value = fused(builder, update, kept, tangent)
        store(builder, value, builder.gep(out, [column]))
        place = builder.gep(total, [column])
        store(builder, builder.fadd(load(builder, place), value), place)
    return context.get_dummy_value()


@primitive
def _sigmoid(x: np.float32) -> np.float32:
    return ONE / (ONE + exp32(-x))


@kernel
def gru_cell_from_zero(gates: Floats, bias: Floats, out: Floats) -> None:
    """Write z to the first columns of `out`; gates (B, 3 d) become reset, update and new memory.

    The memory is zero, so its half of the gates consists of the biases alone.
    """
    size = bias.size // 3
    fresh_bias = bias[2 * size :]
    for i in range(gates.shape[0]):
        open_gates, fresh, into = gates[i, : 2 * size], gates[i, 2 * size :], out[i]
        for j in range(2 * size):
            open_gates[j] = _sigmoid(open_gates[j] + bias[j])
        for j in range(size):
            fresh[j] += open_gates[j] * fresh_bias[j]
        for j in range(size):
            # tanh
            fresh[j] = TWO * _sigmoid(TWO * fresh[j]) - ONE
        for j in range(size):
            into[j] = (ONE - open_gates[size + j]) * fresh[j]


@kernel
def gru_cell_from_zero_grad(gates: Floats, bias: Floats, z_grad: Floats, bias_grad: Floats) -> None:
    """Turn the gates of a forward pass into the gradients of their inputs; add the bias's."""
    size = bias.size // 3
    for i in range(gates.shape[0]):
        row, arrived = gates[i], z_grad[i]
        for j in range(size):
            reset, update, fresh = row[j], row[size + j], row[2 * size + j]
            fresh_grad = arrived[j] * (ONE - update) * (ONE - fresh * fresh)
            reset_grad = fresh_grad * bias[2 * size + j] * reset * (ONE - reset)
            update_grad = -arrived[j] * fresh * update * (ONE - update)
            row[j] = reset_grad
            row[size + j] = update_grad
            row[2 * size + j] = fresh_grad
            bias_grad[j] += reset_grad
            bias_grad[size + j] += update_grad
            bias_grad[2 * size + j] += fresh_grad * reset
