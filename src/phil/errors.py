"""The error raised for invalid user input."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

LONGEST = 60  # characters of invalid text quoted in an error
LONGEST_REASON = 200


class InputError(ValueError):
    """Invalid user input. The message says what is wrong, where, and what to do about it."""


def unknown_name(kind: str, name: str, valid: Iterable[str]) -> InputError:
    """The error for an unknown name; it suggests the closest known one.

    >>> print(unknown_name("family", "forrest", ["forest", "mazes"]))
    unknown family 'forrest'; did you mean 'forest'? Known: forest, mazes
    """
    names = sorted(valid)
    near = difflib.get_close_matches(name[:LONGEST], names, n=1, cutoff=0.5)
    hint = f"; did you mean '{near[0]}'?" if near else "."
    return InputError(f"unknown {kind} {shortened(name)}{hint} Known: {', '.join(names)}")


def shortened(text: str) -> str:
    """Text as quoted in an error: cut, and with control characters escaped.

    >>> print(shortened("a tab\\t" + "and so on" * 10))
    'a tab\\tand so onand so onand so onand so onand so onand so on...'
    """
    return repr(text if len(text) <= LONGEST else f"{text[:LONGEST]}...")


def one_line(reason: object) -> str:
    """What another library says about invalid input: cut, and without control characters.

    >>> one_line(ValueError("bad\\nname: \\x1b[31m"))
    'bad name: ?[31m'
    """
    line = " ".join(str(reason)[: 2 * LONGEST_REASON].split())[:LONGEST_REASON]
    return "".join(character if character.isprintable() else "?" for character in line)
