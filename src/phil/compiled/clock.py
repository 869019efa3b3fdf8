"""The time, as kernels read it."""

from __future__ import annotations

import time
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from phil.compiled.jit import instruction

HAS_CLOCK = hasattr(time, "clock_gettime")  # not on Windows

WORD, INT, NUMBER = ir.IntType(64), ir.IntType(32), ir.DoubleType()
TIME = ir.LiteralStructType([WORD, WORD])  # seconds and nanoseconds


@instruction
def clock(context: Any) -> Any:
    """The time in seconds from some point in the past; it never goes back."""
    return types.float64(), _read_clock


def _read_clock(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    kind = ir.FunctionType(INT, [INT, TIME.as_pointer()])
    function = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
    now = cgutils.alloca_once(builder, TIME)
    builder.call(function, [INT(time.CLOCK_MONOTONIC), now])
    seconds, nanoseconds = (
        builder.sitofp(builder.load(cgutils.gep_inbounds(builder, now, 0, part)), NUMBER)
        for part in range(2)
    )
    return builder.fadd(seconds, builder.fmul(nanoseconds, NUMBER(1e-9)))
