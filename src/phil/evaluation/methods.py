"""Methods by name: a search and what guides it, written as `SEARCH(HEURISTIC)`.

The bounded search takes a number as well: `bounded(HEURISTIC, BOUND)`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from phil.errors import InputError, unknown_name
from phil.heuristics.catalog import BUILT_IN, load_heuristic, shipped_names
from phil.problems.problem import Problem
from phil.search import ASTAR, BFS, GREEDY, Key, Limits, Result, anytime, search
from phil.search.best_first import check_bound
from phil.search.guide import Heuristic


@dataclass(frozen=True)
class Search:
    """A search that a method can name: its key, and the heuristic it takes."""

    key: Key
    default: str | None = None  # the heuristic when none is named; None: one must be named
    fixed: bool = False  # takes no other heuristic than the default
    bounded: bool = False  # takes a bound on the path's cost after the heuristic


SEARCHES: dict[str, Search] = {
    "greedy": Search(GREEDY),
    "astar": Search(ASTAR, default="euclidean"),
    "bfs": Search(BFS, default="zero", fixed=True),
    "bounded": Search(GREEDY, bounded=True),
}

_CALL = re.compile(r"\s*(?P<name>\w+)\s*\((?P<arguments>.*)\)\s*", re.DOTALL)


@dataclass(frozen=True)
class Method:
    """A search with its heuristic, and the text that named it."""

    text: str
    key: Key
    heuristic: Heuristic
    bound: float | None = None

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
        """Search one problem for better and better paths, until the bound (1 if none) is met."""
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


def parse_method(text: str) -> Method:
    """The method that a text names.

    `greedy(H)` and `astar(H)` search with the heuristic H; a bare H means `greedy(H)`, `astar`
    means `astar(euclidean)`, and `bfs` takes none. `bounded(H, 1.5)` is greedy search that goes on
    until its path costs at most 1.5 times the least cost. H is a name such as `euclidean` or
    `phil:forest`, or a heuristic file.

    >>> parse_method("astar").heuristic.name
    'euclidean'
    >>> parse_method("manhattan").key == parse_method("greedy(manhattan)").key
    True
    """
    call = _CALL.fullmatch(text)
    if call:
        name, inside = call["name"], call["arguments"]
        arguments = [part.strip() for part in inside.split(",")] if inside.strip() else []
    elif text.strip() in SEARCHES:
        name, arguments = text.strip(), []
    else:
        name, arguments = "greedy", [_bare_heuristic(text.strip())]
    if name not in SEARCHES:
        raise unknown_name("search", name, SEARCHES)
    kind = SEARCHES[name]
    bound = _take_bound(name, arguments, text) if kind.bounded else None
    heuristic = load_heuristic(_heuristic_name(name, kind, arguments, text))
    return Method(text, kind.key, heuristic, bound)


def _bare_heuristic(text: str) -> str:
    # A mistyped word may have been meant as a search as well as a heuristic.
    names = [*SEARCHES, *BUILT_IN, *shipped_names()]
    if re.fullmatch(r"\w*", text) and text not in names and not (text and os.path.exists(text)):
        raise unknown_name("method", text, names)
    return text


def _take_bound(name: str, arguments: list[str], text: str) -> float:
    try:
        _, number = arguments
        bound = float(number)
    except ValueError as error:
        raise InputError(
            f"method '{text}': {name} takes a heuristic and a number, such as "
            f"{name}(euclidean, 1.5)"
        ) from error
    del arguments[1:]
    return check_bound(bound)


def _heuristic_name(name: str, kind: Search, arguments: list[str], text: str) -> str:
    if kind.fixed and arguments:
        raise InputError(f"method '{text}': {name} takes no heuristic; write {name}")
    if len(arguments) > 1:
        raise InputError(f"method '{text}': {name} takes one heuristic, not {len(arguments)}")
    if arguments and arguments[0]:
        return arguments[0]
    if kind.default is None:
        raise InputError(f"method '{text}': {name} needs a heuristic, such as {name}(euclidean)")
    return kind.default
