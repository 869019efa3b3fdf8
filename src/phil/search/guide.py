"""The contract between a search and the heuristic that guides it.

A `Heuristic` is what a user holds (a name, a file). For each problem it creates a `Guide`, which is
asked once per expansion for the values of the newly discovered nodes, and may remember what it was
shown. A guide that can run the whole search in compiled code also has `run`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from phil.graphs import AnyGraph, SearchedGraph
from phil.graphs.lower_bound import LowerBound
from phil.search.batch import Batch
from phil.search.state import State

if TYPE_CHECKING:
    from phil.search.ends import Ends
    from phil.search.mha_queues import Queues


@dataclass(frozen=True)
class Expansion:
    """What one expansion discovered: all that a guide may know.

    Attributes
    ----------
    node : int
        The node just expanded.
    new
        V_new, the nodes discovered by expanding it, in order of generation.
    g, depth
        Path cost and number of moves from the start, for each node of V_new.
    count : int
        The number of expansions so far, including this one.
    """

    node: int
    new: NDArray[np.int32]
    g: NDArray[np.float64]
    depth: NDArray[np.int32]
    count: int


class Guide(Protocol):
    """Guides one search.

    A guide that reads features keeps the graph and asks `graph.features_of(expansion.new)` each
    time: on a graph that is discovered by searching, nodes come up as the search goes on, and
    `graph.features` is the table of those seen when it was read.
    A guide that reads the neighbours of V_new, and not only the nodes themselves, sets
    `looks_ahead = True`; on a graph that is discovered by searching, they are then computed first.
    A guide that holds a resource, such as a workspace, has a method `close`, which is called when
    the search is over (see `guided`) and may be called again.
    """

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """Evaluate the nodes that an expansion discovered.

        Parameters
        ----------
        expansion : Expansion
            The expanded node and V_new.

        Returns
        -------
        ndarray
            One value per node of V_new, in units of path cost; lower is better.
        """
        ...


@runtime_checkable
class CompiledGuide(Protocol):
    """A guide with a compiled loop of its own."""

    def run(self, state: State, budget: int) -> int:
        """Search until stopped, and return the code of `phil.search.state` that says why.

        It can be called again to continue.

        Since the last call, the graph's arrays may have been replaced by longer ones.
        """
        ...


class SharedLoop(Protocol):
    """The compiled loop of MHA* for several guides; the methods are like `CompiledGuide.run`."""

    def run_in_turn(self, state: State, queues: Queues, budget: int) -> int:
        """Search with queues that take turns."""
        ...

    def run_within_bound(self, state: State, queues: Queues, budget: int) -> int:
        """Search with an anchor queue too."""
        ...


@runtime_checkable
class SharingGuide(Guide, Protocol):
    """A guide that can share one compiled loop with other guides of the same search."""

    def share_loop(self, guides: Sequence[Guide]) -> SharedLoop | None:
        """The loop for these guides, one queue each; None if one of them cannot take part."""
        ...


@runtime_checkable
class TwoEndedGuide(Guide, Protocol):
    """A guide that can share the compiled loop of bidirectional A* with that of the other end."""

    def share_ends(self, other: Guide) -> Callable[[Ends, int], int] | None:
        """The loop, which is like `CompiledGuide.run`; None if the other guide cannot take part."""
        ...


@runtime_checkable
class BatchGuide(Protocol):
    """A guide with a kernel that answers many queries, each to its own goal.

    It is used by `phil.search_many` if the heuristic's traits say so.
    """

    def run_batch(self, state: State, batch: Batch) -> int:
        """Answer queries until stopped, and return the code of `phil.search.batch` that says why.

        It can be called again to continue.
        """
        ...


@runtime_checkable
class RevisingGuide(Guide, Protocol):
    """A guide with its own measure of path cost, which may find better paths to known nodes.

    A search whose key is the value alone calls `revise` after every expansion, and gives these
    nodes their new value and the expanded node as parent. If the key includes the path cost, or a
    bound is to be proven, the search alone decides on parents, and values stay fixed.
    """

    def revise(self) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Nodes of OPEN with a better path through the node just expanded, and their new values."""
        ...


@runtime_checkable
class LazyGuide(Guide, Protocol):
    """A guide that looks ahead lazily: at the best node of OPEN, before it is expanded.

    Expanding the node takes its neighbours anyway, so looking at them costs a call only if the node
    is then no longer the best. A guide with a compiled loop does this there; other searches by one
    key call `settle` before every expansion.
    """

    calls_ahead: int  # nodes that it has called, and that are not expanded

    def settle(self, state: State, budget: int) -> int:
        """Evaluate the best node of OPEN again until it stays the best.

        Returns 0, or a code of `phil.search.state` if this must wait.
        """
        ...

    def called(self, nodes: NDArray[np.int32]) -> int:
        """How many of these nodes it has called."""
        ...


