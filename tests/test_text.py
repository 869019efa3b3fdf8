"""Text from users and files, as messages show it."""

from __future__ import annotations

import pickle

from hypothesis import given
from hypothesis import strategies as st

from phil.errors import LONGEST, LONGEST_LIST, InputError, listed, quoted, unknown_name
from phil.text import cut, visible

ANY_TEXT = st.text(st.characters())  # surrogates included


@given(ANY_TEXT)
def test_visible_text_has_only_characters_that_can_be_shown(text: str) -> None:
    shown = visible(text)
    assert shown.isprintable()
    assert shown.encode().decode() == shown
    assert (shown == text) == text.isprintable()


@given(ANY_TEXT)
def test_errors_are_visible_lines(text: str) -> None:
    error = InputError(text)
    assert all(line.isprintable() for line in str(error).split("\n"))
    assert str(error).count("\n") == text.count("\n")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@given(ANY_TEXT, st.integers(20, 200))
def test_cut_text_keeps_both_ends(text: str, most: int) -> None:
    short = cut(text, most)
    assert len(short) <= most
    assert short == text or (text.startswith(short[:5]) and text.endswith(short[-5:]))


def test_unknown_names_are_quoted_and_short() -> None:
    error = unknown_name("set", "\x1b" * 10_000, map(str, range(10_000)))
    assert "\x1b" not in str(error)
    assert len(str(error)) < 6 * LONGEST + LONGEST_LIST
    assert str(error).endswith(", ...")


def test_any_value_can_be_quoted() -> None:
    class Rude:
        def __repr__(self) -> str:
            raise ValueError("no")

    for value in (Rude(), [Rude()], "x" * 10**6, b"x" * 10**6, [[[[[1]]]]] * 10**5, 10**5000, None):
        assert len(quoted(value)) < 20 * LONGEST
    assert listed([]) == ""
