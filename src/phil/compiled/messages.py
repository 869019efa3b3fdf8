"""The softmax mean of a node's messages and its gradient, in vector instructions, for training.

A message is m_j = ReLU(x_j + W e_j) + eps, in every channel on its own; the mean is weighted by
softmax(sharpness * m). Written as plain loops, the short passes over the channels of each neighbour
spend most of their time checking whether the arrays overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from llvmlite import ir
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
    load_some,
    row_step,
    spread,
    store_some,
)

EPSILON = np.float32(1e-7)  # DeeperGCN: messages are positive


@instruction
def softmax_messages(
    context: Any,
    x: Any,
    node: Any,
    near: Any,
    mask: Any,
    edge: Any,
    weight: Any,
    sharpness: Any,
    kept: Any,
    out: Any,
) -> Any:
    """out = x[node] + the mean of the messages of those rows `near` of x that `mask` marks.

    edge (n, De): features of the edges to them; weight (De, w): W transposed; kept (3, w): what the
    gradient needs, the largest logit, the sum of the exponentials, and the mean.
    """
    given = (x, types.int64, near, mask, edge, weight, types.float32, kept, out)
    return types.void(*given), _write_softmax_messages


def _write_softmax_messages(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    at = _Messages(context, builder, signature, arguments)
    kept, out = (array_at(context, builder, signature, arguments, position) for position in (7, 8))
    step = row_step(builder, kept)
    size = cgutils.unpack_tuple(builder, out.shape)[0]
    at.check(arguments[1], kept, size)

    def write(column: Any, some: Any) -> None:
        top, mass, total = (cgutils.alloca_once(builder, VECTOR) for _ in range(3))
        builder.store(constant(-np.inf), top)
        builder.store(constant(0.0), mass)
        builder.store(constant(0.0), total)
        with at.neighbors() as neighbor:
            _, message = at.message(neighbor, column, some)
            logit = builder.fmul(message, at.sharpness)
            builder.store(larger(builder, builder.load(top), logit), top)
        with at.neighbors() as neighbor:
            _, message = at.message(neighbor, column, some)
            logit = builder.fmul(message, at.sharpness)
            share = exponential(builder, builder.fsub(logit, builder.load(top)))
            builder.store(builder.fadd(builder.load(mass), share), mass)
            builder.store(fused(builder, share, message, builder.load(total)), total)
        # Without neighbours the mean is 0.
        nothing = builder.fcmp_ordered("==", builder.load(mass), constant(0.0))
        mean = builder.fdiv(builder.load(total), builder.load(mass))
        mean = builder.select(nothing, constant(0.0), mean)
        for number, value in enumerate((builder.load(top), builder.load(mass), mean)):
            place = builder.add(builder.mul(step, INT(number)), column)
            store_some(builder, value, builder.gep(kept.data, [place]), some)
        own = load_some(builder, at.row(at.x, arguments[1], column), some)
        store_some(builder, builder.fadd(own, mean), builder.gep(out.data, [column]), some)

    _in_blocks(builder, size, write)
    return context.get_dummy_value()


@instruction
def softmax_messages_grad(
    context: Any,
    x: Any,
    node: Any,
    near: Any,
    mask: Any,
    edge: Any,
    weight: Any,
    sharpness: Any,
    kept: Any,
    out_grad: Any,
    x_grad: Any,
    weight_grad: Any,
    sharpness_grad: Any,
) -> Any:
    """Add the gradients of x, W transposed and, by channel, the sharpness."""
    given = (x, types.int64, near, mask, edge, weight, types.float32, kept, out_grad)
    return types.void(*given, x_grad, weight_grad, sharpness_grad), _write_softmax_messages_grad


def _write_softmax_messages_grad(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    at = _Messages(context, builder, signature, arguments)
    kept, out_grad, x_grad, weight_grad, sharpness_grad = (
        array_at(context, builder, signature, arguments, position) for position in range(7, 12)
    )
    step = row_step(builder, kept)
    size = cgutils.unpack_tuple(builder, out_grad.shape)[0]
    at.check(arguments[1], kept, size)
    at.check_like(at.x, x_grad, size)
    at.check_like(at.weight, weight_grad, size)
    check_span(context, builder, sharpness_grad, 0, INT(0), size)

    def write(column: Any, some: Any) -> None:
        def add(place: Any, value: Any) -> None:
            added = builder.fadd(load_some(builder, place, some), value)
            store_some(builder, added, place, some)

        top, mass, mean = (
            load_some(
                builder,
                builder.gep(kept.data, [builder.add(builder.mul(step, INT(number)), column)]),
                some,
            )
            for number in range(3)
        )
        arrived = load_some(builder, builder.gep(out_grad.data, [column]), some)
        add(at.row(x_grad, arguments[1], column), arrived)
        ratio = builder.fdiv(arrived, mass)
        total = cgutils.alloca_once(builder, VECTOR)
        builder.store(constant(0.0), total)
        with at.neighbors() as neighbor:
            raw, message = at.message(neighbor, column, some)
            logit = builder.fmul(message, at.sharpness)
            flow = builder.fmul(ratio, exponential(builder, builder.fsub(logit, top)))
            above = builder.fsub(message, mean)
            # The weighted gaps sum to 0, so message * above would only add rounding errors.
            gap = builder.fmul(flow, above)
            builder.store(fused(builder, gap, above, builder.load(total)), total)
            flow = fused(builder, gap, at.sharpness, flow)
            positive = builder.fcmp_ordered(">", raw, constant(0.0))
            flow = builder.select(positive, flow, constant(0.0))
            add(at.row(x_grad, at.near(neighbor), column), flow)
            with at.edge_features(neighbor) as (number, feature):
                along = builder.fmul(spread(builder, feature), flow)
                add(at.row(weight_grad, number, column), along)
        add(builder.gep(sharpness_grad.data, [column]), builder.load(total))

    _in_blocks(builder, size, write)
    return context.get_dummy_value()


class _Messages:
    """Instructions for the messages to one node; its arguments come first in both instructions."""

    def __init__(self, context: Any, builder: Any, signature: Any, arguments: Any) -> None:
        self._context, self._builder = context, builder
        self.x, self._near, self._mask, self._edge, self.weight = (
            array_at(context, builder, signature, arguments, at) for at in (0, 2, 3, 4, 5)
        )
        self.sharpness = spread(builder, arguments[6])
        self._neighbors = cgutils.unpack_tuple(builder, self._near.shape)[0]
        self._features = cgutils.unpack_tuple(builder, self.weight.shape)[0]

    def check(self, node: Any, kept: Any, size: Any) -> None:
        """Check all bounds but those of the neighbours' rows."""
        zero = INT(0)
        for array, axis, begin, count in (
            (self.x, 0, node, INT(1)),
            (self.x, 1, zero, size),
            (self._mask, 0, zero, self._neighbors),
            (self._edge, 0, zero, self._neighbors),
            (self._edge, 1, zero, self._features),
            (self.weight, 1, zero, size),
            (kept, 0, zero, INT(3)),
            (kept, 1, zero, size),
        ):
            check_span(self._context, self._builder, array, axis, begin, count)

    def check_like(self, array: Any, gradient: Any, size: Any) -> None:
        """Check that the gradient of an array has its rows, and the columns."""
        rows = cgutils.unpack_tuple(self._builder, array.shape)[0]
        check_span(self._context, self._builder, gradient, 0, INT(0), rows)
        check_span(self._context, self._builder, gradient, 1, INT(0), size)

    def row(self, array: Any, row: Any, column: Any) -> Any:
        """A place in a row of an array."""
        begin = self._builder.mul(row, row_step(self._builder, array))
        return self._builder.gep(array.data, [self._builder.add(begin, column)])

    def near(self, neighbor: Any) -> Any:
        """The row of a neighbour."""
        row = self._builder.load(self._builder.gep(self._near.data, [neighbor]))
        check_span(self._context, self._builder, self.x, 0, row, INT(1))
        return row

    @contextmanager
    def neighbors(self) -> Iterator[Any]:
        """A loop over the neighbours that exist."""
        with cgutils.for_range(self._builder, self._neighbors, intp=INT) as loop:
            there = self._builder.load(self._builder.gep(self._mask.data, [loop.index]))
            exists = self._builder.icmp_unsigned("!=", there, ir.Constant(there.type, 0))
            with self._builder.if_then(exists):
                yield loop.index

    @contextmanager
    def edge_features(self, neighbor: Any) -> Iterator[Any]:
        """A loop over the features of the edge to a neighbour, with their numbers."""
        with cgutils.for_range(self._builder, self._features, intp=INT) as loop:
            place = self.row(self._edge, neighbor, loop.index)
            yield loop.index, self._builder.load(place)

    def message(self, neighbor: Any, column: Any, some: Any) -> tuple[Any, Any]:
        """A neighbour's message before and after its ReLU."""
        builder = self._builder
        total = cgutils.alloca_once(builder, VECTOR)
        near = load_some(builder, self.row(self.x, self.near(neighbor), column), some)
        builder.store(near, total)
        with self.edge_features(neighbor) as (number, feature):
            weight = load_some(builder, self.row(self.weight, number, column), some)
            value = fused(builder, spread(builder, feature), weight, builder.load(total))
            builder.store(value, total)
        raw = builder.load(total)
        return raw, builder.fadd(larger(builder, raw, constant(0.0)), constant(EPSILON))


def _in_blocks(builder: Any, size: Any, write: Callable[[Any, Any], None]) -> None:
    """Write instructions for whole vectors of columns, then for the columns left over."""
    whole = builder.and_(size, INT(-LANES))
    with cgutils.for_range_slice(builder, INT(0), whole, INT(LANES), INT) as (column, _):
        write(column, None)
    left = builder.sub(size, whole)
    with builder.if_then(builder.icmp_signed(">", left, INT(0))):
        lanes = ir.VectorType(ir.IntType(32), LANES)
        count = builder.insert_element(
            ir.Constant(lanes, ir.Undefined), builder.trunc(left, ir.IntType(32)), ir.IntType(32)(0)
        )
        first = ir.Constant(lanes, [0] * LANES)
        count = builder.shuffle_vector(count, ir.Constant(lanes, ir.Undefined), first)
        numbers = ir.Constant(lanes, list(range(LANES)))
        write(whole, builder.icmp_signed("<", numbers, count))
