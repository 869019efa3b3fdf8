"""The exponential function in float32: of a number, in vectorized loops, and of a vector.

For `np.exp`, Numba calls the C library once per value, which takes about ten times as long.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir

from phil.compiled.primitive import primitive
from phil.compiled.vectors import LANES, VECTOR, call, constant, fused, larger, smaller

LEAST = np.float32(-87.3)  # 2^-126 is the smallest normal float32
MOST = np.float32(88.3)  # 2^127 is the largest power; up to half a power more rounds down to it
LOG2_E = np.float32(1.44269504)
# ln 2 in two parts; the first has few enough bits for its multiples to be exact.
LN2_HIGH = np.float32(0.693359375)
LN2_LOW = np.float32(-2.12194440e-4)
# Added to a small number, it leaves the nearest integer in the lowest bits.
ROUND = np.float32(12582912.0)
# exp(r) = 1 + r + r^2 (C2 + C3 r + ...) for |r| <= ln(2) / 2: the minimax polynomial of Cephes.
C2 = np.float32(5.0000001201e-1)
C3 = np.float32(1.6666665459e-1)
C4 = np.float32(4.1665795894e-2)
C5 = np.float32(8.3334519073e-3)
C6 = np.float32(1.3981999507e-3)
C7 = np.float32(1.9875691500e-4)
EXPONENT_BIAS, EXPONENT_SHIFT = 127, 23  # of a float32
ONE = np.float32(1.0)
ZERO = np.float32(0.0)
INFINITE = np.float32(np.inf)


@primitive
def exp32(x: np.float32) -> np.float32:
    """e^x with a relative error of 2e-7; 0 below -87.3, infinite above 88.3, NaN for NaN."""
    inside = min(max(x, LEAST), MOST)
    shifted = inside * LOG2_E + ROUND
    power = shifted - ROUND
    r = (inside - power * LN2_HIGH) - power * LN2_LOW
    tail = ((((C7 * r + C6) * r + C5) * r + C4) * r + C3) * r + C2
    near_one = tail * (r * r) + r + ONE
    # Adding to the bits of the exponent multiplies by 2^power.
    bits = np.float32(near_one).view(np.int32) + (np.float32(shifted).view(np.int32) << 23)
    value = np.int32(bits).view(np.float32)
    value = ZERO if x < LEAST else value
    value = INFINITE if x > MOST else value
    return value if x == x else x


def exponential(builder: Any, x: Any) -> Any:
    """Instructions for e^x of a vector, with a relative error of 2e-7, within normal numbers."""
    x = smaller(builder, larger(builder, x, constant(LEAST)), constant(MOST))
    n = call(builder, "floor", fused(builder, x, constant(LOG2_E), constant(0.5)))
    r = x
    for part in (LN2_HIGH, LN2_LOW):
        r = fused(builder, n, constant(-part), r)
    total = constant(C7)
    for factor in (C6, C5, C4, C3, C2, 1.0, 1.0):
        total = fused(builder, total, r, constant(factor))
    whole = ir.VectorType(ir.IntType(32), LANES)
    exponent = builder.add(builder.fptosi(n, whole), ir.Constant(whole, [EXPONENT_BIAS] * LANES))
    power = builder.shl(exponent, ir.Constant(whole, [EXPONENT_SHIFT] * LANES))
    return builder.fmul(total, builder.bitcast(power, VECTOR))
