"""Methods by name: a search and what guides it, such as `astar(octile)` or `wastar(octile, 2)`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, isfinite

from phil.errors import InputError, unknown_name
from phil.evaluation.solvers import Method, MultiHeuristicMethod, Solver
from phil.heuristics.catalog import BUILT_IN, load_heuristic, shipped_names
from phil.heuristics.novelty import Novelty
from phil.search import ASTAR, BFS, GREEDY, Key
from phil.search.best_first import check_bound
from phil.search.guide import Heuristic
from phil.search.mha import check_weights

Heuristics = Sequence[Heuristic]
Numbers = Sequence[float]


@dataclass(frozen=True)
class Search:
    """A search that a method can name: what it takes, and what it then is."""

    make: Callable[[str, Heuristics, Numbers], Solver]  # from the text and what stands in it
    example: str
    default: tuple[str, ...] = ()  # the heuristics when none is named; none: one must be named
    most: float = 1  # how many heuristics it takes
    numbers: tuple[int, ...] = (0,)  # how many numbers may stand after them


def _by_key(key: Key) -> Callable[[str, Heuristics, Numbers], Method]:
    return lambda text, heuristics, numbers: Method(text, key, heuristics[0])


def _bounded(text: str, heuristics: Heuristics, numbers: Numbers) -> Method:
    return Method(text, GREEDY, heuristics[0], check_bound(numbers[0]))


def _weighted(text: str, heuristics: Heuristics, numbers: Numbers) -> Method:
    if not (numbers[0] >= 1 and isfinite(numbers[0])):
        raise InputError(f"method '{text}': the weight of A* must be 1 or more, and finite")
    return Method(text, Key(g=1.0, h=numbers[0]), heuristics[0])


def _deep(text: str, heuristics: Heuristics, numbers: Numbers) -> Method:
    if not isfinite(numbers[0]):
        raise InputError(f"method '{text}': the weight of the depth must be finite")
    return Method(text, Key(g=0.0, h=1.0, depth=-numbers[0]), heuristics[0])


def _novel(text: str, heuristics: Heuristics, numbers: Numbers) -> Method:
    return Method(text, GREEDY, Novelty(heuristics[0]))


def _multi(text: str, heuristics: Heuristics, numbers: Numbers) -> MultiHeuristicMethod:
    weights = check_weights(*numbers) if numbers else None
    return MultiHeuristicMethod(text, tuple(heuristics), weights)


SEARCHES: dict[str, Search] = {
    "greedy": Search(_by_key(GREEDY), "greedy(euclidean)"),
    "astar": Search(_by_key(ASTAR), "astar(euclidean)", default=("euclidean",)),
    "wastar": Search(_weighted, "wastar(euclidean, 2)", default=("euclidean",), numbers=(1,)),
    "bfs": Search(_by_key(BFS), "bfs", default=("zero",), most=0),
    "bounded": Search(_bounded, "bounded(euclidean, 1.5)", numbers=(1,)),
    "depth": Search(_deep, "depth(euclidean, 0.8)", numbers=(1,)),
    "bfws": Search(_novel, "bfws(euclidean)"),
    "mha": Search(
        _multi,
        "mha(euclidean, manhattan, 2, 2)",
        default=("euclidean", "manhattan", "obstacles"),  # as SaIL's authors have it
        most=inf,
        numbers=(0, 2),
    ),
}

_CALL = re.compile(r"\s*(?P<name>\w+)\s*\((?P<arguments>.*)\)\s*", re.DOTALL)


def parse_method(text: str) -> Solver:
    """The method that a text names.

    `greedy(H)` and `astar(H)` search with the heuristic H; a bare H means `greedy(H)`, `astar`
    means `astar(euclidean)`, and `bfs` takes none. H is a name such as `euclidean` or
    `phil:forest`, or a heuristic file. Numbers stand behind: `wastar(H, 2)` is weighted A*,
    `bounded(H, 1.5)` goes on until its path costs at most 1.5 times the least cost, `depth(H, 0.8)`
    favours nodes far from the start. `bfws(H)` prefers novel nodes. `mha(H, H, ...)` takes several
    heuristics in turn, and `mha(H, H, ..., w1, w2)` gives a path of at most w1 * w2 times the least
    cost.

    >>> parse_method("mha(euclidean, manhattan, 2, 1.5)").bound
    3.0
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
    names, numbers = _split(name, kind, arguments, text)
    return kind.make(text, [load_heuristic(each) for each in names], numbers)


def _bare_heuristic(text: str) -> str:
    # A mistyped word may have been meant as a search as well as a heuristic.
    names = [*SEARCHES, *BUILT_IN, *shipped_names()]
    if re.fullmatch(r"\w*", text) and text not in names and not (text and os.path.exists(text)):
        raise unknown_name("method", text, names)
    return text


def _split(
    name: str, kind: Search, arguments: list[str], text: str
) -> tuple[Sequence[str], list[float]]:
    """The heuristics and the numbers among the arguments."""
    names = list(arguments)
    numbers: list[float] = []
    while names and (number := _number(names[-1])) is not None:
        numbers.insert(0, number)
        names.pop()
    if names == [""]:
        names = []
    wanted = f"method '{text}': {name}"
    if kind.most == 0 and arguments:
        raise InputError(f"{wanted} takes no heuristic; write {kind.example}")
    if len(numbers) not in kind.numbers or _misplaced(kind, names):
        raise InputError(f"{wanted} takes {_takes(kind)}, such as {kind.example}")
    if len(names) > kind.most:
        raise InputError(f"{wanted} takes one heuristic, not {len(names)}: {kind.example}")
    if not all(names) or not (names or kind.default):
        raise InputError(f"{wanted} needs a heuristic, such as {kind.example}")
    return names or kind.default, numbers


def _misplaced(kind: Search, names: list[str]) -> bool:
    return any(kind.numbers) and any(_number(each) is not None for each in names)


def _takes(kind: Search) -> str:
    heuristics = "a heuristic" if kind.most == 1 else "heuristics"
    counts = {0: "", 1: " and a number", 2: " and two numbers"}
    return " or ".join(heuristics + counts[count] for count in kind.numbers)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
