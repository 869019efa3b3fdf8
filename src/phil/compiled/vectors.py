"""Building blocks of vector instructions, for loops that Numba does not vectorize by itself.

They are LLVM's portable ones, so every processor uses the best it has.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numpy.typing import NDArray

LANES = 16  # numbers per vector; matrices and rows are padded to whole vectors

INT = ir.IntType(64)
VECTOR = ir.VectorType(ir.FloatType(), LANES)
FLOAT_BYTES = 4
ALIGNED = ir.IntType(32)(FLOAT_BYTES)


def padded(size: int) -> int:
    """The size rounded up to whole vectors."""
    return -(-size // LANES) * LANES


def aligned_zeros(*shape: int) -> NDArray[np.float32]:
    """An array of zeros, aligned so that no vector straddles two cache lines.

    Measured: with vectors that do, a matrix product takes 1.6 times as long.
    """
    count = math.prod(shape)
    memory = np.zeros(count + LANES, np.float32)
    skipped = -memory.ctypes.data % (LANES * FLOAT_BYTES) // FLOAT_BYTES
    return memory[skipped : skipped + count].reshape(shape)


def array_at(context: Any, builder: Any, signature: Any, arguments: Any, position: int) -> Any:
    """An array argument with its data and strides."""
    return context.make_array(signature.args[position])(context, builder, arguments[position])


def check_span(context: Any, builder: Any, array: Any, axis: int, begin: Any, count: Any) -> None:
    """Where bounds are checked (`NUMBA_BOUNDSCHECK`): an IndexError unless the array has these.

    Numba checks the accesses that it writes itself; those of instructions are checked by this.
    """
    if context.enable_boundscheck:
        most = builder.add(cgutils.unpack_tuple(builder, array.shape)[axis], INT(1))
        for end in (begin, builder.add(begin, count)):
            cgutils.do_boundscheck(context, builder, end, most, axis)


def whole_vectors(builder: Any, size: Any) -> Any:
    """The size rounded up to whole vectors, as an instruction."""
    return builder.and_(builder.add(size, INT(LANES - 1)), INT(-LANES))


def row_step(builder: Any, array: Any) -> Any:
    """The distance between rows, in numbers."""
    step = cgutils.unpack_tuple(builder, array.strides)[0]
    return builder.sdiv(step, INT(FLOAT_BYTES))


def row_start(builder: Any, array: Any, first: Any, number: int) -> Any:
    """The start of a row, counted from `first`."""
    position = builder.mul(builder.add(first, INT(number)), row_step(builder, array))
    return builder.gep(array.data, [position])


def load(builder: Any, start: Any, vector: int = 0) -> Any:
    """Load a vector from memory, `vector` vectors after `start`."""
    place = builder.gep(start, [INT(LANES * vector)])
    loaded = builder.load(builder.bitcast(place, VECTOR.as_pointer()))
    loaded.align = FLOAT_BYTES
    return loaded


def store(builder: Any, value: Any, start: Any, vector: int = 0) -> None:
    """Store a vector to memory, `vector` vectors after `start`."""
    place = builder.gep(start, [INT(LANES * vector)])
    builder.store(value, builder.bitcast(place, VECTOR.as_pointer())).align = FLOAT_BYTES


def load_some(builder: Any, start: Any, mask: Any | None) -> Any:
    """Load the lanes of a vector that a mask marks, or all without one; the others are 0."""
    if mask is None:
        return load(builder, start)
    place = builder.bitcast(start, VECTOR.as_pointer())
    return _masked(builder, "load", VECTOR, [place, ALIGNED, mask, constant(0.0)])


def store_some(builder: Any, value: Any, start: Any, mask: Any | None) -> None:
    """Store the lanes of a vector that a mask marks, or all without one."""
    if mask is None:
        store(builder, value, start)
    else:
        place = builder.bitcast(start, VECTOR.as_pointer())
        _masked(builder, "store", ir.VoidType(), [value, place, ALIGNED, mask])


def _masked(builder: Any, name: str, result: Any, values: list[Any]) -> Any:
    kind = ir.FunctionType(result, [value.type for value in values])
    name = f"llvm.masked.{name}.v{LANES}f32.p0"
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), values)


def spread(builder: Any, number: Any) -> Any:
    """A vector with one number in all lanes."""
    empty = ir.Constant(VECTOR, ir.Undefined)
    one = builder.insert_element(empty, number, ir.IntType(32)(0))
    places = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(one, empty, places)


def constant(value: float | np.floating[Any]) -> Any:
    """A vector with one constant in all lanes."""
    return ir.Constant(VECTOR, [float(value)] * LANES)


def call(builder: Any, name: str, *values: Any) -> Any:
    """Call one of LLVM's vector intrinsics."""
    kind = ir.FunctionType(VECTOR, [VECTOR] * len(values))
    function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{LANES}f32")
    return builder.call(function, values)


def fused(builder: Any, left: Any, right: Any, more: Any) -> Any:
    """left * right + more, rounded once if the processor supports it."""
    return call(builder, "fmuladd", left, right, more)


def larger(builder: Any, left: Any, right: Any) -> Any:
    """The larger of two vectors, lane by lane."""
    return builder.select(builder.fcmp_ordered(">", left, right), left, right)


def smaller(builder: Any, left: Any, right: Any) -> Any:
    """The smaller of two vectors, lane by lane."""
    return builder.select(builder.fcmp_ordered("<", left, right), left, right)