@runtime_checkable
class RescoringGuide(Guide, Protocol):
    """A guide whose values depend on what it was shown, and can be recomputed."""

    def rescore(
        self, nodes: NDArray[np.int32], parents: NDArray[np.int32], depths: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """The values that nodes of OPEN would get if they were discovered now.

        Their parents and depths are those of the search. The guide's memory does not change.
        """
        ...


@dataclass(frozen=True)
class Traits:
    """What a heuristic declares about itself, for help texts, advice and guarantees.

    Parameters
    ----------
    help : str
        A short description of its values.
    admissible : callable
        Whether its values on a graph are admissible and consistent, so that A* finds an optimal
        path and expands no node twice.
    needs_grid : bool
        Whether it refuses graphs other than grids.
    needs_whole_graph : bool
        Whether it refuses graphs that are discovered by searching.
    knows_answer : bool
        Whether it solves the problem before the search, so that timing the search is meaningless.
    preparation : callable
        The functions that compute what it needs once per graph, before the first search.
    batches : bool
        Whether its guides can answer many queries in one call: see `BatchGuide`.
    landmarks : bool
        Whether it computes the costs to landmarks, which then serve proofs of bounds too.
    """

    help: str = ""
    admissible: Callable[[AnyGraph], bool] = lambda graph: False
    needs_grid: bool = False
    needs_whole_graph: bool = False
    knows_answer: bool = False
    preparation: Callable[[AnyGraph], Sequence[Callable[[], object]]] = lambda graph: ()
    batches: bool = False
    landmarks: bool = False


class Heuristic(Protocol):
    """Guides searches on the graphs that it fits; it may declare `traits`."""

    @property
    def name(self) -> str:
        """Its name in tables."""
        ...

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> Guide:
        """Create a guide for one search.

        Parameters
        ----------
        graph
            The graph to be searched.
        start, goal : int
            Node ids.

        Returns
        -------
        Guide
            See also `guided`, which closes it after the search.

        Raises
        ------
        InputError
            If the heuristic does not fit the graph.
        """
        ...


# What users give for a heuristic, which `phil.heuristics.given` converts.
AnyHeuristic: TypeAlias = Heuristic | str | PathLike[str] | Callable[[Any, Any], float]


@runtime_checkable
class ProvingHeuristic(Heuristic, Protocol):
    """A heuristic whose values a bound can be proven with in compiled code."""

    def lower_bound(self, graph: SearchedGraph, goal: int) -> LowerBound:
        """The lower bound on the cost to a goal; asked only if the heuristic is admissible."""
        ...


class Unique:
    """A heuristic that exists once, in a variable with its name; pickles hold only the name."""

    name: str

    def __reduce__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"phil.load({self.name!r})"


def traits_of(heuristic: Heuristic) -> Traits:
    """The traits that a heuristic declares, or the defaults."""
    traits: Traits = getattr(heuristic, "traits", _NO_TRAITS)
    return traits


_NO_TRAITS = Traits()


@contextmanager
def guided(heuristic: Heuristic, graph: SearchedGraph, start: int, goal: int) -> Iterator[Guide]:
    """A guide for one search, closed at the end of the `with` block."""
    guide = heuristic.begin(graph, start, goal)
    try:
        yield guide
    finally:
        close(guide)


def close(guide: Guide) -> None:
    """Release what a guide holds; most guides hold nothing and have no `close`."""
    release = getattr(guide, "close", None)
    if release is not None:
        release()


class WithoutLoop:
    """A heuristic with its compiled loop hidden, so that it is asked after every expansion."""

    def __init__(self, inner: Heuristic) -> None:
        self.name = inner.name
        self._inner = inner

    def __repr__(self) -> str:
        return f"WithoutLoop({self._inner!r})"

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> GuideWithoutLoop:
        """A guide for one search."""
        return GuideWithoutLoop(self._inner.begin(graph, start, goal))


class GuideWithoutLoop:
    """A guide with `run` and `share_loop` hidden."""

    def __init__(self, inner: Guide) -> None:
        self.score = inner.score
        self.looks_ahead = bool(getattr(inner, "looks_ahead", False))
        self._inner = inner
        if isinstance(inner, RevisingGuide):
            self.revise = inner.revise
        if isinstance(inner, LazyGuide):
            self.settle, self.called = inner.settle, inner.called

    @property
    def calls_ahead(self) -> int:
        """Nodes that the wrapped guide has called to look ahead."""
        return int(getattr(self._inner, "calls_ahead", 0))

    def close(self) -> None:
        """Close the wrapped guide."""
        close(self._inner)
