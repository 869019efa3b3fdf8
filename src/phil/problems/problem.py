"""A problem is a graph with a start and a goal; a problem set has three splits."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from phil.arguments import FUNCTION, NOTHING, NUMBER, TEXT, each, of_type, takes
from phil.errors import InputError, quoted, unknown_name
from phil.graphs import AnyGraph
from phil.graphs.checks import GRAPH
from phil.graphs.features import add_features
from phil.memory import check_memory

SPLITS = ("train", "validation", "test")
ALL = "all"
PROBLEM_BYTES = 300
VALIDATION_SHARE = 10  # training problems per validation problem


@dataclass(frozen=True, repr=False)
class Problem:
    """Find a path from a start to a goal.

    Parameters
    ----------
    graph : Graph or GridGraph
        The graph to search.
    start, goal : int
        Node ids. `GridGraph.node(row, column)` is the id of a cell.
    name : str, optional
        The name of the problem in results.
    published : float, optional
        The optimal path cost, if the source of the problem publishes it.

    Raises
    ------
    InputError
        If the start or the goal is not a node of the graph, or is an obstacle.

    Examples
    --------
    >>> import phil
    >>> graph = phil.Graph.from_edges(3, [(0, 1), (1, 2)])
    >>> phil.Problem(graph, 0, 2, "mine")
    Problem('mine', 0 -> 2 on Graph(nodes=3, edges=2, features=0, undirected))
    """

    graph: AnyGraph
    start: int
    goal: int
    name: str = ""
    published: float | None = None

    def __post_init__(self) -> None:
        GRAPH.check(self.graph, "the graph of a problem")
        TEXT.check(self.name, "the name of a problem")
        (NUMBER | NOTHING).check(self.published, "the published cost of a problem")
        self.graph.check_node(self.start, "start")
        self.graph.check_node(self.goal, "goal")

    def __repr__(self) -> str:
        return f"Problem({self.name!r}, {self.start} -> {self.goal} on {self.graph!r})"


PROBLEMS = each(of_type("a Problem", Problem), "a sequence of Problems")


@dataclass(frozen=True, repr=False)
class ProblemSet:
    """Problems for training, validation and testing.

    Parameters
    ----------
    name : str
        The name of the set.
    train, validation, test : tuple of Problem, optional
        The three splits.

    Examples
    --------
    >>> import phil
    >>> graph = phil.Graph.from_edges(3, [(0, 1), (1, 2)])
    >>> train, test = (phil.Problem(graph, 0, 2),), (phil.Problem(graph, 1, 2),)
    >>> phil.ProblemSet("mine", train=train, test=test)
    ProblemSet('mine', train=1, validation=0, test=1)
    """

    name: str
    train: tuple[Problem, ...] = ()
    validation: tuple[Problem, ...] = ()
    test: tuple[Problem, ...] = ()

    def __post_init__(self) -> None:
        TEXT.check(self.name, "the name of a problem set")
        for split in SPLITS:
            PROBLEMS.check(getattr(self, split), split)
            object.__setattr__(self, split, tuple(getattr(self, split)))

    def __repr__(self) -> str:
        counts = ", ".join(f"{split}={len(self.split(split))}" for split in SPLITS)
        return f"ProblemSet({self.name!r}, {counts})"

    @cached_property
    def all(self) -> tuple[Problem, ...]:
        """Every problem of the set."""
        return self.train + self.validation + self.test

    @takes(name=TEXT)
    def split(self, name: str) -> tuple[Problem, ...]:
        """Return the problems of one split.

        Parameters
        ----------
        name : {"train", "validation", "test", "all"}
            The split.

        Returns
        -------
        tuple of Problem
        """
        if name not in (*SPLITS, ALL):
            raise unknown_name("split", name, (*SPLITS, ALL))
        problems: tuple[Problem, ...] = getattr(self, name)
        return problems

    @takes(recipe=TEXT)
    def with_features(self, recipe: str) -> ProblemSet:
        """Return the same problems on graphs with further node features.

        Parameters
        ----------
        recipe : str
            The features to add (see `phil.add_features`); an empty recipe adds none.

        Returns
        -------
        ProblemSet

        Examples
        --------
        >>> import phil
        >>> graph = phil.Graph.from_edges(3, [(0, 1), (1, 2)])
        >>> problems = phil.ProblemSet("mine", test=(phil.Problem(graph, 0, 2),))
        >>> problems.with_features("degree").test[0].graph.feature_names
        ('degree',)
        """
        if not recipe:
            return self
        return self.map(lambda each: replace(each, graph=add_features(each.graph, recipe)))

    @takes(change=FUNCTION)
    def map(self, change: Callable[[Problem], Problem]) -> ProblemSet:
        """Return the set with every problem changed by a function."""
        train, validation, test = (tuple(map(change, self.split(split))) for split in SPLITS)
        return ProblemSet(self.name, train, validation, test)


def split_counts(usual: Mapping[str, int], count: int | None) -> dict[str, int]:
    """The number of problems per split: the usual ones, or derived from `count`.

    >>> split_counts({"train": 600, "validation": 60, "test": 100}, 50)
    {'train': 50, 'validation': 5, 'test': 50}
    """
    if count is None:
        return dict(usual)
    count = int(count)
    if count < 1:
        raise InputError(f"--count must be at least 1, not {count}")
    check_memory(2 * PROBLEM_BYTES * count, f"{quoted(2 * count)} problems")
    return {"train": count, "validation": max(1, count // VALIDATION_SHARE), "test": count}


def shuffled_split(names: Iterable[str]) -> dict[str, list[str]]:
    """Split distinct names 80/10/10, independently of machine and seed.

    They are shuffled by their SHA-256. A tenth, rounded but at least one, goes to `test`, as many
    to `validation`, the rest to `train`; two names are `train` and `validation`, one is `train`.

    >>> {split: len(part) for split, part in shuffled_split(map(str, range(20))).items()}
    {'train': 16, 'validation': 2, 'test': 2}
    """
    shuffled = sorted(set(names), key=_digest)
    tenth = max(1, round(len(shuffled) / 10))
    test = tenth if len(shuffled) > 2 else 0
    validation = tenth if len(shuffled) > 1 else 0
    return {
        "train": sorted(shuffled[test + validation :]),
        "validation": sorted(shuffled[test : test + validation]),
        "test": sorted(shuffled[:test]),
    }


def _digest(name: str) -> bytes:
    return hashlib.sha256(name.encode(errors="surrogateescape")).digest()
