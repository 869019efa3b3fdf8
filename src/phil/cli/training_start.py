"""What `phil train` says before it begins: the plan of the training."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from phil.learning.plan import Plan
    from phil.problems.problem import ProblemSet


def plan_notes(plan: Plan[Any], problems: ProblemSet) -> Iterator[str]:
    """The plan in a line, the features added to graphs, and the settings that follow from them."""
    from phil.graphs.features import feature_costs

    yield f"plan: {plan}"
    graphs = {id(problem.graph): problem.graph for problem in problems.train}
    general = [graph for graph in graphs.values() if not graph.is_grid]
    if plan.features:
        each = zip(*(feature_costs(graph, plan.features) for graph in general), strict=True)
        told = [
            f"{costs[0].feature} (columns: {costs[0].columns}, "
            f"{sum(cost.seconds for cost in costs):.2f} s)"
            for costs in each
        ]
        yield f"features added: {', '.join(told)}"
    elif general:
        yield "features added: none"
    for default in plan.defaults:
        yield f"from the graphs: {default}"
