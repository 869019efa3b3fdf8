"""A problem is a graph with a start and a goal; a problem set has three splits."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from importlib import import_module
from typing import Any

from phil.arguments import FUNCTION, NOTHING, NUMBER, TEXT, Kind, each, later, of_type, takes
from phil.errors import InputError, quoted, shortened, unknown_name
from phil.graphs import AnyGraph, ImplicitGraph
from phil.graphs.checks import SEARCHED
from phil.graphs.features import add_features
from phil.memory import check_memory
from phil.problems.lazy import LazyProblems

SPLITS = ("train", "validation", "test")
ALL = "all"
PROBLEM_BYTES = 300
VALIDATION_SHARE = 10  # training problems per validation problem


@dataclass(frozen=True, repr=False, init=False)
class Problem:
    """Find a path from a start to a goal.

    Parameters
    ----------
    graph : Graph, GridGraph or ImplicitGraph
        The graph to search, or what `phil.search` takes for one. Problems on an `ImplicitGraph`
        can be searched and evaluated; training needs graphs that are known in full.
    start, goal
        Nodes, as for `phil.search`: ids, cells, labels or nodes of a networkx graph. The problem
        keeps their ids, or the nodes of an implicit graph.
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
    >>> phil.Problem([[True, True], [False, True]], (0, 0), (1, 1))
    Problem('', (0, 0) -> (1, 1) on GridGraph(2x2, free=3, connectivity=8, corners=allow))
    """

    # All but searches need graphs that are known in full, so that is the type: whoever opens a
    # set of problems for them refuses implicit graphs (see `check_known`).
    graph: AnyGraph
    start: int
    goal: int
    name: str
    published: float | None

    def __init__(
        self,
        graph: AnyGraph | ImplicitGraph[Any] | Any,
        start: Any,
        goal: Any,
        name: str = "",
        published: float | None = None,
    ) -> None:
        found = SEARCHED.take(graph, "the graph of a problem")
        TEXT.check(name, "the name of a problem")
        (NUMBER | NOTHING).check(published, "the published cost of a problem")
        if isinstance(found, ImplicitGraph):
            ends = found, found.check_end(start, "start"), found.check_end(goal, "goal")
        else:
            ends = found.between(start, goal)
        fields = dict(zip(("graph", "start", "goal"), ends, strict=True))
        vars(self).update(fields, name=name, published=published)

    def __repr__(self) -> str:
        known = self.is_known
        start, goal = (
            quoted(self.graph.user_node(end) if known else end) for end in (self.start, self.goal)
        )
        return f"Problem({shortened(self.name)}, {start} -> {goal} on {self.graph!r})"

    @property
    def is_known(self) -> bool:
        """Whether its graph is known in full, unlike an `ImplicitGraph`."""
        return not isinstance(self.graph, ImplicitGraph)


_LISTED = each(of_type("a Problem", Problem), "a sequence of Problems", alone=True)
PROBLEMS = Kind(
    _LISTED.what,
    lambda value: isinstance(value, LazyProblems) or _LISTED.fits(value),
    _LISTED.convert,
)


class Problems(tuple[Problem, ...]):
    """Some problems; hundreds of them are shown by the first ones.

    >>> from phil.graphs import Graph
    >>> Problems([Problem(Graph.from_edges(2, [(0, 1)]), 0, 1, "mine")] * 60)
    <60 problems: Problem('mine', 0 -> 1 on Graph(nodes=2, edges=1, features=0, undirected)), ...>
    """

    def __repr__(self) -> str:
        if not self:
            return "<no problems>"
        more = ", ..." if len(self) > 1 else ""
        return f"<{len(self)} problem{'s' * (len(self) > 1)}: {self[0]!r}{more}>"

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        return Problems(found) if isinstance(place, slice) else found

    def __add__(self, others: Sequence[Any]) -> Any:
        return Problems((*self, *others)) if self or not others else others


def join(first: Sequence[Problem], *others: Sequence[Problem]) -> Sequence[Problem]:
    """Some problems and then others; lazy if they are lazy problems of one set."""
    joined: Any = first
    for more in others:
        joined = joined + more
    found: Sequence[Problem] = joined
    return found


def check_known(problems: Iterable[Problem], who: str) -> None:
    """Raise `InputError` if a problem is on an implicit graph; files hold no such problems."""
    for problem in () if isinstance(problems, LazyProblems) else problems:
        if not problem.is_known:
            raise InputError(
                f"{who} needs graphs that are known in full, not {problem.graph!r}; build one with "
                "graph.explored(start, most=...), or train on a phil.Domain"
            )


def for_learning(problems: ProblemSet, who: str) -> ProblemSet:
    """The set with all graphs to learn from in memory; raises `InputError` as `check_known`.

    Learning keeps their features and their oracle there, too. Test problems are left as they are.
    """
    for split in SPLITS:
        check_known(problems.split(split), who)
    return replace(
        problems, train=Problems(problems.train), validation=Problems(problems.validation)
    )


@dataclass(frozen=True, repr=False)
class ProblemSet:
    """Problems for training, validation and testing.

    Parameters
    ----------
    name : str
        The name of the set.
    train, validation, test : sequence of Problem, optional
        The three splits. They are kept as tuples; those of a set that is larger than memory (see
        `phil.open_set`) as sequences of problems that are read when they are used.

    Raises
    ------
    InputError
        If a split holds anything but problems.

    Examples
    --------
    >>> import phil
    >>> graph = phil.Graph.from_edges(3, [(0, 1), (1, 2)])
    >>> train, test = (phil.Problem(graph, 0, 2),), (phil.Problem(graph, 1, 2),)
    >>> phil.ProblemSet("mine", train=train, test=test)
    ProblemSet('mine', train=1, validation=0, test=1)
    """

    name: str
    train: Sequence[Problem] = ()
    validation: Sequence[Problem] = ()
    test: Sequence[Problem] = ()

    def __post_init__(self) -> None:
        TEXT.check(self.name, "the name of a problem set")
        for split in SPLITS:
            given = getattr(self, split)
            PROBLEMS.check(given, split)
            if not isinstance(given, LazyProblems):
                object.__setattr__(self, split, Problems(given))

    def __repr__(self) -> str:
        counts = ", ".join(f"{split}={len(self.split(split))}" for split in SPLITS)
        return f"ProblemSet({shortened(self.name)}, {counts})"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return str(import_module("phil.view.notebook").set_html(self))

    @cached_property
    def all(self) -> Sequence[Problem]:
        """Every problem of the set."""
        return join(self.train, self.validation, self.test)

    @takes(name=TEXT)
    def split(self, name: str) -> Sequence[Problem]:
        """Return the problems of one split.

        Parameters
        ----------
        name : {"train", "validation", "test", "all"}
            The split.

        Returns
        -------
        sequence of Problem
        """
        if name not in (*SPLITS, ALL):
            raise unknown_name("split", name, (*SPLITS, ALL))
        problems: Sequence[Problem] = getattr(self, name)
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
        return self.map(partial(_with_features, recipe))

    @takes(change=FUNCTION)
    def map(self, change: Callable[[Problem], Problem]) -> ProblemSet:
        """Return the set with every problem changed by a function.

        Problems that are read when they are used are changed then.

        Parameters
        ----------
        change : callable
            Returns the new problem for a problem.

        Returns
        -------
        ProblemSet
        """
        train, validation, test = (
            part.map(change) if isinstance(part, LazyProblems) else tuple(map(change, part))
            for part in map(self.split, SPLITS)
        )
        return ProblemSet(self.name, train, validation, test)


def _with_features(recipe: str, problem: Problem) -> Problem:
    return replace(problem, graph=add_features(problem.graph, recipe))


PROBLEM_SET = Kind(
    "a ProblemSet, or what phil.open_set takes for one: a name, a file or folder, a graph, or a "
    "list of problems or graphs",
    of_type("", ProblemSet).fits,
    later("phil.problems.registry:open_set"),
)


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
