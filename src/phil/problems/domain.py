"""Domain: an implicit graph and a source of problems on it, to train on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic

import numpy as np

from phil.arguments import FLAG, FUNCTION, HASHABLE, ITERABLE, NOTHING, TEXT, of_type, takes
from phil.errors import InputError, quoted
from phil.graphs import ImplicitGraph
from phil.graphs.callbacks import N, Neighbors
from phil.graphs.region import Region

Problems = Callable[[np.random.Generator, float], tuple[N, N]]


class Domain(Generic[N]):
    """An implicit graph and a source of problems on it, to train a heuristic with `phil.train`.

    Training learns from what it finds out about the graph: it explores the nodes around the goals,
    if edges can be followed backwards; it takes paths that are already known; and it solves
    problems, at first easy ones, with what it has learned so far.

    Parameters
    ----------
    graph : ImplicitGraph
        The graph, with node features: they are what the heuristic reads.
    problems : callable
        Returns a random problem, (start, goal), given a `numpy.random.Generator` and a difficulty
        between 0 and 1. At 1, problems are like those that the heuristic is for; below, they should
        be easier in proportion, if there are any. Many or few different goals are possible.
    directed : bool, optional
        False declares that every edge has a reverse edge of the same cost, which is checked. By
        default, it is what the graph declares.
    predecessors : callable, optional
        On a directed graph: returns the nodes from which an edge leads to a node, in the same form
        as `neighbors`. Without it, nothing is explored around the goals.
    demonstrations : iterable, optional
        Known paths, each a sequence of nodes that ends at a goal. They need not be optimal.
    name : str, optional
        The name of the domain in the heuristic's file.

    Raises
    ------
    InputError
        If an argument is invalid, the graph has no features, or it is a grid.

    Examples
    --------
    >>> import phil
    >>> ring = phil.ImplicitGraph(
    ...     lambda node: [(node - 1) % 100, (node + 1) % 100], lambda node: [node], dim=1
    ... )
    >>> def walk(random, difficulty):
    ...     return int(random.integers(1, 2 + round(98 * difficulty))), 0
    >>> phil.Domain(ring, walk, directed=False, name="ring")
    Domain('ring', walk on ImplicitGraph(<lambda>, features=1), undirected)
    """

    @takes(
        graph=of_type("an ImplicitGraph", ImplicitGraph),
        problems=FUNCTION,
        directed=FLAG,
        predecessors=FUNCTION | NOTHING,
        demonstrations=ITERABLE,
        name=TEXT,
    )
    def __init__(
        self,
        graph: ImplicitGraph[N],
        problems: Problems[N],
        *,
        directed: bool | None = None,
        predecessors: Neighbors[N] | None = None,
        demonstrations: Iterable[Sequence[N]] = (),
        name: str = "domain",
    ) -> None:
        if graph.is_grid:
            raise InputError(
                "the graph of a domain must not be a grid: train on maps, and search with the "
                "heuristic on ImplicitGraph.on_grid"
            )
        if not graph.dim:
            raise InputError(
                "the graph of a domain needs features: pass features and dim to ImplicitGraph"
            )
        self.graph = graph
        self.directed = graph.directed if directed is None else bool(directed)
        if predecessors is not None and not self.directed:
            raise InputError("predecessors are for directed graphs; leave out directed=False")
        self.predecessors = predecessors
        self.name = name
        self.demonstrations = tuple(map(_path, demonstrations))
        self._problems = problems

    def __repr__(self) -> str:
        drawn = getattr(self._problems, "__name__", type(self._problems).__name__)
        direction = "directed" if self.directed else "undirected"
        return f"Domain({self.name!r}, {drawn} on {self.graph!r}, {direction})"

    def draw(self, random: np.random.Generator, difficulty: float = 1.0) -> tuple[N, N]:
        """Draw a problem, (start, goal).

        Parameters
        ----------
        random : numpy.random.Generator
            The source of random numbers.
        difficulty : float, optional
            Between 0 and 1.

        Returns
        -------
        start, goal : hashable
        """
        try:
            given: Any = self._problems(random, difficulty)
        except Exception as error:
            raise InputError(f"problems raised {type(error).__name__}: {error}") from error
        if not isinstance(given, tuple | list) or len(given) != 2:
            raise InputError(f"problems returned {quoted(given)}; it must return (start, goal)")
        return given[0], given[1]

    def region(self, goal: N) -> Region[N]:
        """What is known of the graph around a goal: at first, nothing."""
        return Region(self.graph, goal, directed=self.directed, predecessors=self.predecessors)


def _path(given: Any) -> tuple[Any, ...]:
    ITERABLE.check(given, "a demonstration")
    path = tuple(given)
    for node in path:
        HASHABLE.check(node, "a node of a demonstration")
    if len(path) < 2:
        raise InputError(f"a demonstration must have at least two nodes, not {quoted(given)}")
    return path
