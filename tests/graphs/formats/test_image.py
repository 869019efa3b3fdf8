"""Maps from PNG and .npy files: what is read, and what is refused with which words."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from PIL import Image

from phil.errors import InputError
from phil.graphs.formats.image import read_map
from phil.graphs.formats.png import MAX_CELLS

CELLS = np.array([[True, False, True], [False, True, True]])
maps = hnp.arrays(bool, hnp.array_shapes(min_dims=2, max_dims=2, max_side=40)).filter(np.any)


def png(picture: Image.Image, **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "png", **options)
    return buffer.getvalue()


def grey(levels: NDArray[np.generic] | list[list[int]]) -> Image.Image:
    return Image.fromarray(np.array(levels, np.uint8))


def black_and_white() -> Image.Image:
    return grey(CELLS * np.uint8(255))


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


@given(cells=maps, mode=st.sampled_from(["1", "L", "LA", "P", "RGB", "RGBA", "I;16"]))
def test_png_round_trip_in_every_mode(
    tmp_path_factory: pytest.TempPathFactory, cells: NDArray[np.bool_], mode: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "round_trip.png"
    if mode == "I;16":
        picture = Image.fromarray(cells * np.uint16(65535))
    else:
        picture = grey(cells * np.uint8(255)).convert(mode)
    assert picture.mode == mode
    path.write_bytes(png(picture))
    np.testing.assert_array_equal(read_map(path), cells)


@given(cells=maps, dtype=st.sampled_from(["?", "u1", "i8", ">i4"]), fortran=st.booleans())
def test_npy_round_trip(
    tmp_path_factory: pytest.TempPathFactory,
    cells: NDArray[np.bool_],
    dtype: str,
    fortran: bool,
) -> None:
    path = tmp_path_factory.getbasetemp() / "round_trip.npy"
    np.save(path, np.asarray(cells.astype(dtype), order="F" if fortran else "C"))
    free = read_map(path)
    assert free.dtype == bool
    np.testing.assert_array_equal(free, cells)


def test_content_decides_not_the_ending(tmp_path: Path) -> None:
    (tmp_path / "picture.npy").write_bytes(png(black_and_white()))
    with open(tmp_path / "array.png", "wb") as stream:
        np.save(stream, CELLS)
    for name in ("picture.npy", "array.png"):
        np.testing.assert_array_equal(read_map(tmp_path / name), CELLS)


def test_levels_near_black_and_white_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "map.png"
    path.write_bytes(png(grey([[0, 63, 192, 255]])))
    assert read_map(path).tolist() == [[False, False, True, True]]


@pytest.mark.parametrize("level", [64, 127, 128, 191])
def test_grey_is_refused_with_its_place(tmp_path: Path, level: int) -> None:
    path = tmp_path / "grey.png"
    path.write_bytes(png(grey([[255, 255], [255, level]])))
    with pytest.raises(InputError, match=f"row 1, column 1 has grey level {level}.*threshold"):
        read_map(path)


def test_a_grey_level_of_16_bits_is_scaled(tmp_path: Path) -> None:
    path = tmp_path / "wide.png"
    path.write_bytes(png(Image.fromarray(np.array([[65535, 32768]], np.uint16))))
    with pytest.raises(InputError, match="row 0, column 1 has grey level 128"):
        read_map(path)


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(png(black_and_white().convert("1"), transparency=0), id="1"),
        pytest.param(png(black_and_white(), transparency=0), id="L"),
        pytest.param(png(black_and_white().convert("RGB"), transparency=(0, 0, 0)), id="RGB"),
        pytest.param(png(black_and_white().convert("P"), transparency=0), id="P"),
        pytest.param(
            png(Image.fromarray(CELLS * np.uint16(65535)), transparency=0),
            id="I;16",
        ),
        pytest.param(
            png(Image.merge("LA", [black_and_white(), black_and_white()])),
            id="LA",
        ),
    ],
)
def test_a_transparent_pixel_is_refused(tmp_path: Path, picture: bytes) -> None:
    path = tmp_path / "clear.png"
    path.write_bytes(picture)
    with pytest.raises(InputError, match="row 0, column 1 is transparent"):
        read_map(path)


def test_a_1x1_map(tmp_path: Path) -> None:
    path = tmp_path / "one.png"
    path.write_bytes(png(grey([[255]])))
    assert read_map(path).tolist() == [[True]]


def test_an_all_blocked_map_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "black.png"
    path.write_bytes(png(grey([[0, 1], [1, 1]])))
    with pytest.raises(InputError, match=r"black\.png: every cell is blocked"):
        read_map(path)


def test_a_cut_png_is_refused_wherever_it_is_cut(tmp_path: Path) -> None:
    whole = png(grey(np.random.default_rng(0).integers(0, 2, (30, 30)) * 255))
    path = tmp_path / "cut.png"
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(InputError, match=r"cut\.png"):
            read_map(path)


@given(data=st.data())
def test_a_changed_byte_is_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    whole = bytearray(png(black_and_white()))
    at = data.draw(st.integers(0, len(whole) - 1))
    whole[at] ^= data.draw(st.integers(1, 255))
    path = tmp_path_factory.getbasetemp() / "changed.png"
    path.write_bytes(whole)
    with pytest.raises(InputError, match=r"changed\.png"):
        read_map(path)


@given(body=st.binary(max_size=200), magic=st.sampled_from([b"", b"\x93NUMPY\x01\x00"]))
def test_foreign_bytes_are_refused(
    tmp_path_factory: pytest.TempPathFactory, magic: bytes, body: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "foreign"
    path.write_bytes(magic + body)
    with pytest.raises(InputError, match="foreign"):
        read_map(path)


@pytest.mark.parametrize("header", ["{'descr': (", "{'descr': '|b1'}", "[" * 90, "(1,", "'"])
def test_a_foreign_npy_header_is_refused(tmp_path: Path, header: str) -> None:
    path = tmp_path / "map.npy"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    with pytest.raises(InputError, match=r"not a \.npy array"):
        read_map(path)


def test_a_bomb_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    path = tmp_path / "bomb.png"
    header = struct.pack(">IIBBBBB", MAX_CELLS, 2, 1, 0, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IEND", b""))
    with pytest.raises(InputError, match=r"bomb\.png: 2 x .* cells; an image may have 1 to"):
        read_map(path)


def test_an_npy_header_that_promises_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.npy"
    np.save(path, np.ones((2, 3), bool))
    path.write_bytes(path.read_bytes().replace(b"(2, 3), }      ", b"(200000, 300000), }"[:15]))
    with pytest.raises(InputError, match=r"long\.npy"):
        read_map(path)


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.ones(3, bool), "2D"),
        (np.ones((0, 3), bool), "empty"),
        (np.ones((2, 2)), "float64"),
        (np.array([[0, 255]]), "1 and 0"),
        (np.array([["a"]]), "True"),
    ],
)
def test_arrays_that_are_no_maps(tmp_path: Path, array: NDArray[np.generic], words: str) -> None:
    path = tmp_path / "map.npy"
    np.save(path, array)
    with pytest.raises(InputError, match=words):
        read_map(path)


def test_a_pickled_array_is_never_loaded(tmp_path: Path) -> None:
    path = tmp_path / "objects.npy"
    np.save(path, np.array([[{}]], dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match=r"not a \.npy array of plain numbers"):
        read_map(path)


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "empty file"), (b"not a picture", "neither a PNG"), (b"\xff\xd8\xff\xe0", "neither")],
)
def test_files_that_are_no_maps(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "map.png"
    path.write_bytes(content)
    with pytest.raises(InputError, match=words):
        read_map(path)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*gone\.png: No such file"):
        read_map(tmp_path / "gone.png")
    with pytest.raises(InputError, match="cannot read"):
        read_map(tmp_path)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"source,target\na,b\n", r"a graph \(CSV .*\), which phil\.read_graph reads"),
        (b"type octile\nheight 1\nwidth 1\nmap\n.\n", r"a map \(MovingAI .*phil\.read_graph"),
    ],
)
def test_a_file_that_another_function_reads(tmp_path: Path, content: bytes, what: str) -> None:
    path = tmp_path / "some.file"
    path.write_bytes(content)
    with pytest.raises(InputError, match=what):
        read_map(path)
