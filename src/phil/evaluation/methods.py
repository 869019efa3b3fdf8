"""Methods by name: a search and its heuristics, such as `astar(octile)` or `wastar(octile, 2)`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import Any

from phil.arguments import FUNCTION, TEXT, of_type, takes
from phil.errors import InputError, unknown_name
from phil.heuristics.default import best_shipped
from phil.heuristics.given import as_heuristic
from phil.heuristics.registry import heuristics, load_heuristic, shipped_names
from phil.problems.problem import Problem
from phil.search.guide import Heuristic, traits_of
from phil.search.method import Method, NamedSearch, Solver
from phil.search.registry import searches
from phil.search.state import GREEDY

UNLEARNED = "greedy(euclidean)"  # the method if none is named and no shipped heuristic is used

_OPTION = re.compile(r"(?P<name>[a-z]+)\s*=\s*(?P<value>.*)", re.DOTALL)
_CALL = re.compile(r"\s*(?P<name>\w+)\s*\((?P<arguments>.*)\)\s*", re.DOTALL)


@takes(text=TEXT, load=FUNCTION)
def parse_method(text: str, *, load: Callable[[str], Heuristic] = load_heuristic) -> Solver:
    """Parse the name of a method.

    Parameters
    ----------
    text
        `SEARCH(HEURISTIC, ...)`, with numbers after the heuristics for searches that take some.
        `greedy(H)` and `astar(H)` search with the heuristic H; H alone means `greedy(H)`, `astar`
        means `astar(euclidean)`, and `bfs` and `dijkstra` take none. H is a name such as
        `euclidean` or `phil:forest`, or a heuristic file. `wastar(H, 2)` is weighted A*,
        `bounded(H, 1.5)` continues until its path costs at most 1.5 times the optimal cost,
        `depth(H, 0.8)` favours nodes far from the start, `bfws(H)` prefers novel nodes.
        `mha(H, H, ...)` alternates between several heuristics, and `mha(H, H, ..., w1, w2)` finds a
        path of at most w1 * w2 times the optimal cost. `hedge(H)` expands at most 4 times
        the nodes that `greedy(euclidean)` expands. `bidirectional(H)`, `bibfs`,
        `bidijkstra` and `biastar(H)` search from both ends; `bidirectional` alone
        means `bidijkstra`.

    load : callable, optional
        What gives the heuristic H; by default `phil.load`.

    Returns
    -------
    Solver
        A method for `phil.evaluate`; its `search` solves one problem.

    Raises
    ------
    InputError
        If there is no such search or heuristic, or the search takes other arguments.

    Examples
    --------
    >>> parse_method("mha(euclidean, manhattan, 2, 1.5)").bound
    3.0
    """
    known = searches()
    call = _CALL.fullmatch(text)
    if call:
        name, inside = call["name"], call["arguments"]
        arguments = [part.strip() for part in inside.split(",")] if inside.strip() else []
    elif text.strip() in known:
        name, arguments = known[text.strip()].bare or text.strip(), []
    else:
        name, arguments = "greedy", [_bare_heuristic(text.strip())]
    if name not in known:
        raise unknown_name("search", name, known)
    search = known[name]
    options = dict(filter(None, map(_option, arguments)))
    for option in options:
        if option not in search.options:
            raise InputError(f"method '{text}': {name} takes no '{option}'; write {search.example}")
    arguments = [each for each in arguments if _option(each) is None]
    names, numbers = _split(search, arguments, text)
    guides = [load(each) for each in (*names, *search.also)]
    chosen = {option: load(each) for option, each in options.items()}
    return search.make(text, guides, numbers, **chosen)


def as_heuristic_or_method(given: Any) -> Any:
    """A heuristic, or a method by name, in any form that users give; NotImplemented if neither.

    >>> as_heuristic_or_method("octile").name, as_heuristic_or_method("astar(octile)").text
    ('octile', 'astar(octile)')
    """
    if isinstance(given, str) and (_CALL.fullmatch(given) or given.strip() in searches()):
        return parse_method(given)
    return as_heuristic(given)


def as_method(given: Any) -> Any:
    """A method from its name, or greedy search with a heuristic; NotImplemented if neither.

    >>> as_method("bfs").text, as_method(load_heuristic("octile")).text
    ('bfs', 'octile')
    """
    if isinstance(given, str):
        return parse_method(given)
    heuristic = given if hasattr(given, "begin") else as_heuristic(given)
    if heuristic is NotImplemented or isinstance(heuristic, type):
        return NotImplemented
    return Method(str(getattr(heuristic, "name", type(heuristic).__name__)), GREEDY, heuristic)


@takes(problem=of_type("a Problem", Problem))
def default_method(problem: Problem) -> str:
    """The method of `phil.search` and `phil solve` if none is named.

    Parameters
    ----------
    problem
        The problem to be solved.

    Returns
    -------
    str
        `hedge(H)`, where H is the best shipped heuristic that fits the graph; `greedy(euclidean)`
        if none does.

    Examples
    --------
    >>> from phil.graphs import Graph
    >>> default_method(Problem(Graph.from_edges(2, [(0, 1)]), 0, 1))
    'greedy(euclidean)'
    """
    name = best_shipped(*problem.graph.between(problem.start, problem.goal))
    return UNLEARNED if name is None else f"hedge({name})"


def methods_help() -> str:
    """A paragraph that explains methods: every search and heuristic that has a name."""
    named = [_explained(_pattern(search), search.help) for search in searches().values()]
    guides = [_explained(name, traits_of(each).help) for name, each in sorted(heuristics().items())]
    return (
        f"A search and its heuristics: {', '.join(named)}. H is {', '.join(guides)}, phil:FAMILY "
        "(a shipped heuristic), a heuristic file, or your own: my_module:MyHeuristic or "
        "my_file.py:MyHeuristic."
    )


def _explained(name: str, words: str) -> str:
    return f"{name} ({words})" if words else name


def _pattern(search: NamedSearch) -> str:
    """The example of a search, with H for any heuristic."""
    return re.sub(r"(?<=[(\s])[a-z_]+(?=[,)])", "H", search.example)


def _bare_heuristic(text: str) -> str:
    # A mistyped word may have been meant as a search as well as a heuristic.
    names = [*searches(), *heuristics(), *shipped_names()]
    if re.fullmatch(r"\w*", text) and text not in names and not (text and os.path.exists(text)):
        raise unknown_name("method", text, names)
    return text


def _option(argument: str) -> tuple[str, str] | None:
    """The name and the value of an argument such as `lower=landmarks`."""
    found = _OPTION.fullmatch(argument)
    return None if found is None else (found["name"], found["value"])


def _split(
    search: NamedSearch, arguments: list[str], text: str
) -> tuple[Sequence[str], list[float]]:
    """Split the arguments of a method into heuristics and numbers."""
    names = list(arguments)
    numbers: list[float] = []
    while names and (number := _number(names[-1])) is not None:
        numbers.insert(0, number)
        names.pop()
    if names == [""]:
        names = []
    wanted = f"method '{text}': {search.name}"
    if search.most == 0 and arguments:
        raise InputError(f"{wanted} takes no heuristic; write {search.example}")
    misplaced = any(search.numbers) and any(_number(each) is not None for each in names)
    if len(numbers) not in search.numbers or misplaced:
        raise InputError(f"{wanted} takes {_takes(search)}, such as {search.example}")
    if len(names) > search.most:
        raise InputError(f"{wanted} takes one heuristic, not {len(names)}: {search.example}")
    if not all(names) or not (names or search.default):
        raise InputError(f"{wanted} needs a heuristic, such as {search.example}")
    return names or search.default, numbers


def _takes(search: NamedSearch) -> str:
    heuristics = "a heuristic" if search.most == 1 else "heuristics"
    counts = {0: "", 1: " and a number", 2: " and two numbers"}
    return " or ".join(
        heuristics + counts.get(count, f" and {count} numbers") for count in search.numbers
    )


def _number(text: str) -> float | None:
    """The number that a text stands for, if any; an int if it is whole."""
    try:
        return int(text) if re.fullmatch(r"[+-]?\d+", text) else float(text)
    except ValueError:
        return None
