"""The ways in which a trained heuristic is tested, other than by plain greedy search.

Each gives the score of the test problems, and figures that the page shows below the expansions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from phil.evaluation import evaluate
from phil.problems.problem import Problem
from phil.search.guide import Heuristic
from reproduction.ablations.astar import OVERESTIMATED, PATH_COST, by_astar
from reproduction.ablations.fringe import FRINGES, Fringe, FringeMethod
from reproduction.ablations.order import BETWEEN_ORDERS, in_fixed_order, in_random_orders
from reproduction.markup import percent
from reproduction.scores import score_json
from reproduction.store import Content

COST = "evaluations_per_expansion"
# What a row of the page is called, and how its figures are written.
FIGURES: Mapping[str, tuple[str, Callable[[float], str]]] = {
    COST: ("evaluations per expansion", "{:.2f}".format),
    BETWEEN_ORDERS: ("deviation between orders", percent),
    PATH_COST: ("path cost over the least", "{:.3f}".format),
    OVERESTIMATED: ("values above the exact distance", percent),
}


def by_fringe(fringe: Fringe, problems: Sequence[Problem], heuristic: Heuristic) -> Content:
    """What is expanded with values of OPEN kept or computed anew, and how many are computed."""
    [score] = evaluate(problems, [FringeMethod(fringe, heuristic, fringe)])
    results = [run.result for run in score.runs]
    evaluations = sum(each.evaluations for each in results)
    cost = evaluations / sum(each.expansions for each in results)
    return {"test": score_json(score), COST: cost}


WAYS: Mapping[str, Callable[[Sequence[Problem], Heuristic], Content]] = {
    **{f"fringe-{fringe}": partial(by_fringe, fringe) for fringe in FRINGES},
    "order-fixed": in_fixed_order,
    "order-random": in_random_orders,
    "order-whole": partial(in_fixed_order, whole=True),
    "order-whole-random": partial(in_random_orders, whole=True),
    "astar": by_astar,
}
