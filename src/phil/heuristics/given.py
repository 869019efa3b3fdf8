"""Heuristics in the forms that users have them: names, files and functions."""

from __future__ import annotations

from typing import Any

from phil.arguments import is_path
from phil.heuristics.function import forgiving
from phil.heuristics.registry import load_heuristic


def as_heuristic(given: Any) -> Any:
    """A heuristic from a name, a file or a function h(node, goal); NotImplemented if it is none.

    >>> as_heuristic("octile").name, as_heuristic(max).name
    ('octile', 'max')
    """
    if is_path(given):
        return load_heuristic(given)
    if callable(given) and not isinstance(given, type):
        return forgiving(given)
    return NotImplemented
