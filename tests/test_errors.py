"""Errors quote what users and files say, without letting it take over."""

from __future__ import annotations

from phil.errors import InputError, one_line, shortened, unknown_name

ESCAPE = "\x1b[31m"


def test_quoted_text_is_cut_and_its_control_characters_are_escaped() -> None:
    assert shortened("plain") == "'plain'"
    quoted = shortened(ESCAPE * 10**5)
    assert quoted.isprintable()
    assert len(quoted) < 200


def test_reasons_are_one_short_line() -> None:
    reason = one_line(ValueError(f"first\nsecond {ESCAPE}" + "x" * 10**6))
    assert reason.startswith("first second ?[31m")
    assert len(reason) <= 200


def test_an_unknown_name_of_any_length_is_told_quickly_and_briefly() -> None:
    error = unknown_name("family", "forrest" + ESCAPE * 10**6, ["forest", "mazes"])
    assert isinstance(error, InputError)
    assert str(error).isprintable()
    assert len(str(error)) < 500
