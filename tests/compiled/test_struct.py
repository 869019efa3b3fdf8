"""Structs: what kernels see of them, and what they refuse."""

from __future__ import annotations

import pickle
from typing import Annotated

import numpy as np
import pytest

from phil.compiled import Array1, Array2, Array3, Struct, kernel

POINT = np.dtype([("x", np.float64), ("name", np.int32)])


class Inner(Struct):
    numbers: Array1[np.int64]
    factor: float


class Outer(Struct):
    cube: Array3[np.float32]
    table: Array2[np.float64]
    points: Annotated[np.ndarray[tuple[int], np.dtype[np.void]], 1, POINT]
    inner: Inner
    many: tuple[Inner, ...]
    number: int
    flag: bool


def inner(*numbers: int, factor: float = 0.5) -> Inner:
    return Inner(np.array(numbers, np.int64), factor)


def outer() -> Outer:
    points = np.zeros(2, POINT)
    points["name"] = 5, 6
    return Outer(
        cube=np.arange(24, dtype=np.float32).reshape(2, 3, 4),
        table=np.arange(6.0).reshape(2, 3),
        points=points,
        inner=inner(7, 8),
        many=(inner(1), inner(2, 3, factor=2.0)),
        number=-(2**40),
        flag=True,
    )


@kernel
def read(outer: Outer, seen: np.ndarray[tuple[int], np.dtype[np.float64]]) -> int:
    seen[0] = outer.cube[1, 2, 3]
    seen[1] = outer.table[1, 0]
    seen[2] = outer.points[1].name
    seen[3] = outer.inner.numbers[1] * outer.inner.factor
    for number in range(len(outer.many)):
        each = outer.many[number]
        seen[4] += each.numbers.size * each.factor
    seen[5] = outer.number if outer.flag else 0
    outer.table[0, 0] = 9.0
    return int(outer.cube.shape[0] * 100 + outer.cube.shape[1] * 10 + outer.cube.shape[2])


def test_a_kernel_sees_every_kind_of_field() -> None:
    given, seen = outer(), np.zeros(6)
    assert read(given, seen) == 234
    assert seen.tolist() == [23.0, 3.0, 6.0, 4.0, 4.5, -(2.0**40)]
    assert given.table[0, 0] == 9.0


def test_an_assigned_field_is_seen_by_the_next_call() -> None:
    given, seen = outer(), np.zeros(6)
    given.inner = inner(0, 10, factor=3.0)
    given.many = ()
    given.flag = False
    read(given, seen)
    assert seen.tolist()[3:] == [30.0, 0.0, 0.0]


def test_replacing_leaves_the_original_alone() -> None:
    given = outer()
    other, seen = given.replace(number=3), np.zeros(6)
    read(other, seen)
    assert (seen[5], given.number, other.number) == (3.0, -(2**40), 3)
    assert other.cube is given.cube


def test_one_version_serves_arrays_of_any_origin() -> None:
    given, seen = outer(), np.zeros(6)
    read(given, seen)
    fixed = given.cube.copy()
    fixed.flags.writeable = False
    read(given.replace(cube=fixed), seen)
    assert len(read.signatures) == 1  # type: ignore[attr-defined]


def test_a_struct_can_be_sent_to_another_process() -> None:
    seen, sent = np.zeros(6), np.zeros(6)
    read(outer(), seen)
    read(pickle.loads(pickle.dumps(outer())), sent)
    assert sent.tolist() == seen.tolist()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("table", np.zeros(3), "float64 with 2 axes is needed, not float64 with 1"),
        ("table", np.zeros((2, 3), np.float32), "not float32"),
        ("table", np.zeros((3, 2)).T, "contiguous"),
        ("table", [[1.0]], "an array is needed, not list"),
        ("inner", np.zeros(1), "Inner is needed"),
        ("many", (1,), "Inner is needed"),
        ("number", 1.5, "number"),
    ],
)
def test_a_value_of_another_type_is_refused(name: str, value: object, message: str) -> None:
    given = outer()
    with pytest.raises(TypeError, match=message):
        setattr(given, name, value)


def test_all_fields_must_be_given_and_no_others() -> None:
    with pytest.raises(TypeError, match="Inner takes numbers, factor"):
        Inner(np.zeros(1, np.int64))
    with pytest.raises(AttributeError, match="no field 'numbres'"):
        inner(1).numbres = np.zeros(1)
