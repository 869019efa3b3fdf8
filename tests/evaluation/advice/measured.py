"""Measured methods with numbers of one's own."""

from __future__ import annotations

from math import inf

import numpy as np

from phil.evaluation.advice.decide import Advice
from phil.evaluation.advice.measure import Measured, Preparation
from phil.evaluation.timing import Cost

PROBLEMS = 20
SPREAD = np.linspace(0.9, 1.1, PROBLEMS)


def measured(
    method: str,
    microseconds: float,
    calls: float,
    *,
    promise: float = inf,
    learned: bool = False,
    expansions: float | None = None,
    ratio: float = 1.0,
    preparation: Preparation | None = None,
    share: Cost | None = None,
    problems: int = PROBLEMS,
) -> Measured:
    """A method whose queries differ by up to a tenth from what is given."""
    spread = np.resize(SPREAD, problems)
    return Measured(
        method=method,
        learned=learned,
        promise=promise,
        expansions=spread * (calls if expansions is None else expansions),
        calls=spread * calls,
        cost_ratios=np.full(problems, ratio),
        seconds=1e-6 * spread * microseconds,
        preparation=preparation or Preparation(0.0, 0.0),
        share=share or Cost(0.0, 0.0),
    )


def advice(
    *methods: Measured, fewest: float = 10.0, unsolvable: int = 0, graphs: int = 1, call: float = 0
) -> Advice:
    """What was measured on one graph."""
    problems = methods[0].seconds.size if methods else 0
    return Advice(methods, problems, unsolvable, graphs, fewest, call)


ASTAR = measured("astar(octile)", 300, 1000, promise=1.0)
GREEDY = measured("greedy(euclidean)", 50, 100, ratio=1.25)
