"""Text from users and their files, made safe to show."""

from __future__ import annotations


def visible(text: str) -> str:
    r"""The text with every character escaped that a terminal or a browser would not just show.

    These are control characters, line breaks, characters without width, those that change the
    direction of text, and surrogates, which stand for undecodable bytes of a file name.

    >>> visible("a\x1b[31m b"), visible("é\u202e\udcff")
    ('a\\x1b[31m b', 'é\\u202e\\udcff')
    """
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def visible_lines(text: str) -> str:
    """Likewise, but lines stay lines."""
    return "\n".join(map(visible, text.split("\n")))


def cut(text: str, most: int) -> str:
    """Text of at most so many characters: without its middle if it is longer.

    >>> cut("from here to there and back", 16)
    'from her ... ack'
    """
    if len(text) <= most:
        return text
    rest = most - len(" ... ")
    return f"{text[: rest - rest // 3]} ... {text[-(rest // 3) :]}"


def number(value: float | None, digits: int = 1) -> str:
    """A number formatted for a table; a dash if there is none.

    >>> number(1234.56), number(None)
    ('1,234.6', '-')
    """
    return "-" if value is None else f"{value:,.{digits}f}"
