"""Settings and features derived from the graphs: the paper's rules of thumb.

They apply to general graphs, 3D maps and a single map; on sets of 2D maps the presets' own values
hold. On graphs, the paper (appendix C) sets n to the mean degree, at most 8, T to about the largest
diameter, and t_tau to 128 on graphs of more than 10,000 nodes, to 64 above 5,000, and to a fifth of
T otherwise. It also says that T should let a roll-out reach the goal, which a search that is not
yet good does not do within a diameter: the preset `paper` lets it go on. The preset `best` chooses
n in the same way, but uses much longer roll-outs too. For drones, on 3D maps, the paper has n = 4
and t_tau = 64.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from phil.graphs import Graph, GridGraph
from phil.graphs.distances import diameter_estimate, oracle_distances
from phil.learning.objective import Objective
from phil.learning.oracle import usual_unit
from phil.learning.settings import (
    ON_3D_MAPS,
    ON_GRAPHS,
    ON_MAPS_WITH_FEATURES,
    PRESETS,
    TrainingSettings,
    Unit,
    check_names,
    training_settings,
)
from phil.problems.problem import Problem, ProblemSet

BEST, PRINTED = "best", "paper-printed"
MOST_NEIGHBORS = 8
MEASURED = 20  # graphs whose diameter is estimated, at most
LANDMARKS = 16
SHORTEST_HORIZON, LONGEST_HORIZON = 400, 4000
LARGE, FEW_ROLLOUTS = 100_000, 16  # nodes, and roll-outs per iteration on such graphs
SMALL, MANY_VALIDATED = 1_000, 500  # nodes, and validation problems on such graphs
DIAMETERS = 5  # length of the roll-outs of `best`, at most
MOST_CELLS = 2**22  # of a map with a table of landmarks by default: 256 MB
FEWEST_FOR_LANDMARKS = 20 * LANDMARKS  # nodes; with fewer, a table of all distances is as cheap


@dataclass(frozen=True)
class Default:
    """A setting derived from the graphs, and the reason for its value."""

    name: str
    value: Any
    reason: str

    def __str__(self) -> str:
        return f"{self.name}={self.value} ({self.reason})"


def resolve_settings(
    problems: ProblemSet, preset: str, changes: Mapping[str, Any], features: str = ""
) -> tuple[TrainingSettings, tuple[Default, ...]]:
    """All settings of PHIL for a problem set, and those of them derived from its graphs.

    `features` is the recipe of the features that will be added to them. The user's changes override
    what is derived from the graphs, which overrides the preset.
    """
    check_names(preset, changes)
    found = _for_search(str(changes.get("search", "greedy")))
    if features and preset in ON_MAPS_WITH_FEATURES and _only_maps(problems):
        kind = ON_MAPS_WITH_FEATURES[preset]
    else:
        kind = kind_defaults(problems, preset)
        found += data_defaults(problems, preset, changes.get("unit", "auto"))
    kept = tuple(default for default in found if default.name not in changes)
    values = {default.name: default.value for default in kept}
    return training_settings(preset, changes, kind | values), kept


def _for_search(search: str) -> list[Default]:
    """The settings that the search to be guided requires."""
    if Objective(search).key.g == 0:
        return []
    return [Default("unit", "cost", f"{search} adds the values to path costs")]


def _only_maps(problems: ProblemSet) -> bool:
    return all(problem.graph.is_grid for problem in (*problems.train, *problems.validation))


def one_map(problems: ProblemSet) -> GridGraph | None:
    """The map that all training and validation problems are on, if there is only one.

    >>> from phil.problems import single_graph_set
    >>> level = GridGraph([[True] * 9] * 9)
    >>> one_map(single_graph_set("level", level)) is level
    True
    """
    graphs = {id(p.graph): p.graph for p in (*problems.train, *problems.validation)}
    if len(graphs) != 1 or len(problems.train) < 2:
        return None
    [graph] = graphs.values()
    return graph if graph.is_grid else None


def kind_defaults(problems: ProblemSet, preset: str) -> dict[str, Any]:
    """The values of a preset that differ from those for 2D maps, for the graphs of a set."""
    if any(not problem.graph.is_grid for problem in problems.train):
        return ON_GRAPHS.get(preset, {})
    if any(problem.graph.axes == 3 for problem in problems.train):
        return ON_3D_MAPS.get(preset, {})
    return {}


def data_defaults(problems: ProblemSet, preset: str, unit: str = "auto") -> list[Default]:
    """The settings of a preset that are derived from the graphs of a set; none on 2D maps.

    `unit` is the setting of that name.

    >>> from phil.problems import single_graph_set
    >>> ring = Graph.from_edges(30, [(node, (node + 1) % 30) for node in range(30)])
    >>> for default in data_defaults(single_graph_set("ring", ring), "paper-printed"):
    ...     print(default)
    neighbors=2 (mean degree 2.0, at most 8)
    horizon=15 (diameter about 15)
    rollout=3 (a fifth of the diameter: 30 nodes)
    """
    if any(problem.graph.axes == 3 for problem in problems.train):
        return _on_3d_maps(preset)
    first = {id(p.graph): p for p in problems.train if not p.graph.is_grid}
    if not first:
        return []
    graphs = [p.graph for p in first.values() if not p.graph.is_grid]
    nodes = max(graph.num_nodes for graph in graphs)
    degree = sum(graph.indices.size for graph in graphs) / sum(graph.num_nodes for graph in graphs)
    some = list(first.values())[:MEASURED]
    diameter = max(diameter_estimate(p.graph, p.goal) for p in some)
    neighbors = Default(
        "neighbors",
        max(1, min(MOST_NEIGHBORS, round(degree))),
        f"mean degree {degree:.1f}, at most {MOST_NEIGHBORS}",
    )
    if preset != BEST:
        return [neighbors, *_paper_rollouts(nodes, diameter, preset)]
    chosen: Unit = "moves" if unit == "moves" else usual_unit(problems.train)
    return [neighbors, *_best(nodes, diameter, graphs, problems, chosen)]


def _on_3d_maps(preset: str) -> list[Default]:
    reason = "3D maps, as in the paper"
    found = [Default("neighbors", 4, reason), Default("rollout", 64, reason)]
    return [] if preset == BEST else found


def usual_features(problems: ProblemSet, *, on_maps: bool = True) -> str:
    """The recipe of features that suits the graphs of a set; empty for maps unless `on_maps`.

    Distances to landmarks pay off on a single graph or map that is searched many times; in a family
    of graphs they would have to be computed for every new graph.
    """
    level = one_map(problems)
    if level is not None and on_maps:
        known = {group.name for group in level.feature_groups}
        pays = level.num_nodes >= FEWEST_FOR_LANDMARKS and level.size <= MOST_CELLS
        return f"landmarks:{LANDMARKS}" if pays and "landmarks" not in known else ""
    graphs = {id(p.graph): p.graph for p in (*problems.train, *problems.validation)}
    general = [graph for graph in graphs.values() if not graph.is_grid]
    if not general or len(general) < len(graphs):
        return ""
    first = general[0]
    groups = {group.name for group in first.feature_groups}
    added = []
    if first.coordinates is not None and "coordinates" not in groups:
        added.append("coordinates")
    if "degree" not in groups:
        added.append("degree")
    if groups - {"coordinates", "degree"}:
        added.append("neighbourhood")
    if len(general) == 1 and first.num_nodes >= FEWEST_FOR_LANDMARKS:
        added.append(f"landmarks:{LANDMARKS}")
        if first.weights is not None:
            added.append(f"hops:{LANDMARKS}")
    return ",".join(added)


def _paper_rollouts(nodes: int, diameter: int, preset: str) -> list[Default]:
    if nodes > 10_000:
        rollout, reason = 128, f"{nodes:,} nodes, more than 10,000"
    elif nodes > 5_000:
        rollout, reason = 64, f"{nodes:,} nodes, more than 5,000"
    else:
        rollout = max(1, round(0.2 * diameter))
        reason = f"a fifth of the diameter: {nodes:,} nodes"
    if preset != PRINTED:
        longest = PRESETS[preset]["horizon"]
        reach = Default("horizon", min(nodes, longest), f"all nodes, at most {longest:,}")
        return [reach, Default("rollout", min(rollout, nodes), reason)]
    horizon = max(diameter, rollout, 1)
    why = f"diameter about {diameter}" + ("" if diameter == horizon else ", at least rollout")
    return [Default("horizon", horizon, why), Default("rollout", rollout, reason)]


def _best(
    nodes: int, diameter: int, graphs: Sequence[Graph], problems: ProblemSet, unit: Unit
) -> list[Default]:
    horizon = min(nodes, max(SHORTEST_HORIZON, DIAMETERS * diameter), LONGEST_HORIZON)
    edge = _mean_edge(graphs) if unit == "cost" else 1.0
    distance = _mean_distance(problems.train[:MEASURED], unit)
    fewer = [Default("rollouts", FEW_ROLLOUTS, f"{nodes:,} nodes: to save time and memory")]
    # Searches take no time, and many of them tell better which network is best.
    more = [Default("validation", MANY_VALIDATED, f"{nodes:,} nodes at most: searches are short")]
    return [
        *(fewer if nodes >= LARGE else ()),
        *(more if nodes <= SMALL else ()),
        Default("horizon", horizon, f"diameter about {diameter}, {nodes:,} nodes"),
        Default(
            "temperature",
            float(f"{max(0.5 * edge, 0.02 * distance):.3g}"),
            f"half a mean edge of {edge:.3g} or 2 % of a mean distance of {distance:.3g}, "
            "whichever is larger",
        ),
    ]


def _mean_edge(graphs: Sequence[Graph]) -> float:
    weights = [graph.weights for graph in graphs if graph.weights is not None]
    return float(np.mean(np.concatenate(weights))) or 1.0


def _mean_distance(problems: Sequence[Problem], unit: Unit) -> float:
    found = np.array([oracle_distances(p.graph, p.goal, unit=unit)[p.start] for p in problems])
    return float(found[np.isfinite(found)].mean()) if np.isfinite(found).any() else 1.0
