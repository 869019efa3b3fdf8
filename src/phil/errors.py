"""The error raised for invalid user input."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """Invalid user input. The message says what is wrong, where, and what to do about it."""


def unknown_name(kind: str, name: str, valid: Iterable[str]) -> InputError:
    """The error for an unknown name; it suggests the closest known one.

    >>> print(unknown_name("family", "forrest", ["forest", "mazes"]))
    unknown family 'forrest'; did you mean 'forest'? Known: forest, mazes
    """
    names = sorted(valid)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"; did you mean '{near[0]}'?" if near else "."
    return InputError(f"unknown {kind} '{name}'{hint} Known: {', '.join(names)}")
