"""The structure of PNG files, checked before any pixel is decoded.

A small file can declare an image of any size, hide any amount of compressed text or further frames,
or end before its last row, which decoders fill with black. So the header, every chunk with its
checksum and the length of the pixel data are checked here, and only what pixels need is passed on.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from phil.errors import InputError
from phil.memory import check_memory

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_CELLS = 2**26  # 8192 x 8192: decoding a small file must not exhaust memory
MOST_CHUNKS = 2**18
PIECE = 2**20  # bytes decompressed at once
GREY, COLOUR, PALETTE, GREY_ALPHA, COLOUR_ALPHA = 0, 2, 3, 4, 6
SAMPLES = {GREY: 1, COLOUR: 3, PALETTE: 1, GREY_ALPHA: 2, COLOUR_ALPHA: 4}  # per pixel
DEPTHS = {GREY: (1, 2, 4, 8, 16), PALETTE: (1, 2, 4, 8)}  # bits per sample; of others, 8 or 16
# Peak memory while pixels become grey levels.
PIXEL_BYTES = {GREY: 8, PALETTE: 16, COLOUR: 18, GREY_ALPHA: 18, COLOUR_ALPHA: 18}
ROW_BYTES = 48

# The images that an interlaced one consists of: first row, first column, and the steps.
ADAM7 = (
    *((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4)),
    *((2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)),
)
WHOLE = ((0, 0, 1, 1),)


@dataclass(frozen=True)
class Header:
    """What the first chunk of a PNG file says."""

    columns: int
    rows: int
    depth: int  # bits per sample
    kind: int  # such as `GREY`
    compression: int
    filtering: int
    interlaced: int

    def check(self) -> None:
        """Raise an error for an image that cannot be, or that is too large."""
        if self.kind not in SAMPLES or self.depth not in DEPTHS.get(self.kind, (8, 16)):
            raise ValueError(f"there is no colour type {self.kind} of {self.depth} bits")
        if self.compression or self.filtering or self.interlaced > 1:
            raise ValueError("its compression, filter or interlace method is unknown")
        size = f"{self.rows} x {self.columns} cells"
        if not 0 < self.rows * self.columns <= MAX_CELLS:
            raise InputError(
                f"{size}; an image may have 1 to {MAX_CELLS} (8192 x 8192): scale or crop it"
            )
        need = self.rows * (ROW_BYTES + PIXEL_BYTES[self.kind] * self.columns)
        check_memory(need, f"an image of {size}")

    @property
    def raw_length(self) -> int:
        """The bytes of all pixels, uncompressed: every line has a byte for its filter."""
        bits = SAMPLES[self.kind] * self.depth
        total = 0
        for top, left, down, right in ADAM7 if self.interlaced else WHOLE:
            lines, width = -(-(self.rows - top) // down), -(-(self.columns - left) // right)
            if lines > 0 and width > 0:
                total += lines * (1 + (width * bits + 7) // 8)
        return total


@dataclass(frozen=True)
class Png:
    """A PNG image of which the structure is sound; its pixels are not decoded yet."""

    header: Header
    palette: bytes
    transparent: bytes  # the content of the chunk tRNS
    pixels: bytes  # compressed

    @property
    def content(self) -> bytes:
        """A PNG file with nothing but the pixels."""
        head = struct.pack(">IIBBBBB", *vars(self.header).values())
        optional = [(b"PLTE", self.palette), (b"tRNS", self.transparent)]
        chunks = [(b"IHDR", head), *(one for one in optional if one[1])]
        chunks += [(b"IDAT", self.pixels), (b"IEND", b"")]
        return SIGNATURE + b"".join(_chunk(*one) for one in chunks)


def read_structure(data: bytes) -> Png:
    """The structure of a PNG file; raises `ValueError` if it is damaged or too large."""
    if not data.startswith(SIGNATURE):
        raise ValueError("it does not start as a PNG does")
    chunks = _chunks(data)
    name, content = next(chunks)
    if name != b"IHDR" or len(content) != 13:
        raise ValueError("it does not start with a header")
    header = Header(*struct.unpack(">IIBBBBB", content))
    header.check()
    optional = {b"PLTE": b"", b"tRNS": b""}
    pixels: list[bytes] = []
    last = b""
    for name, content in chunks:
        if name == b"IDAT" and (not pixels or last == name):
            pixels.append(content)
        elif name in optional and not optional[name] and not pixels:
            optional[name] = content
        elif name != b"IEND" and name[:1].isupper():  # a critical chunk
            raise ValueError("a chunk is misplaced or unknown")
        last = name
    png = Png(header, optional[b"PLTE"], optional[b"tRNS"], b"".join(pixels))
    _check_colours(png)
    _check_length(png.pixels, header.raw_length)
    return png


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of a file, up to its end mark."""
    at = len(SIGNATURE)
    for _ in range(MOST_CHUNKS):
        size = int.from_bytes(data[at : at + 4], "big")
        end = at + 12 + size
        if end > len(data):
            raise ValueError("it is cut off")
        name, content = data[at + 4 : at + 8], data[at + 8 : end - 4]
        if _checksum(name, content) != data[end - 4 : end]:
            raise ValueError(f"the checksum of the chunk at byte {at} is wrong")
        yield name, content
        if name == b"IEND":
            return
        at = end
    raise ValueError(f"it has more than {MOST_CHUNKS} chunks")


def _check_colours(png: Png) -> None:
    """Reject a palette, or a transparent colour, that does not suit the kind of image."""
    kind, colours = png.header.kind, len(png.palette) // 3
    if len(png.palette) % 3 or (kind == PALETTE and not 0 < colours <= 2**png.header.depth):
        raise ValueError("its palette is missing or damaged")
    size = len(png.transparent)
    if size and (size > colours if kind == PALETTE else size != 2 * SAMPLES[kind]):
        raise ValueError("its transparent colour is damaged")


def _check_length(compressed: bytes, expected: int) -> None:
    """Reject pixel data that is too short or too long, without keeping it."""
    stream = zlib.decompressobj()
    rest, found = compressed, 0
    try:
        while not stream.eof and found <= expected:
            piece = stream.decompress(rest, PIECE)
            found += len(piece)
            rest = stream.unconsumed_tail
            if not piece and not rest:
                break
    except zlib.error as error:
        raise ValueError(f"its pixel data is damaged: {error}") from error
    if found != expected or not stream.eof:
        raise ValueError("its pixel data does not have the size that its header says")


def _checksum(name: bytes, content: bytes) -> bytes:
    return zlib.crc32(content, zlib.crc32(name)).to_bytes(4, "big")


def _chunk(name: bytes, content: bytes) -> bytes:
    return len(content).to_bytes(4, "big") + name + content + _checksum(name, content)
