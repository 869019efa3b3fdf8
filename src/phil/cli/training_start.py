"""What `phil train` says before it begins: what follows from the graphs at hand."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from phil.problems.problem import ProblemSet


def recipe_of(features: str, problems: ProblemSet) -> str:
    """The features to add that `--features` asks for: none, those that pay, or a recipe."""
    from phil.graphs.features import canonical
    from phil.learning.defaults import usual_features

    if features == "none":
        return ""
    return usual_features(problems) if features == "auto" else canonical(features)


def start_notes(
    problems: ProblemSet, method: str, preset: str, changed: Collection[str], recipe: str
) -> Iterator[str]:
    """The features added, with their time, and the settings that nobody changed."""
    from phil.graphs.features import feature_costs
    from phil.learning.defaults import data_defaults
    from phil.learning.methods import METHODS

    graphs = {id(problem.graph): problem.graph for problem in problems.train}
    general = [graph for graph in graphs.values() if not graph.is_grid]
    if not general or method not in METHODS:
        return
    if recipe:
        each = zip(*(feature_costs(graph, recipe) for graph in general), strict=True)
        told = [
            f"{costs[0].feature} (columns: {costs[0].columns}, "
            f"{sum(cost.seconds for cost in costs):.2f} s)"
            for costs in each
        ]
        yield f"features added: {', '.join(told)}"
    else:
        yield "features added: none"
    if method == "phil":
        for default in data_defaults(problems, preset):
            if default.name not in changed:
                yield f"from the graphs: {default}"
