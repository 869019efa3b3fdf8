"""The error raised for invalid user input, and how it quotes what was invalid."""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Iterable

from phil.text import visible, visible_lines

LONGEST = 60  # characters of an invalid value quoted in an error
LONGEST_REASON = 200
LONGEST_LIST = 600  # characters of a list of names


class InputError(ValueError):
    """Invalid user input. The message says what is wrong, where, and what to do about it.

    It is a `ValueError`.

    Examples
    --------
    >>> import phil
    >>> try:
    ...     phil.load("euclidian")
    ... except phil.InputError as error:
    ...     print(str(error)[:60])
    unknown heuristic 'euclidian'; did you mean 'euclidean'? Kno
    """

    def __init__(self, message: str) -> None:
        # Much of it comes from files, and a traceback shows it on a terminal.
        super().__init__(visible_lines(message))


def unknown_name(kind: str, name: str, valid: Iterable[str]) -> InputError:
    """The error for an unknown name; it suggests the closest known one.

    >>> print(unknown_name("family", "forrest", ["forest", "mazes"]))
    unknown family 'forrest'; did you mean 'forest'? Known: forest, mazes
    """
    names = sorted(valid)
    near = difflib.get_close_matches(name[:LONGEST], names, n=1, cutoff=0.5)
    hint = f"; did you mean {shortened(near[0])}?" if near else "."
    return InputError(f"unknown {kind} {shortened(name)}{hint} Known: {listed(names)}")


def shortened(text: str) -> str:
    """Text as quoted in an error: cut, and with control characters escaped.

    >>> print(shortened("a tab\\t" + "and so on" * 10))
    'a tab\\tand so onand so onand so onand so onand so onand so on...'
    """
    return repr(text if len(text) <= LONGEST else f"{text[:LONGEST]}...")


class _Quotes(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 3
        self.maxlong = self.maxother = LONGEST

    def repr_str(self, x: str, level: int) -> str:
        return shortened(x)


def quoted(value: object) -> str:
    """Any value as quoted in an error.

    >>> quoted("a" * 100) == shortened("a" * 100), quoted(list(range(100)))
    (True, '[0, 1, 2, 3, 4, 5, ...]')
    """
    try:
        return visible(_Quotes().repr(value))
    except Exception:  # of its own repr
        return f"a value of type {type(value).__name__}"


def listed(names: Iterable[str]) -> str:
    """Names as listed in an error; the last ones are left out if there are too many.

    >>> listed(["b", "a"]), listed(map(str, range(10**6)))[-12:]
    ('b, a', '40, 141, ...')
    """
    shown: list[str] = []
    room = LONGEST_LIST
    for name in names:
        room -= len(name) + 2
        if room < 0:
            return ", ".join([*shown, "..."])
        shown.append(name)
    return ", ".join(shown)


def one_line(reason: object) -> str:
    """What another library says about invalid input: cut, and without control characters.

    >>> one_line(ValueError("bad\\nname: \\x1b[31m"))
    'bad name: ?[31m'
    """
    line = " ".join(str(reason)[: 2 * LONGEST_REASON].split())[:LONGEST_REASON]
    return "".join(character if character.isprintable() else "?" for character in line)
