"""The methods that a page may name, which are those of the command line, but for files and code.

A page never names a file or a module of this machine: heuristics are built in, registered by
plugins, shipped, given on the command line, or dropped onto the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from phil.errors import InputError, unknown_name
from phil.evaluation import parse_method
from phil.heuristics.registry import PREFIX, heuristics, load_heuristic, shipped_names
from phil.search.guide import Heuristic, traits_of
from phil.search.method import Method, Solver
from phil.search.registry import searches


def page_method(
    text: str, own: Mapping[str, Heuristic] | None = None, bound: float | None = None
) -> Solver:
    """The method that a page names.

    Parameters
    ----------
    text
        As on the command line.
    own : optional
        Heuristics that were dropped onto the page or given on the command line, by name.
    bound : float, optional
        A suboptimality bound.

    Raises
    ------
    InputError
        If there is no such method, it names a file, or it takes no bound.

    Examples
    --------
    >>> page_method("greedy(octile)", bound=1.5).bound
    1.5
    >>> page_method("/etc/passwd")
    Traceback (most recent call last):
    ...
    phil.errors.InputError: there is no heuristic '/etc/passwd' here; drop its file onto the page
    """
    method = parse_method(text, load=lambda name: _heuristic(name, own or {}))
    return method if bound is None else method.with_bound(bound)


def _heuristic(name: str, own: Mapping[str, Heuristic]) -> Heuristic:
    if name in own:
        return own[name]
    if name in heuristics() or name.startswith(PREFIX):
        return load_heuristic(name)
    if name.isidentifier():
        raise unknown_name("heuristic", name, [*heuristics(), *shipped_names(), *own])
    raise InputError(f"there is no heuristic '{name}' here; drop its file onto the page")


def listed_methods() -> list[dict[str, Any]]:
    """An example of every search, for the page.

    >>> [each["text"] for each in listed_methods()][:2]
    ['greedy(euclidean)', 'astar(euclidean)']
    """
    return [
        {"text": search.example, "help": search.help, **_abilities(search.example)}
        for search in searches().values()
    ]


def _abilities(example: str) -> dict[str, bool]:
    """Whether a method can be given a bound, and find better and better paths."""
    try:
        method = page_method(example)
    except Exception:  # a plug-in's search, which may fail in any way here
        return {"bound": False, "anytime": False}
    plain = isinstance(method, Method)
    return {"bound": plain and method.bound is None, "anytime": plain}


def listed_heuristics(own: Mapping[str, Heuristic]) -> list[dict[str, str]]:
    """The heuristics that methods can name, for the page."""
    known = [
        {"name": name, "help": traits_of(each).help} for name, each in sorted(heuristics().items())
    ]
    shipped = [{"name": name, "help": "shipped, learned"} for name in shipped_names()]
    return [*known, *shipped, *({"name": name, "help": "yours"} for name in own)]
