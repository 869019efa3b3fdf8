"""What the kinds of arguments accept, and what is said about the others."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phil.arguments import (
    AT_LEAST_1,
    FILE,
    FLAG,
    HASHABLE,
    ITERABLE,
    NOTHING,
    NUMBER,
    REAL,
    SIDES,
    TEXT,
    TEXTS,
    WHOLE,
    Kind,
    each,
    is_whole,
    later,
    takes,
)
from phil.errors import InputError

NAN = float("nan")


@pytest.mark.parametrize(
    ("kind", "fitting", "others"),
    [
        (WHOLE, [0, -3, 2**70, np.int8(1), np.uint64(5), np.array(7)], [1.0, True, np.bool_(True)]),
        (WHOLE, [], [None, "1", 1j, NAN, np.array([1]), np.array(1.0), Decimal(1)]),
        (NUMBER, [0, 1.5, float("inf"), np.float32(2), np.array(2.5), Fraction(1, 3)], [NAN]),
        (NUMBER, [], [True, "1", None, 1j, np.float64("nan"), 10**400, np.array([1.0])]),
        (REAL, [NAN, 1], [True, None, "nan"]),
        (TEXT, ["", np.str_("a")], [b"", None, 1]),
        (TEXTS, [[], ("a",), ["a", "b"]], ["ab", [1], None, iter(["a"])]),
        (FILE, ["a", Path("a"), ""], [b"a", None, "a\0b", 1]),
        (FLAG, [True, 0, None, "x", np.bool_(False), []], [np.array([1, 2])]),
        (ITERABLE, [[], (), {}, range(3), np.zeros(2), iter([])], ["text", b"", 1, np.array(1)]),
        (HASHABLE, [1, "a", (1, 2), None], [[], {}, ([],)]),
        (AT_LEAST_1 | NOTHING, [1, None], [0, -1, 1.5]),
    ],
)
def test_kinds(kind: Kind, fitting: list[Any], others: list[Any]) -> None:
    assert [value for value in fitting if not kind.fits(value)] == []
    assert [value for value in others if kind.fits(value)] == []


@takes(count=AT_LEAST_1, name=TEXT | NOTHING)
def repeat(name: str | None, count: int = 1, *, other: object = None) -> str:
    return (name or "") * count


def test_a_function_works_as_before() -> None:
    assert (repeat("ab"), repeat("ab", 2), repeat(name="ab", count=3)) == ("ab", "abab", "ababab")
    assert repeat(None, other=object()) == ""
    assert repeat.__name__ == "repeat"
    with pytest.raises(TypeError, match="missing"):
        repeat()  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        (("a", 0), {}, "repeat: count must be a whole number of at least 1, not 0"),
        (("a",), {"count": "x"}, "repeat: count must be a whole number of at least 1, not 'x'"),
        ((1.5,), {}, "repeat: name must be a text or None, not 1.5"),
    ],
)
def test_a_wrong_argument_is_named(
    arguments: tuple[Any, ...], named: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError) as error:
        repeat(*arguments, **named)
    assert str(error.value) == message


def length_of(value: Any) -> Any:
    return len(value) if isinstance(value, str) else NotImplemented


LENGTH = Kind("a length, or a text that has it", is_whole, length_of)


@takes(length=LENGTH, lengths=each(LENGTH, "lengths", alone=True) | NOTHING)
def measured(length: Any, lengths: Any = None, *, other: object = None) -> tuple[Any, Any]:
    return length, lengths


def test_what_can_be_understood_is_converted() -> None:
    assert measured("abc") == measured(length="abc") == measured(3) == (3, None)
    assert measured(1, ["abc", 4]) == measured(1, lengths=("abc", 4)) == (1, [3, 4])
    assert measured(1, "abc", other="abc") == (1, [3])
    assert measured(1, 5) == (1, [5])
    given = [1, 2]
    assert measured(1, given)[1] is given, "what fits is passed on as it is"


@pytest.mark.parametrize("wrong", [(1.5,), (1, [1.5]), (1, 1.5), (1, [None, "abc"])])
def test_what_cannot_be_understood_is_refused(wrong: Any) -> None:
    with pytest.raises(InputError, match=r"must be (a length, or a text|lengths or None)"):
        measured(*wrong)


def test_a_sequence_is_no_single_element_unless_it_says_so() -> None:
    with pytest.raises(InputError, match="the sides must be a tuple of whole numbers, not 5"):
        SIDES.take(5, "the sides")


def test_converters_are_imported_on_first_use() -> None:
    convert = later("math:sqrt")
    assert convert(4) == 2.0
    later("no_such_module:name")
