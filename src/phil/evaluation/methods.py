"""Methods by name: a search and what guides it, written as `SEARCH(HEURISTIC)`."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from phil.errors import InputError, unknown_name
from phil.heuristics.catalog import BUILT_IN, load_heuristic, shipped_names
from phil.problems.problem import Problem
from phil.search import ASTAR, BFS, GREEDY, Key, Limits, Result, search
from phil.search.guide import Heuristic


@dataclass(frozen=True)
class Search:
    """A search that a method can name: its key, and the heuristic it takes."""

    key: Key
    default: str | None = None  # the heuristic when none is named; None: one must be named
    fixed: bool = False  # takes no other heuristic than the default


SEARCHES: dict[str, Search] = {
    "greedy": Search(GREEDY),
    "astar": Search(ASTAR, default="euclidean"),
    "bfs": Search(BFS, default="zero", fixed=True),
}

_CALL = re.compile(r"\s*(?P<name>\w+)\s*\((?P<arguments>.*)\)\s*", re.DOTALL)


@dataclass(frozen=True)
class Method:
    """A search with its heuristic, and the text that named it."""

    text: str
    key: Key
    heuristic: Heuristic

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
            limits=limits,
            trace=trace,
        )


def parse_method(text: str) -> Method:
    """The method that a text names.

    `greedy(H)` and `astar(H)` search with the heuristic H; a bare H means `greedy(H)`, `astar`
    means `astar(euclidean)`, and `bfs` takes none. H is a name such as `euclidean` or
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
    return Method(text, kind.key, load_heuristic(_heuristic_name(name, kind, arguments, text)))


def _bare_heuristic(text: str) -> str:
    # A mistyped word may have been meant as a search as well as a heuristic.
    names = [*SEARCHES, *BUILT_IN, *shipped_names()]
    if re.fullmatch(r"\w*", text) and text not in names and not (text and os.path.exists(text)):
        raise unknown_name("method", text, names)
    return text


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
