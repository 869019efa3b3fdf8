"""A warning where a heuristic and the weights do not go together, such as metres and seconds.

If the heuristic exceeds the cost, A* need not find the cheapest path, and greedy search follows
the heuristic whatever the weights are. Neither networkx nor a search can see that it was not meant.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from phil.arguments import is_real
from phil.graphs import Graph
from phil.graphs.convert.networkx import Weight
from phil.heuristics.classical import euclidean, manhattan
from phil.networkx.conversion import Conversion
from phil.search.guide import Heuristic

# By this share a heuristic may exceed the cost: a map of a region is not quite flat.
TOLERANCE = 0.01
PACKAGES = ("phil", "networkx")  # whose lines a warning does not point to

# So that each is checked and said once:
_checked: WeakKeyDictionary[Graph, set[str]] = WeakKeyDictionary()  # heuristics
_warned: WeakKeyDictionary[Any, set[tuple[object, str]]] = WeakKeyDictionary()  # and weights


class NotALowerBound(UserWarning):
    """The heuristic's estimates exceed the costs, so that paths may be far from the cheapest.

    If that is intended: `warnings.simplefilter("ignore", NotALowerBound)`.

    Examples
    --------
    >>> import warnings
    >>> import networkx as nx
    >>> from phil.networkx import NotALowerBound, heuristic_path
    >>> G = nx.Graph()
    >>> G.add_node("home", x=0.0, y=0.0)
    >>> G.add_node("work", x=800.0, y=600.0)
    >>> G.add_edge("home", "work", length=1000.0, travel_time=90.0)
    >>> with warnings.catch_warnings(action="error"):
    ...     heuristic_path(G, "home", "work", weight="length")
    ['home', 'work']
    >>> with warnings.catch_warnings(record=True) as warned:
    ...     warnings.simplefilter("always")
    ...     _ = heuristic_path(G, "home", "work", weight="travel_time")
    >>> print(str(warned[0].message).partition(":")[0])
    euclidean is not a lower bound on the weight 'travel_time'
    """


def check_edges(conversion: Conversion, heuristic: Heuristic, weight: Weight) -> None:
    """Warn if a distance between places exceeds the cost of an edge; once for each conversion.

    A distance that exceeds no edge exceeds no path.
    """
    graph = conversion.graph
    if heuristic is not euclidean and heuristic is not manhattan:
        return
    checked = _checked.setdefault(graph, set())
    if heuristic.name in checked:
        return
    checked.add(heuristic.name)
    costs = np.ones(graph.indices.size) if graph.weights is None else graph.weights
    places = graph.features.astype(np.float64)
    gaps = places[graph.sources] - places[graph.indices]
    distances = np.linalg.norm(gaps, ord=2 if heuristic is euclidean else 1, axis=1)
    excess = distances - (1 + TOLERANCE) * costs
    if not (excess > 0).any():
        return
    edge = int(np.argmax(excess))
    ends = (conversion.nodes[k] for k in (graph.sources[edge], graph.indices[edge]))
    _warn(
        f"{heuristic.name} is not a lower bound on {_name(weight)}: it puts {distances[edge]:g} "
        f"between {' and '.join(map(repr, ends))}, but the edge costs {costs[edge]:g}"
    )


def check_function(
    G: Any, weight: Weight, function: Any, ends: tuple[Any, Any], estimate: Any, cost: Any
) -> None:
    """Warn if a function's estimate exceeds the cost of a path between two nodes.

    It is said once for each graph, weight and function.
    """
    if not (is_real(estimate) and is_real(cost) and estimate > (1 + TOLERANCE) * cost):
        return
    name = getattr(function, "__name__", "the heuristic")
    warned = _warned.setdefault(G, set())
    if (weight, name) not in warned:
        warned.add((weight, name))
        _warn(
            f"{name} is not a lower bound on {_name(weight)}: it puts {float(estimate):g} between "
            f"{' and '.join(map(repr, ends))}, but a path costs {float(cost):g}"
        )


def _name(weight: Weight) -> str:
    if isinstance(weight, str):
        return f"the weight {weight!r}"
    return "the number of moves" if weight is None else "the weight"


def _warn(what: str) -> None:
    message = (
        f"{what}. The path may be far from the cheapest; use a heuristic in the unit of the "
        "weight, or bound="
    )
    frame, level = sys._getframe(1), 3
    while frame.f_back is not None and _package(frame.f_back) in PACKAGES:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, NotALowerBound, stacklevel=level)


def _package(frame: Any) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]
