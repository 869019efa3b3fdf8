"""The mean of rows weighted by their own softmax, in vector instructions."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils

from phil.compiled.exponential import exponential
from phil.compiled.jit import instruction
from phil.compiled.vectors import (
    INT,
    LANES,
    VECTOR,
    array_at,
    check_span,
    constant,
    fused,
    larger,
    load,
    row_step,
    spread,
    store,
    whole_vectors,
)


@instruction
def softmax_mean(context: Any, rows: Any, count: Any, sharpness: Any, out: Any) -> Any:
    """out = the mean of the first `count` >= 1 rows, weighted by softmax(sharpness * rows)."""
    return types.void(rows, types.int64, types.float32, out), _write_softmax_mean


def _write_softmax_mean(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    rows, out = (array_at(context, builder, signature, arguments, at) for at in (0, 3))
    count, sharpness = arguments[1], spread(builder, arguments[2])
    size = cgutils.unpack_tuple(builder, out.shape)[0]
    step = row_step(builder, rows)
    check_span(context, builder, rows, 0, builder.sub(count, INT(1)), INT(1))
    for array, axis in ((rows, 1), (out, 0)):
        check_span(context, builder, array, axis, INT(0), whole_vectors(builder, size))
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
