"""Loading what will be read soon, so that the memory's latencies overlap."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from phil.compiled.jit import instruction
from phil.compiled.vectors import INT, array_at, row_start

NUMBER = ir.IntType(32)
TO_READ, TO_ALL_CACHES, DATA = NUMBER(0), NUMBER(3), NUMBER(1)


@instruction
def prefetch_row(context: Any, table: Any, row: Any) -> Any:
    """Begin to load a row of at most two cache lines of a table of float32."""
    return types.void(table, types.int64), _write_prefetch


def _write_prefetch(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    table = array_at(context, builder, signature, arguments, 0)
    start = row_start(builder, table, arguments[1], 0)
    columns = cgutils.unpack_tuple(builder, table.shape)[1]
    for column in (INT(0), builder.sub(columns, INT(1))):
        place = builder.gep(start, [column])
        kind = ir.FunctionType(ir.VoidType(), [place.type, NUMBER, NUMBER, NUMBER])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [place, TO_READ, TO_ALL_CACHES, DATA])
    return context.get_dummy_value()
