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
    TEXT,
    TEXTS,
    WHOLE,
    Kind,
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
