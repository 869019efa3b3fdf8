"""Which search to use on a graph, and from what cost per call a learned heuristic pays."""

from phil.evaluation.advice.decide import Advice, advise, check_call
from phil.evaluation.advice.measure import (
    Fitting,
    Measured,
    fitting_methods,
    is_learned,
    try_out,
    unseen_problems,
    with_heuristic,
)
from phil.evaluation.advice.report import advice_json, verdict

__all__ = [
    "Advice",
    "Fitting",
    "Measured",
    "advice_json",
    "advise",
    "check_call",
    "fitting_methods",
    "is_learned",
    "try_out",
    "unseen_problems",
    "verdict",
    "with_heuristic",
]
