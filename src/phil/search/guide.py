"""The contract between a search and what guides it.

A `Heuristic` is what a user holds (a name, a file). For one problem it gives a `Guide`, which is
asked once per expansion for the values of the newly discovered nodes, and may keep what it was
shown. A guide that can run the whole search compiled offers `run` as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from phil.graphs import AnyGraph, SearchedGraph
from phil.search.state import State


@dataclass(frozen=True)
class Expansion:
    """What one expansion discovered: all that a guide may know, and nothing else.

    Attributes
    ----------
    node : int
        The node just expanded.
    new
        V_new, the nodes that it discovered, in order of generation.
    g, depth
        Path cost and moves from the start, one number per node of V_new.
    count : int
        Expansions so far, this one included.
    """

    node: int
    new: NDArray[np.int32]
    g: NDArray[np.float64]
    depth: NDArray[np.int32]
    count: int


class Guide(Protocol):
    """Guides one search.

    A guide that reads the neighbours of V_new, and not only their features, says
    `looks_ahead = True`: on a graph that is discovered while searching they are asked for first.
    One that holds something to be released, such as a workspace lent to it, has a method `close`;
    whoever began the guide calls it once, when the search is over (see `guided`).
    """

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """One value per node of V_new, in path-cost units; less is better."""
        ...


@runtime_checkable
class CompiledGuide(Protocol):
    """A guide with a compiled loop of its own."""

    def run(self, state: State, budget: int) -> int:
        """Search until a code of `phil.search.state` says why it stopped; can be called again.

        The graph's arrays may have been replaced by longer ones since the last call.
        """
        ...


@runtime_checkable
class RevisingGuide(Guide, Protocol):
    """A guide that measures path costs its own way, and may find a better path to a known node.

    A search whose key is the value alone asks after every expansion, and gives such nodes their new
    value and the expanded node as parent. Where the key counts path costs, or a bound on them is to
    be proven, the search alone decides on parents, and values stay what they were.
    """

    def revise(self) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Nodes of OPEN with a better path through the node just expanded, and their new values."""
        ...


@runtime_checkable
class RescoringGuide(Guide, Protocol):
    """A guide whose values change with what it is shown, and that can compute them anew."""

    def rescore(
        self, nodes: NDArray[np.int32], parents: NDArray[np.int32], depths: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """The values that nodes of OPEN would get if they were discovered now.

        Each has the parent and the depth that the search has for it. The guide's memory does not
        change.
        """
        ...


@dataclass(frozen=True)
class Traits:
    """What a heuristic says about itself, for help texts, advice and promises.

    Parameters
    ----------
    help : str
        Its values in a few words.
    admissible : callable
        Whether on a graph its values are admissible and consistent: never above the cost that is
        left, so that A* finds a path of least cost and expands no node twice.
    needs_grid : bool
        Whether it refuses graphs that are not grids.
    needs_whole_graph : bool
        Whether it refuses graphs that are discovered while searching.
    knows_answer : bool
        Whether it solves the problem before the search, so that timing a search says nothing.
    preparation : callable
        What it computes once for a graph, before the first search, as a list of functions.
    """

    help: str = ""
    admissible: Callable[[AnyGraph], bool] = lambda graph: False
    needs_grid: bool = False
    needs_whole_graph: bool = False
    knows_answer: bool = False
    preparation: Callable[[AnyGraph], Sequence[Callable[[], object]]] = lambda graph: ()


class Heuristic(Protocol):
    """Guides searches on any graph that it fits; it may declare its `traits`."""

    @property
    def name(self) -> str:
        """What it is called in tables."""
        ...

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> Guide:
        """A guide for one search; raises `InputError` if it does not fit the graph."""
        ...


def traits_of(heuristic: Heuristic) -> Traits:
    """What a heuristic says about itself; nothing in particular if it has no `traits`."""
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
    """Release what a guide holds; most hold nothing, and need no `close` of their own."""
    release = getattr(guide, "close", None)
    if release is not None:
        release()


class WithoutLoop:
    """Another heuristic with its compiled loop hidden: the search asks it after every expansion."""

    def __init__(self, inner: Heuristic) -> None:
        self.name = inner.name
        self._inner = inner

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> GuideWithoutLoop:
        """A guide for one search."""
        guide = self._inner.begin(graph, start, goal)
        if isinstance(guide, RevisingGuide):
            return RevisingGuideWithoutLoop(guide)
        return GuideWithoutLoop(guide)


class GuideWithoutLoop:
    """A guide of which `run` is hidden."""

    def __init__(self, inner: Guide) -> None:
        self.score = inner.score
        self.looks_ahead = bool(getattr(inner, "looks_ahead", False))
        self._inner = inner

    def close(self) -> None:
        """Close the other guide."""
        close(self._inner)


class RevisingGuideWithoutLoop(GuideWithoutLoop):
    """The same for a guide that revises values."""

    def __init__(self, inner: RevisingGuide) -> None:
        super().__init__(inner)
        self.revise = inner.revise
