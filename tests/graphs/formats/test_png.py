"""The structure of PNG files: what is declared is checked before it is decoded."""

from __future__ import annotations

import itertools
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.formats.image import grey_levels
from phil.graphs.formats.png import ADAM7, SIGNATURE

GREY, COLOUR, PALETTE, COLOUR_ALPHA = 0, 2, 3, 6
CELLS = np.array([[255, 0, 255], [0, 255, 255]], np.uint8)


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def header(columns: int, rows: int, depth: int = 8, kind: int = GREY, interlaced: int = 0) -> bytes:
    return chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, depth, kind, 0, 0, interlaced))


def file(*chunks: bytes) -> bytes:
    return SIGNATURE + b"".join(chunks) + chunk(b"IEND", b"")


def lines(cells: NDArray[np.uint8]) -> bytes:
    return b"".join(b"\0" + row.tobytes() for row in cells)


def pixels(cells: NDArray[np.uint8]) -> bytes:
    return chunk(b"IDAT", zlib.compress(lines(cells)))


PLAIN = file(header(3, 2), pixels(CELLS))


def read(data: bytes) -> list[list[int]]:
    levels: list[list[int]] = grey_levels(data, "map.png").tolist()
    return levels


def refused(data: bytes, words: str) -> None:
    with pytest.raises(InputError, match=rf"map\.png.*{words}"):
        read(data)


def test_no_beginning_of_a_file_is_a_file() -> None:
    assert read(PLAIN) == CELLS.tolist()
    for length in range(len(PLAIN)):
        refused(PLAIN[:length], "damaged or truncated PNG")


def test_what_follows_the_end_is_ignored() -> None:
    assert read(PLAIN + b"more") == CELLS.tolist()


def test_every_changed_bit_is_refused() -> None:
    for at, bit in itertools.product(range(len(PLAIN)), range(8)):
        changed = bytearray(PLAIN)
        changed[at] ^= 1 << bit
        refused(bytes(changed), "")


def test_missing_and_additional_rows_are_refused() -> None:
    words = "pixel data does not have the size that its header says"
    for rows in (1, 3, 1000):
        refused(file(header(3, rows), pixels(CELLS)), words)
    for columns in (1, 2, 4, 10):
        refused(file(header(columns, 2), pixels(CELLS)), words)
    refused(file(header(3, 2)), words)


def test_pixels_without_an_end_are_refused() -> None:
    whole = zlib.compress(lines(CELLS))
    for length in range(len(whole)):
        refused(file(header(3, 2), chunk(b"IDAT", whole[:length])), "pixel data")


@pytest.mark.parametrize("kind", [GREY, COLOUR, PALETTE, COLOUR_ALPHA])
def test_a_large_image_in_a_tiny_file_is_refused_before_it_is_decoded(kind: int) -> None:
    palette = chunk(b"PLTE", bytes(3)) if kind == PALETTE else b""
    data = file(header(8192, 8192, 8, kind), palette, chunk(b"IDAT", zlib.compress(b"")))
    assert len(data) < 100
    refused(data, "does not have the size")


def test_the_memory_that_pixels_need_is_checked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phil.memory.available_bytes", lambda: 2**29)
    for kind, depth in ((COLOUR_ALPHA, 8), (COLOUR_ALPHA, 16), (COLOUR, 16)):
        refused(file(header(8192, 8192, depth, kind)), "8192 x 8192 cells needs 1.2 GB of memory")


def test_an_image_that_is_too_wide_to_be_decoded_is_refused() -> None:
    columns = 2**26
    stream = zlib.compressobj(1)
    rows = stream.compress(bytes(4 * columns + 1)) + stream.flush()
    refused(file(header(columns, 1, 8, COLOUR_ALPHA), chunk(b"IDAT", rows)), "fit into memory")


def test_text_profiles_and_frames_are_not_read() -> None:
    bomb = zlib.compress(bytes(2**24))
    frame = struct.pack(">I", 0) + zlib.compress(lines(255 - CELLS))
    for extra in (
        chunk(b"zTXt", b"Comment\0\0" + bomb),
        chunk(b"iTXt", b"Comment\0\1\0\0\0" + bomb),
        chunk(b"iCCP", b"profile\0\0" + bomb),
        chunk(b"acTL", struct.pack(">II", 2**31 - 1, 0)) + chunk(b"fdAT", frame),
        chunk(b"tEXt", b"") * 1000,
    ):
        assert read(file(header(3, 2), extra, pixels(CELLS))) == CELLS.tolist()
        assert read(file(header(3, 2), pixels(CELLS), extra)) == CELLS.tolist()


