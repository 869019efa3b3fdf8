"""The one error that a user's input can cause."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """What the user gave cannot be used; the message says what, where and what to do."""


def unknown_name(kind: str, name: str, valid: Iterable[str]) -> InputError:
    """The error for a name that does not exist, with the nearest one that does.

    >>> print(unknown_name("family", "forrest", ["forest", "mazes"]))
    unknown family 'forrest'; did you mean 'forest'? Known: forest, mazes
    """
    names = sorted(valid)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"; did you mean '{near[0]}'?" if near else "."
    return InputError(f"unknown {kind} '{name}'{hint} Known: {', '.join(names)}")
