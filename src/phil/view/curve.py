"""The learning curve as a self-contained SVG drawing in the page's colours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from phil.view.markup import escape

WIDTH, HEIGHT = 760, 300
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 16, 44


@dataclass(frozen=True)
class LearningCurve:
    """Mean expansions on the validation problems during training.

    Parameters
    ----------
    validations : tuple of (int, float)
        Iteration and mean expansions, for each validation.
    classical : float
        The mean expansions of the best classical search.
    classical_name : str
        Its name.
    """

    validations: tuple[tuple[int, float], ...]
    classical: float
    classical_name: str


def curve_svg(curve: LearningCurve) -> str:
    """Draw a dot per validation, a line for the best so far, and a dashed classical line."""
    xs = [x for x, _ in curve.validations]
    ys = [y for _, y in curve.validations]
    if not ys:
        return ""
    best = list(accumulate(ys, min))
    first, last = min(xs), max(xs)
    ticks = log_ticks(min(*ys, curve.classical), max(*ys, curve.classical))
    low, high = math.log(ticks[0]), math.log(ticks[-1])

    def across(x: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (x - first) / max(1, last - first)

    def down(y: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - math.log(y)) / (high - low)

    steps = f"M{across(xs[0]):.1f},{down(best[0]):.1f}"
    for x, y in zip(xs[1:], best[1:], strict=True):
        steps += f"H{across(x):.1f}V{down(y):.1f}"
    label = (
        f"Mean expansions on validation problems fell to {best[-1]:,.0f}; "
        f"{curve.classical_name}: {curve.classical:,.0f}"
    )
    parts = [
        f'<svg class="curve" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(label)}">'
    ]
    for tick in ticks:
        y = down(tick)
        parts.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        )
        parts.append(f'<text class="y" x="{LEFT - 8}" y="{y + 4:.1f}">{tick:,.0f}</text>')
    for x in sorted({first, (first + last) // 2, last}):
        parts.append(f'<text class="x" x="{across(x):.1f}" y="{HEIGHT - BOTTOM + 18}">{x}</text>')
    y = down(curve.classical)
    # The label is above the line, clear of the curve, unless that is outside the drawing.
    text_y = y - 7 if y > TOP + 14 else y + 16
    parts += [
        f'<text class="x" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 6}">iteration</text>',
        f'<line class="classical" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>',
        f'<text class="classical" x="{WIDTH - RIGHT - 4}" y="{text_y:.1f}">'
        f"{escape(curve.classical_name)}: {curve.classical:,.0f}</text>",
        f'<path class="best" d="{steps}"/>',
    ]
    parts += [
        f'<circle cx="{across(x):.1f}" cy="{down(y):.1f}" r="3">'
        f"<title>iteration {x}: {y:,.0f} expansions</title></circle>"
        for x, y in curve.validations
    ]
    return "".join([*parts, "</svg>"])


def log_ticks(least: float, most: float) -> Sequence[float]:
    """Round values 1, 2, 5, 10, ... that span the range.

    >>> log_ticks(280, 3100)
    [200.0, 500.0, 1000.0, 2000.0, 5000.0]
    """
    lowest = math.floor(math.log10(least)) - 1  # the logarithm may have been rounded up
    highest = math.ceil(math.log10(most))
    ladder = [m * 10.0**power for power in range(lowest, highest + 1) for m in (1, 2, 5)]
    start = max(k for k, tick in enumerate(ladder) if tick <= least)
    end = min(k for k, tick in enumerate(ladder) if tick >= most)
    return ladder[start : max(end, start + 1) + 1]
