"""Vector instructions for kernels whose loops Numba does not turn into vectors by itself.

They are LLVM's portable ones, so every processor gets the best it has.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numpy.typing import NDArray

from phil.compiled import instruction
from phil.heuristics.phil import exponential as exp32

LANES = 16  # numbers per vector; matrices and rows are padded to whole vectors

INT = ir.IntType(64)
VECTOR = ir.VectorType(ir.FloatType(), LANES)
FLOAT_BYTES = 4

EXPONENT_BIAS, EXPONENT_SHIFT = 127, 23  # of a float32


def padded(size: int) -> int:
    """The least whole number of vectors that holds so many numbers."""
    return -(-size // LANES) * LANES


def aligned_zeros(*shape: int) -> NDArray[np.float32]:
    """An array of zeros whose rows of whole vectors begin where the processor loads them at once.

    Measured: with vectors that straddle two cache lines a matrix product takes 1.6 times as long.
    """
    count = math.prod(shape)
    room = np.zeros(count + LANES, np.float32)
    skipped = -room.ctypes.data % (LANES * FLOAT_BYTES) // FLOAT_BYTES
    return room[skipped : skipped + count].reshape(shape)


def array_at(context: Any, builder: Any, signature: Any, arguments: Any, position: int) -> Any:
    """An argument that is an array, with its data and strides."""
    return context.make_array(signature.args[position])(context, builder, arguments[position])


def row_step(builder: Any, array: Any) -> Any:
    """From a row to the next, in numbers."""
    step = cgutils.unpack_tuple(builder, array.strides)[0]
    return builder.sdiv(step, INT(FLOAT_BYTES))


def row_start(builder: Any, array: Any, first: Any, number: int) -> Any:
    """Where a row begins, counted from a first one."""
    position = builder.mul(builder.add(first, INT(number)), row_step(builder, array))
    return builder.gep(array.data, [position])


def load(builder: Any, start: Any, vector: int = 0) -> Any:
    """A vector from memory, so many vectors behind a place."""
    place = builder.gep(start, [INT(LANES * vector)])
    loaded = builder.load(builder.bitcast(place, VECTOR.as_pointer()))
    loaded.align = FLOAT_BYTES
    return loaded


def store(builder: Any, value: Any, start: Any, vector: int = 0) -> None:
    """Write a vector to memory, so many vectors behind a place."""
    place = builder.gep(start, [INT(LANES * vector)])
    builder.store(value, builder.bitcast(place, VECTOR.as_pointer())).align = FLOAT_BYTES


def spread(builder: Any, number: Any) -> Any:
    """A vector of one number in all places."""
    empty = ir.Constant(VECTOR, ir.Undefined)
    one = builder.insert_element(empty, number, ir.IntType(32)(0))
    places = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(one, empty, places)


def constant(value: float | np.floating[Any]) -> Any:
    """A vector of one known number."""
    return ir.Constant(VECTOR, [float(value)] * LANES)


def _call(builder: Any, name: str, *values: Any) -> Any:
    kind = ir.FunctionType(VECTOR, [VECTOR] * len(values))
    function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{LANES}f32")
    return builder.call(function, values)


def fused(builder: Any, left: Any, right: Any, more: Any) -> Any:
    """left * right + more, rounded once where the processor can."""
    return _call(builder, "fmuladd", left, right, more)


def larger(builder: Any, left: Any, right: Any) -> Any:
    """The larger of two vectors, place by place."""
    return builder.select(builder.fcmp_ordered(">", left, right), left, right)


def smaller(builder: Any, left: Any, right: Any) -> Any:
    """The smaller of two vectors, place by place."""
    return builder.select(builder.fcmp_ordered("<", left, right), left, right)


def exponential(builder: Any, x: Any) -> Any:
    """e^x of a vector, to 2e-7: `phil.heuristics.phil.exponential`, bounded to normal numbers."""
    x = smaller(builder, larger(builder, x, constant(exp32.LEAST)), constant(exp32.MOST))
    n = _call(builder, "floor", fused(builder, x, constant(exp32.LOG2_E), constant(0.5)))
    r = x
    for part in (exp32.LN2_HIGH, exp32.LN2_LOW):
        r = fused(builder, n, constant(-part), r)
    total = constant(exp32.C7)
    for factor in (exp32.C6, exp32.C5, exp32.C4, exp32.C3, exp32.C2, 1.0, 1.0):
        total = fused(builder, total, r, constant(factor))
    whole = ir.VectorType(ir.IntType(32), LANES)
    exponent = builder.add(builder.fptosi(n, whole), ir.Constant(whole, [EXPONENT_BIAS] * LANES))
    power = builder.shl(exponent, ir.Constant(whole, [EXPONENT_SHIFT] * LANES))
    return builder.fmul(total, builder.bitcast(power, VECTOR))


@instruction
def softmax_mean(context: Any, rows: Any, count: Any, sharpness: Any, out: Any) -> Any:
    """out = the mean of the first `count` >= 1 rows, weighted by softmax(sharpness * row)."""
    return types.void(rows, types.int64, types.float32, out), _write_softmax_mean


def _write_softmax_mean(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    rows, out = (array_at(context, builder, signature, arguments, at) for at in (0, 3))
    count, sharpness = arguments[1], spread(builder, arguments[2])
    size = cgutils.unpack_tuple(builder, out.shape)[0]
    step = row_step(builder, rows)
    top, mass, total = (cgutils.alloca_once(builder, VECTOR) for _ in range(3))
    with cgutils.for_range_slice(builder, INT(0), size, INT(LANES), INT) as (column, _):
        start = builder.gep(rows.data, [column])
        builder.store(builder.fmul(load(builder, start), sharpness), top)
        builder.store(constant(0.0), mass)
        builder.store(constant(0.0), total)
        with cgutils.for_range(builder, count, intp=INT) as loop:
            row = load(builder, builder.gep(start, [builder.mul(loop.index, step)]))
            score = builder.fmul(row, sharpness)
            builder.store(larger(builder, builder.load(top), score), top)
        with cgutils.for_range(builder, count, intp=INT) as loop:
            row = load(builder, builder.gep(start, [builder.mul(loop.index, step)]))
            score = builder.fmul(row, sharpness)
            share = exponential(builder, builder.fsub(score, builder.load(top)))
            builder.store(builder.fadd(builder.load(mass), share), mass)
            builder.store(fused(builder, share, row, builder.load(total)), total)
        mean = builder.fdiv(builder.load(total), builder.load(mass))
        store(builder, mean, builder.gep(out.data, [column]))
    return context.get_dummy_value()


@instruction
def recall(
    context: Any, gates: Any, known: Any, memory: Any, size: Any, out: Any, total: Any
) -> Any:
    """A GRU cell from its two halves of gates (reset, update, new, each `size` long).

    out = (1 - update) * tanh(new + reset * known new) + update * memory, also added to `total`.
    """
    return types.void(gates, known, memory, types.int64, out, total), _write_recall


def _write_recall(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    gates, known, memory, out, total = (
        array_at(context, builder, signature, arguments, at).data for at in (0, 1, 2, 4, 5)
    )
    size = arguments[3]
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


@instruction
def dot(context: Any, left: Any, right: Any) -> Any:
    """The sum of products of two arrays of whole vectors, a sum for each lane first."""
    return types.float32(left, right), _write_dot


def _write_dot(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    left, right = (array_at(context, builder, signature, arguments, at) for at in (0, 1))
    size = cgutils.unpack_tuple(builder, right.shape)[0]
    total = cgutils.alloca_once(builder, VECTOR)
    builder.store(constant(0.0), total)
    with cgutils.for_range_slice(builder, INT(0), size, INT(LANES), INT) as (column, _):
        one, two = (load(builder, builder.gep(array.data, [column])) for array in (left, right))
        builder.store(fused(builder, one, two, builder.load(total)), total)
    lanes = builder.load(total)
    value = builder.extract_element(lanes, ir.IntType(32)(0))
    for lane in range(1, LANES):
        value = builder.fadd(value, builder.extract_element(lanes, ir.IntType(32)(lane)))
    return value