def test_too_many_chunks_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phil.graphs.formats.png.MOST_CHUNKS", 100)
    refused(file(header(3, 2), chunk(b"tEXt", b"") * 100, pixels(CELLS)), "more than 100 chunks")


def test_interrupted_misplaced_and_unknown_chunks_are_refused() -> None:
    parts = zlib.compress(lines(CELLS))
    first, second = chunk(b"IDAT", parts[:5]), chunk(b"IDAT", parts[5:])
    assert read(file(header(3, 2), first, second)) == CELLS.tolist()
    refused(file(header(3, 2), first, chunk(b"tEXt", b""), second), "misplaced or unknown")
    refused(file(header(3, 2), pixels(CELLS), header(3, 2)), "misplaced or unknown")
    refused(file(header(3, 2), chunk(b"ABCD", b""), pixels(CELLS)), "misplaced or unknown")
    refused(file(pixels(CELLS), header(3, 2)), "does not start with a header")


@pytest.mark.parametrize(
    ("columns", "rows", "depth", "kind", "interlaced"),
    [
        *((3, 2, 3, GREY, 0), (3, 2, 8, 1, 0), (3, 2, 16, PALETTE, 0), (3, 2, 8, GREY, 2)),
        *((0, 2, 8, GREY, 0), (2**31, 2**31, 8, GREY, 0), (2**26 + 1, 1, 8, GREY, 0)),
    ],
)
def test_impossible_headers_are_refused(
    columns: int, rows: int, depth: int, kind: int, interlaced: int
) -> None:
    refused(file(header(columns, rows, depth, kind, interlaced), pixels(CELLS)), "")


def test_a_palette_must_hold_the_colours_of_all_pixels() -> None:
    indices = pixels(np.array([[0, 1, 0], [1, 0, 0]], np.uint8))
    white_black = chunk(b"PLTE", b"\xff\xff\xff\0\0\0")
    start = header(3, 2, 8, PALETTE)
    assert read(file(start, white_black, indices)) == CELLS.tolist()
    refused(file(start, indices), "palette is missing or damaged")
    refused(file(start, chunk(b"PLTE", b"\xff\xff"), indices), "palette is missing or damaged")
    refused(file(start, chunk(b"PLTE", bytes(3 * 257)), indices), "palette is missing or damaged")
    refused(file(start, chunk(b"PLTE", bytes(3)), indices), "a colour that is not in its palette")
    refused(file(start, white_black, white_black, indices), "misplaced")


def test_a_transparent_level_is_found_whatever_its_depth() -> None:
    for depth in (1, 2, 4):
        white = np.full((2, 1), 255, np.uint8)
        clear = chunk(b"tRNS", struct.pack(">H", 2**depth - 1))
        start = header(8 // depth, 2, depth)
        assert set(np.ravel(read(file(start, pixels(white))))) == {255}
        refused(file(start, clear, pixels(white)), "is transparent")
    refused(file(header(3, 2), chunk(b"tRNS", b"\0"), pixels(CELLS)), "transparent colour is")


@pytest.mark.parametrize("size", [(1, 1), (2, 5), (5, 2), (8, 8), (9, 17)])
def test_interlaced_images(size: tuple[int, int]) -> None:
    cells = (np.random.default_rng(0).random(size) < 0.5).astype(np.uint8) * np.uint8(255)
    passes = [cells[top::down, left::right] for top, left, down, right in ADAM7]
    body = b"".join(lines(part) for part in passes if part.size)
    rows, columns = size
    start = header(columns, rows, interlaced=1)
    assert read(file(start, chunk(b"IDAT", zlib.compress(body)))) == cells.tolist()
    refused(file(start, chunk(b"IDAT", zlib.compress(body[:-1]))), "does not have the size")


def test_the_file_is_named_in_a_map_of_ros(tmp_path: Path) -> None:
    from phil.graphs.formats import read_graph

    (tmp_path / "map.png").write_bytes(PLAIN[:-20])
    (tmp_path / "map.yaml").write_text(
        "image: map.png\nresolution: 1\norigin: [0, 0, 0]\nnegate: 0\n"
        "occupied_thresh: 0.65\nfree_thresh: 0.196\n"
    )
    with pytest.raises(InputError, match=r"map\.png is a damaged or truncated PNG"):
        read_graph(tmp_path / "map.yaml")
