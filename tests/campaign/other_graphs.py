"""The same graphs met in other ways: by functions, in networkx, and with learned heuristics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import networkx as nx
import numpy as np
from numpy.random import Generator

from phil.graphs import AnyGraph, Graph, GridGraph, ImplicitGraph
from phil.heuristics.classical import euclidean, manhattan, zero
from phil.heuristics.phil.specification import NetworkSettings
from phil.networkx import heuristic_search
from phil.search import ASTAR, Result, anytime, search, search_many, search_mha
from phil.search.guide import Heuristic
from tests.campaign.drawn import Drawn
from tests.campaign.truth import Truth
from tests.campaign.verdict import CLOSE, faults
from tests.guides import facts
from tests.networks import random_heuristic, scaling_for
from tests.neural import random_neural_astar
from tests.perceptrons import random_perceptron

Run = Callable[..., Result[Any]]

# By what they promise; on a graph that is known in full, those without a bound do the same.
RUNS: dict[str, tuple[float, Run]] = {
    "greedy": (np.inf, partial(search, heuristic=euclidean)),
    "A*": (1.0, partial(search, heuristic=zero, key=ASTAR)),
    "MHA*": (np.inf, partial(search_mha, heuristics=[euclidean, zero])),
}
BETTER_AND_BETTER: Callable[..., Iterator[Result[Any]]] = partial(anytime, heuristic=zero)
BOUNDED_RUNS: dict[str, tuple[float, Run]] = {
    "bounded": (1.5, partial(search, heuristic=manhattan, bound=1.5)),
    "bounded MHA*": (3.0, partial(search_mha, heuristics=[manhattan], w1=1.5, w2=2)),
    "anytime": (1.0, lambda *ends, **how: [*BETTER_AND_BETTER(*ends, **how)][-1]),
}


class Met:
    """A graph by functions that answer with what is true of it, and how often they were asked."""

    def __init__(self, attempt: Drawn, random: Generator) -> None:
        graph, truth = attempt.graph, attempt.truth
        edge = truth.sources != truth.targets  # functions must not answer with the node itself
        targets, costs = truth.targets[edge], truth.costs[edge]
        if (costs == 1).all() and random.random() < 0.5:
            costs = None
        first = np.searchsorted(truth.sources[edge], np.arange(truth.size + 1))
        self.asked: Counter[Any] = Counter()
        self.batch = int(random.choice([1, 1, 2, 5]))
        self._targets = np.split(targets, first[1:-1])
        self._costs = None if costs is None else np.split(costs, first[1:-1])
        self._grid = graph if isinstance(graph, GridGraph) else None
        how: dict[str, Any] = {"neighbors": self._neighbors}
        if self.batch > 1 or random.random() < 0.3:
            how = {"neighbors_of_many": self._neighbors_of_many, "batch": self.batch}
        if self._grid is not None:
            self.known: AnyGraph = self._grid
            self.graph: ImplicitGraph[Any] = ImplicitGraph.on_grid(
                shape=self._grid.shape,
                connectivity=self._grid.connectivity,
                diagonal_cost=self._grid.diagonal_cost,
                **how,
            )
            return
        features = graph.features
        if features.shape[1]:
            how |= {"features": lambda node: features[node[1]], "dim": features.shape[1]}
        self.graph = ImplicitGraph(**how)
        self.known = Graph(first, targets, features, weights=costs, directed=True)

    def name(self, node: int) -> tuple[Any, ...]:
        """A node as this graph knows it."""
        return ("node", node) if self._grid is None else self._grid.cell(node)

    def id(self, name: tuple[Any, ...]) -> int:
        """A node by its name."""
        return int(name[1]) if self._grid is None else self._grid.node(*name)

    def _neighbors(self, name: tuple[Any, ...]) -> Any:
        self.asked[name] += 1
        node = self.id(name)
        near = [self.name(other) for other in self._targets[node].tolist()]
        if self._grid is not None or self._costs is None:
            return near
        return dict(zip(near, self._costs[node].tolist(), strict=True))

    def _neighbors_of_many(self, names: list[Any]) -> list[Any]:
        return [self._neighbors(name) for name in names]

    def with_ids(self, result: Result[Any]) -> Result:
        """The result with ids for names."""
        named = result.path, result.trace or (), result.path_by_parents or ()
        path, trace, by_parents = (
            np.array([self.id(name) for name in names], int) for names in named
        )
        return replace(result, path=path, trace=trace, path_by_parents=by_parents)


def by_functions(attempt: Drawn, random: Generator) -> Iterator[str]:
    """A graph that is discovered gives the results of the same graph known in full."""
    met = Met(attempt, random)
    for start, goal in attempt.pairs(random):
        for text, (bound, run) in (RUNS | BOUNDED_RUNS).items():
            where = f"{text} by functions, {met.batch} at a time, from {start} to {goal}"
            met.asked.clear()
            result = met.with_ids(run(met.graph, met.name(start), met.name(goal), trace=True))
            goes_on = text == "anytime"
            for fault in faults(result, attempt.truth, start, goal, bound, goes_on=goes_on):
                yield f"{where} {fault}"
            if result.calls != met.asked.total() or max(met.asked.values(), default=1) > 1:
                yield f"{where} counts {result.calls} calls, but {met.asked.total()} were made"
            if text in RUNS:
                known = replace(
                    run(met.known, start, goal, trace=True), lookahead_calls=result.lookahead_calls
                )
                # The path by parents is compared: edges known one way may give a dearer path.
                whole, met_facts = facts(known), facts(result)
                differ = [name for name in whole if whole[name] != met_facts[name]]
                if set(differ) - {"path", "cost"} or result.cost < known.cost * (1 - CLOSE):
                    yield f"{where} gives {result}, not {known}"


WITHIN_FLOAT32 = 1e30
NETWORKS: tuple[type[Any], ...] = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)


NETWORKX_PATHS: dict[str, Callable[..., Any]] = {
    "shortest_path": partial(nx.shortest_path, weight="weight"),
    "astar_path": partial(nx.astar_path, heuristic=lambda *_: 0),
    "shortest_path by moves": nx.shortest_path,
}


def in_networkx(attempt: Drawn, random: Generator) -> Iterator[str]:
    """networkx's own functions in the backend, and PHIL's searches on its graphs."""
    truth = attempt.truth
    directed = attempt.graph.directed
    kind = NETWORKS[2 * random.integers(2) + directed]
    network = kind()
    network.add_nodes_from(attempt.nodes.tolist())
    edges = zip(truth.sources.tolist(), truth.targets.tolist(), truth.costs.tolist(), strict=True)
    network.add_weighted_edges_from(edge for edge in edges if directed or edge[0] <= edge[1])
    with nx.config(warnings_to_ignore={"cache"}):
        for start, goal in attempt.pairs(random):
            for fault in _paths_in(network, attempt.truth, start, goal):
                yield f"{kind.__name__}: {fault}"


def _paths_in(network: Any, truth: Truth, start: int, goal: int) -> Iterator[str]:
    ends = network, start, goal
    for text, function in NETWORKX_PATHS.items():
        where = f"{text} from {start} to {goal}"
        distances = truth.moves_from if "moves" in text else truth.costs_from
        least = float(distances(start)[goal])
        try:
            path = np.array(function(*ends, backend="phil"))
        except nx.NetworkXNoPath:
            if least < np.inf:
                yield f"{where} finds no path, but one of cost {least!r} exists"
            continue
        cost = truth.cost_of(path)
        if "moves" in text and cost is not None:
            cost = path.size - 1
        if cost is None or not cost <= least * (1 + CLOSE):
            yield f"{where} has the path {path.tolist()} of cost {cost}, not {least!r}"
    result = heuristic_search(*ends, None, key=ASTAR, trace=True)
    for fault in faults(result, truth, start, goal, 1.0):
        yield f"heuristic_search from {start} to {goal} {fault}"


def with_learned_heuristics(attempt: Drawn, random: Generator) -> Iterator[str]:
    """Networks of random weights find real paths, one by one as well as in threads."""
    graph = attempt.graph
    costs = graph.arrays.move_costs if graph.is_grid else graph.weights
    if costs is not None and costs.max(initial=0.0) > WITHIN_FLOAT32:
        return  # path costs are inputs of perceptrons, which refuse what becomes NaN
    for name, heuristic in _learned(attempt.graph, random):
        pairs = attempt.pairs(random)
        for start, goal in pairs:
            for bound in (None, 2.0):
                ends = attempt.graph, start, goal
                result = search(*ends, heuristic, bound=bound, trace=True)
                for fault in faults(result, attempt.truth, start, goal, bound or np.inf):
                    yield f"{name} from {start} to {goal} within {bound} {fault}"
        alone = [facts(search(attempt.graph, *pair, heuristic)) for pair in pairs]
        many = search_many(attempt.graph, pairs, heuristic, threads=2)
        if [*map(facts, many)] != alone:
            yield f"search_many with {name} differs: {pairs}"


def _learned(graph: AnyGraph, random: Generator) -> Iterator[tuple[str, Heuristic]]:
    seed = int(random.integers(1000))
    features = graph.features.shape[1]
    if features:
        settings = NetworkSettings(
            features=features,
            edge_features=graph.arrays.edge_features.shape[1],
            width=8,
            memory=4,
            neighbors=int(random.choice([0, 2, 8])),
            walls=8 if graph.is_grid and graph.connectivity == 8 and random.random() < 0.5 else 0,
            trail=bool(random.random() < 0.5),
        )
        yield f"phil {settings}", random_heuristic(settings, scaling_for(graph), seed)
        yield f"mlp {seed}", random_perceptron("graph", (6, 4), graph, seed)
    if graph.axes == 2:
        yield f"neural_astar {seed}", random_neural_astar(seed=seed)
