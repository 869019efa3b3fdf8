"""What can be run on problems under a name: a search and the heuristics that guide it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Protocol

from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.problems.problem import Problem
from phil.search.anytime import anytime
from phil.search.best_first import check_bound, search
from phil.search.guide import Heuristic, traits_of
from phil.search.result import Limits, Result
from phil.search.state import BFS, Key


class Searcher(Protocol):
    """What searches problems, and what it is called: all that an evaluation needs."""

    @property
    def text(self) -> str:
        """What it is called in tables."""
        ...

    def search(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Result:
        """Search one problem."""
        ...


class Solver(Searcher, Protocol):
    """A search with its heuristics, and the text that named it: what commands and advice need."""

    @property
    def heuristics(self) -> tuple[Heuristic, ...]:
        """What guides it."""
        ...

    @property
    def bound(self) -> float | None:
        """How many times the least cost its path may cost; None if it was given no bound."""
        ...

    def promise(self, graphs: Iterable[AnyGraph]) -> float:
        """How many times the least cost a path on these graphs costs at most; inf if unknown."""
        ...

    def anytime(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Iterator[Result]:
        """Search one problem for better and better paths; an `InputError` if it cannot."""
        ...

    def with_bound(self, bound: float) -> Solver:
        """The same with a bound on the path's cost; an `InputError` if it cannot have that one."""
        ...


@dataclass(frozen=True)
class NamedSearch:
    """A search that a method can name: what it takes, and what it then is."""

    name: str
    example: str
    help: str
    # From the method's text, and the heuristics and numbers in it.
    make: Callable[[str, Sequence[Heuristic], Sequence[float]], Solver]
    default: tuple[str, ...] = ()  # the heuristics if none is named; empty: one must be named
    most: float = 1  # how many heuristics it takes
    numbers: tuple[int, ...] = (0,)  # how many numbers may stand after them


@dataclass(frozen=True)
class Method:
    """Best-first search by a key with one heuristic.

    Parameters
    ----------
    text
        What it is called in tables.
    key
        The order in which nodes are expanded.
    heuristic
        What guides it.
    bound
        If given, the path costs at most that many times the least cost.

    Examples
    --------
    >>> import phil
    >>> grid = phil.GridGraph([[True] * 5] * 5)
    >>> method = Method("mine", phil.Key(g=0.5, h=1.0), phil.load("octile"))
    >>> method.search(phil.Problem(grid, 0, 24)).expansions
    5
    """

    text: str
    key: Key
    heuristic: Heuristic
    bound: float | None = None

    @property
    def heuristics(self) -> tuple[Heuristic, ...]:
        """Its one heuristic."""
        return (self.heuristic,)

    def search(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Result:
        """Search one problem."""
        return search(
            problem.graph,
            problem.start,
            problem.goal,
            self.heuristic,
            key=self.key,
            bound=self.bound,
            limits=limits,
            trace=trace,
        )

    def anytime(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Iterator[Result]:
        """Search one problem for better and better paths, until the bound (else 1) is met."""
        return anytime(
            problem.graph,
            problem.start,
            problem.goal,
            self.heuristic,
            key=self.key,
            bound=1.0 if self.bound is None else self.bound,
            limits=limits,
            trace=trace,
        )

    def with_bound(self, bound: float) -> Method:
        """The same with a bound on the path's cost."""
        if self.bound is not None:
            raise InputError(f"the method '{self.text}' has a bound of its own")
        return replace(self, bound=check_bound(bound))

    def promise(self, graphs: Iterable[AnyGraph]) -> float:
        """Its bound, or what its key promises with an admissible heuristic.

        >>> import phil
        >>> maps = [phil.GridGraph([[True] * 3] * 3)]
        >>> octile = phil.load("octile")
        >>> keys = phil.ASTAR, phil.Key(g=1.0, h=2.0), phil.BFS, phil.GREEDY
        >>> [Method("", key, octile).promise(maps) for key in keys]
        [1.0, 2.0, inf, inf]
        """
        if self.bound is not None:
            return self.bound
        key = self.key
        if key == BFS:
            return 1.0 if all(_all_moves_cost_the_same(graph) for graph in graphs) else inf
        if key.g == 1 and key.h >= 0 and key.depth == 0:
            admissible = traits_of(self.heuristic).admissible
            return max(1.0, key.h) if all(admissible(graph) for graph in graphs) else inf
        return inf


@dataclass(frozen=True)
class OwnSearch:
    """A user's search: it gives one path, and takes no other bound than its own."""

    text: str
    searcher: Searcher
    heuristics: tuple[Heuristic, ...]

    @property
    def bound(self) -> float | None:
        """That of the user's search, if it says one."""
        return getattr(self.searcher, "bound", None)

    def promise(self, graphs: Iterable[AnyGraph]) -> float:
        """Its bound."""
        return inf if self.bound is None else self.bound

    def search(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Result:
        """Search one problem."""
        return self.searcher.search(problem, limits, trace=trace)

    def anytime(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Iterator[Result]:
        """There is none."""
        raise no_better_paths(self.text)

    def with_bound(self, bound: float) -> OwnSearch:
        """There is none but its own."""
        raise InputError(f"the method '{self.text}' takes no bound")


def no_better_paths(text: str) -> InputError:
    """The error of a method that gives one path only."""
    return InputError(
        f"the method '{text}' gives one path; better and better ones come from searches with one "
        "heuristic, such as greedy(euclidean)"
    )


def _all_moves_cost_the_same(graph: AnyGraph) -> bool:
    costs = graph.arrays.move_costs if graph.is_grid else graph.weights
    return costs is None or costs.size == 0 or bool((costs == costs[0]).all())
