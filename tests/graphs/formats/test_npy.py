"""Arrays from the bytes of `.npy` files: plain ones, and no others."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.formats.npy import LONGEST_HEADER, array_from


def saved(array: NDArray[Any], version: tuple[int, int] | None = None) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array, version, allow_pickle=False)
    return stream.getvalue()


def with_header(text: str, body: bytes = b"", version: int = 1) -> bytes:
    length = len(text).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + length + text.encode("latin-1") + body


def described(shape: str, dtype: str = "'<i8'", order: str = "False") -> str:
    return f"{{'descr': {dtype}, 'fortran_order': {order}, 'shape': {shape}, }}"


@given(
    array=hnp.arrays(
        st.one_of(
            hnp.boolean_dtypes(),
            hnp.integer_dtypes(endianness="?"),
            hnp.floating_dtypes(endianness="?"),
            hnp.unicode_string_dtypes(endianness="?"),
            hnp.complex_number_dtypes(),
        ),
        hnp.array_shapes(min_dims=0, max_dims=4, max_side=4),
    ),
    by_column=st.booleans(),
    version=st.sampled_from([(1, 0), (2, 0)]),
)
def test_what_numpy_writes_is_read(
    array: NDArray[Any], by_column: bool, version: tuple[int, int]
) -> None:
    written = np.asfortranarray(array) if by_column else array
    found = array_from(saved(written, version), "a.npy")
    assert found.dtype == array.dtype
    np.testing.assert_array_equal(found, array)


def test_headers_of_other_programs_are_read() -> None:
    body = np.arange(6).tobytes()
    for text in (
        "{'shape': (2L, 3L), 'descr': '<i8', 'fortran_order': False}",
        "{'descr':'<i8','fortran_order':False,'shape':(2,3)}" + " " * 200 + "\n",
        "{ 'fortran_order' : False ,\n 'descr' : '<i8' , 'shape' : ( 2 , 3 , ) , }",
    ):
        for version in (1, 2):
            assert array_from(with_header(text, body, version), "a.npy").shape == (2, 3)


@pytest.mark.parametrize(
    "text",
    [
        "-" * 9000,
        "[" * 9000,
        "(" * 60000,
        "{" + "'a':" * 2000,
        described("(" + "-" * 9000 + "1,)"),
        described("(" + "1," * 4000 + ")"),
        described("(2, 3)" + " " * LONGEST_HEADER),
        described("(-1, 3)"),
        described("(2.0, 3)"),
        described("(1" + "0" * 30 + ",)"),
        described("(1e3,)"),
        described("2, 3"),
        described("(2, 3)", "[('a', '<i8')]"),
        described("(2, 3)", "'i8,i8'"),
        described("(2, 3)", "'(1000000000,)i8'"),
        described("(2, 3)", "'<i9'"),
        described("(2, 3)", "'|O'"),
        described("(2, 3)", order="1"),
        "{'descr': '<i8', 'shape': (2, 3)}",
        "{'shape': (1,), 'descr': '<i8', 'shape': (2, 3)}",
        "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 3), 'more': 1}",
        "__import__('os').abort()",
    ],
)
def test_other_headers_are_refused(text: str) -> None:
    for version in (1, 2):
        if version == 1 and len(text) >= 2**16:
            continue
        with pytest.raises(InputError, match=r"a\.npy is not a \.npy array of plain") as caught:
            array_from(with_header(text, bytes(48), version), "a.npy")
        assert len(str(caught.value)) < 500


def test_a_shape_that_the_bytes_do_not_fill_allocates_nothing() -> None:
    for shape in ("(1000000000000,)", "(999999999, 999999999, 999999999)", "(0, 1000000000000)"):
        with pytest.raises(InputError, match=r"a\.npy"):
            array_from(with_header(described(shape)), "a.npy")
    assert array_from(with_header(described("(0, 3)")), "a.npy").shape == (0, 3)


@pytest.mark.parametrize("order", ["<", ">"])
def test_text_with_characters_that_do_not_exist_is_refused(order: str) -> None:
    codes = np.array([0x10FFFF, 0x41], f"{order}u4")
    assert array_from(saved(codes.view(f"{order}U2")), "a.npy").tolist() == ["\U0010ffffA"]
    for impossible in (0x110000, 2**31, 2**32 - 1):
        codes[1] = impossible
        with pytest.raises(InputError, match="characters that do not exist"):
            array_from(saved(codes.view(f"{order}U2")), "a.npy")


def test_booleans_are_the_bytes_0_and_1() -> None:
    odd = np.array([[0, 1, 2], [255, 0, 128]], np.uint8).view(bool)
    for array in (odd, np.asfortranarray(odd)):
        found = array_from(saved(array), "a.npy")
        assert found.view(np.uint8).tolist() == [[0, 1, 1], [1, 0, 1]]
