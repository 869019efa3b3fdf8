"""The inner loop of small matrix products, in vector instructions.

Measured: Numba's own loop over the same sums reaches a seventh of the core's peak, because it
writes the sums to memory after every input and does not fuse multiplication and addition. A tile
keeps the sums of some rows and columns in registers and reaches between a third of the peak and all
of it. The instructions are LLVM's portable ones, so every processor uses the best it has.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from phil.compiled.jit import instruction
from phil.compiled.vectors import (
    INT,
    LANES,
    VECTOR,
    array_at,
    check_span,
    constant,
    fused,
    load,
    row_start,
    row_step,
    spread,
    store,
    whole_vectors,
)


@instruction
def tile(
    context: Any,
    rows: Any,
    vectors: Any,
    x: Any,
    x_row: Any,
    depth: Any,
    matrix: Any,
    column: Any,
    bias: Any,
    out: Any,
    out_row: Any,
) -> Any:
    """out[out_row + r, column + c] = bias[column + c] + sum over k < depth of x * matrix.

    For `rows` rows of x from x_row on and `vectors` vectors of columns; both must be literals.
    Sums run over k in sequence, so they do not depend on the size of the tile.
    """
    if not isinstance(rows, types.IntegerLiteral) or not isinstance(vectors, types.IntegerLiteral):
        return None
    integer = types.int64
    given = (rows, vectors, x, integer, integer, matrix, integer, bias, out, integer)
    return types.void(*given), _write_tile


def _write_tile(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    rows, vectors = (signature.args[position].literal_value for position in (0, 1))
    _, _, _, x_row, depth, _, column, _, _, out_row = arguments
    x, matrix, bias, out = (
        array_at(context, builder, signature, arguments, position) for position in (2, 5, 7, 8)
    )
    zero, height, width = INT(0), INT(rows), INT(vectors * LANES)
    for array, axis, begin, count in (
        (x, 0, x_row, height),
        (x, 1, zero, depth),
        (matrix, 0, zero, depth),
        (matrix, 1, column, width),
        (bias, 0, column, width),
        (out, 0, out_row, height),
        (out, 1, column, width),
    ):
        check_span(context, builder, array, axis, begin, count)
    tile = [(row, vector) for row in range(rows) for vector in range(vectors)]
    x_rows = [row_start(builder, x, x_row, row) for row in range(rows)]
    out_rows = [builder.gep(row_start(builder, out, out_row, row), [column]) for row in range(rows)]
    matrix_step = row_step(builder, matrix)
    matrix_start = builder.gep(matrix.data, [column])
    bias_start = builder.gep(bias.data, [column])
    first = [load(builder, bias_start, vector) for vector in range(vectors)]
    before = builder.block
    loop = builder.append_basic_block("tile.loop")
    after = builder.append_basic_block("tile.after")
    builder.cbranch(builder.icmp_signed(">", depth, INT(0)), loop, after)

    builder.position_at_end(loop)
    k = builder.phi(INT)
    sums = {place: builder.phi(VECTOR) for place in tile}
    weights = builder.gep(matrix_start, [builder.mul(k, matrix_step)])
    columns = [load(builder, weights, vector) for vector in range(vectors)]
    more = {}
    for row in range(rows):
        value = spread(builder, builder.load(builder.gep(x_rows[row], [k])))
        for vector in range(vectors):
            more[row, vector] = fused(builder, value, columns[vector], sums[row, vector])
    following = builder.add(k, INT(1))
    builder.cbranch(builder.icmp_signed("<", following, depth), loop, after)
    k.add_incoming(INT(0), before)
    k.add_incoming(following, loop)
    for place in tile:
        sums[place].add_incoming(first[place[1]], before)
        sums[place].add_incoming(more[place], loop)

    builder.position_at_end(after)
    totals = {place: builder.phi(VECTOR) for place in tile}
    for place in tile:
        totals[place].add_incoming(first[place[1]], before)
        totals[place].add_incoming(more[place], loop)
    for row, vector in tile:
        store(builder, totals[row, vector], out_rows[row], vector)
    return context.get_dummy_value()


@instruction
def dot(context: Any, left: Any, right: Any) -> Any:
    """The dot product of two arrays of whole vectors, summed lane by lane first."""
    return types.float32(left, right), _write_dot


def _write_dot(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    left, right = (array_at(context, builder, signature, arguments, at) for at in (0, 1))
    size = cgutils.unpack_tuple(builder, right.shape)[0]
    for array in (left, right):
        check_span(context, builder, array, 0, INT(0), whole_vectors(builder, size))
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
