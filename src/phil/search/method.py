"""Methods: a search and its heuristics under a name, to be run on problems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from math import inf
from typing import Protocol

from phil.errors import InputError, shortened
from phil.graphs import AnyGraph
from phil.problems.problem import Problem
from phil.search.anytime import anytime
from phil.search.best_first import search
from phil.search.bounded import check_bound
from phil.search.guide import Heuristic, traits_of
from phil.search.result import Limits, Result
from phil.search.state import BFS, Key


class Searcher(Protocol):
    """Solves problems and has a name: all that an evaluation needs."""

    @property
    def text(self) -> str:
        """Its name in tables."""
        ...

    def search(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Result:
        """Search one problem."""
        ...


class Solver(Searcher, Protocol):
    """A search with its heuristics and the text that named it: what commands and advice need."""

    @property
    def heuristics(self) -> tuple[Heuristic, ...]:
        """The heuristics that guide it."""
        ...

    @property
    def bound(self) -> float | None:
        """The suboptimality bound that it was given, if any."""
        ...

    def promise(self, graphs: Iterable[AnyGraph]) -> float:
        """The suboptimality bound that it guarantees on these graphs; inf if none."""
        ...

    def anytime(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Iterator[Result]:
        """Search one problem for better and better paths; raises `InputError` if it cannot."""
        ...

    def with_bound(self, bound: float) -> Solver:
        """The same with a suboptimality bound; raises `InputError` if it cannot have one."""
        ...


class ShownByText:
    """A method whose repr is its name, since its heuristics have long ones."""

    text: str

    def __repr__(self) -> str:
        return f"{type(self).__name__}({shortened(self.text)})"


@dataclass(frozen=True)
class NamedSearch:
    """A search that a method can name: its arguments, and how to make it."""

    name: str
    example: str
    help: str
    # Takes the method's text, and the heuristics and numbers in it; then options by name.
    make: Callable[..., Solver]
    default: tuple[str, ...] = ()  # heuristics if none is named; if empty, one must be named
    also: tuple[str, ...] = ()  # heuristics that it takes without being named
    most: float = 1  # how many heuristics it takes at most
    numbers: tuple[int, ...] = (0,)  # how many numbers may follow them
    options: tuple[str, ...] = ()  # heuristics that may follow by name, as in lower=landmarks
    bare: str = ""  # the search that its name alone stands for; by default itself


@dataclass(frozen=True, repr=False)
class Method(ShownByText):
    """Best-first search by a key with one heuristic.

    Parameters
    ----------
    text
        Its name in tables.
    key
        The order in which nodes are expanded.
    heuristic
        The heuristic that guides it.
    bound
        The suboptimality bound, if any: the path costs at most this many times the optimal cost.
    lower
        The heuristic that the bound is proven with; by default, the best lower bound at hand.

    Examples
    --------
    >>> import phil
    >>> grid = phil.GridGraph([[True] * 5] * 5)
    >>> method = Method("mine", phil.Key(g=0.5, h=1.0), phil.load("octile"))
    >>> method
    Method('mine')
    >>> method.search(phil.Problem(grid, 0, 24)).expansions
    5
    """

    text: str
    key: Key
    heuristic: Heuristic
    bound: float | None = None
    lower: Heuristic | None = None

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
            lower=self.lower,
            limits=limits,
            trace=trace,
        )

    def anytime(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Iterator[Result]:
        """Search one problem for better and better paths, until its bound (or else 1) is met."""
        return anytime(
            problem.graph,
            problem.start,
            problem.goal,
            self.heuristic,
            key=self.key,
            bound=1.0 if self.bound is None else self.bound,
            lower=self.lower,
            limits=limits,
            trace=trace,
        )

    def with_bound(self, bound: float) -> Method:
        """The same method with a suboptimality bound."""
        if self.bound is not None:
            raise InputError(f"the method '{self.text}' has a bound of its own")
        return replace(self, bound=check_bound(bound))

    def promise(self, graphs: Iterable[AnyGraph]) -> float:
        """Its bound, or what its key guarantees with an admissible heuristic.

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
            return 1.0 if all(all_moves_cost_the_same(graph) for graph in graphs) else inf
        if key.g == 1 and key.h >= 0 and key.depth == 0:
            admissible = traits_of(self.heuristic).admissible
            return max(1.0, key.h) if all(admissible(graph) for graph in graphs) else inf
        return inf


@dataclass(frozen=True, repr=False)
class OwnSearch(ShownByText):
    """A user's search, which finds one path and takes no bound."""

    text: str
    searcher: Searcher
    heuristics: tuple[Heuristic, ...]

    @property
    def bound(self) -> float | None:
        """The bound that the user's search declares, if any."""
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
        """Not supported."""
        raise no_better_paths(self.text)

    def with_bound(self, bound: float) -> OwnSearch:
        """Not supported."""
        raise InputError(f"the method '{self.text}' takes no bound")


def no_better_paths(text: str) -> InputError:
    """The error of a method that finds one path only."""
    return InputError(
        f"the method '{text}' finds one path only; for better and better ones, use a search with "
        "one heuristic, such as greedy(euclidean)"
    )


def all_moves_cost_the_same(graph: AnyGraph) -> bool:
    """Whether a path with the fewest moves is optimal."""
    costs = graph.arrays.move_costs if graph.is_grid else graph.weights
    return costs is None or costs.size == 0 or bool((costs == costs[0]).all())
