"""The exponential function in float32, written so that a loop over it is vectorised.

Numba calls the C library once per value for `np.exp`, which costs about ten times as much.
"""

from __future__ import annotations

import numpy as np

from phil.compiled import primitive

LEAST = np.float32(-87.3)  # 2^-126 is the least power that a float32 holds in full
MOST = np.float32(88.3)  # 2^127 is the largest; half of a power more is still rounded down to it
LOG2_E = np.float32(1.44269504)
# ln 2 in two parts; the first has so few bits that its multiples are exact.
LN2_HIGH = np.float32(0.693359375)
LN2_LOW = np.float32(-2.12194440e-4)
# Added to a small number it leaves the nearest integer in the lowest bits.
ROUND = np.float32(12582912.0)
# exp(r) = 1 + r + r^2 (C2 + C3 r + ...) for |r| <= ln(2) / 2: the minimax polynomial of Cephes.
C2 = np.float32(5.0000001201e-1)
C3 = np.float32(1.6666665459e-1)
C4 = np.float32(4.1665795894e-2)
C5 = np.float32(8.3334519073e-3)
C6 = np.float32(1.3981999507e-3)
C7 = np.float32(1.9875691500e-4)
ONE = np.float32(1.0)
ZERO = np.float32(0.0)
INFINITE = np.float32(np.inf)


@primitive
def exp32(x: np.float32) -> np.float32:
    """e to the x, to 2e-7 relative; 0 below -87.3, infinite above 88.3, NaN for NaN."""
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
