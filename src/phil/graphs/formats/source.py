"""The bytes and lines of a graph file, plain or gzipped (recognised by content, not extension).

Sizes are checked during decompression, so a gzip bomb is rejected after `SMALL` bytes.
"""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO, cast

from phil.arguments import FILE
from phil.errors import InputError, one_line
from phil.files import check_regular
from phil.memory import check_memory

GZIP_SIGNATURE = b"\x1f\x8b"
LIMIT = 2**29  # bytes per file, decompressed
SMALL = 2**24  # bytes to which any gzip file may expand: its graph takes less than 1 GB
RATIO = 64  # expansion allowed beyond that: text compresses about 10-fold, bombs 1000-fold
PIECE = 2**20
HEAD = 4096  # bytes needed to recognise any format
MOST_LINES = 2**22  # a list of lines takes many times the memory of its bytes


def read_bytes(path: str | Path, limit: int = LIMIT) -> bytes:
    """Read the content of a file, decompressed if it is gzipped.

    Parameters
    ----------
    path : str or Path
        The file.
    limit : int, optional
        The maximum number of bytes, decompressed.

    Returns
    -------
    bytes

    Raises
    ------
    InputError
        If the file cannot be read, is empty or too large, or does not fit into memory.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "edges"
    ...     _ = path.write_bytes(gzip.compress(b"0 1"))
    ...     read_bytes(path)
    b'0 1'
    """
    with _opened(path) as stream:
        packed = stream.peek(2)[:2] == GZIP_SIGNATURE
        size = os.fstat(stream.fileno()).st_size
        if packed:
            limit = min(limit, max(SMALL, RATIO * size))
        elif size > limit:
            raise _too_large(path, limit)
        check_memory(2 * size, f"{path}: a file of {size} bytes")
        source = cast(BinaryIO, gzip.GzipFile(fileobj=stream)) if packed else stream
        content = io.BytesIO()  # `getvalue` shares its memory; joining pieces would copy it
        while piece := source.read(PIECE):
            if content.tell() + len(piece) > limit:
                raise _too_large(path, limit)
            content.write(piece)
    if not content.tell():
        raise _empty(path)
    return content.getvalue()


@contextmanager
def seekable(path: str | Path) -> Iterator[io.BufferedReader]:
    """The content of a file to read parts of: the file itself, or in memory if it is gzipped."""
    with _opened(path) as stream:
        if not (start := stream.peek(2)[:2]):
            raise _empty(path)
        if start == GZIP_SIGNATURE:
            stream = io.BufferedReader(io.BytesIO(read_bytes(path)))
        yield stream


def read_head(path: str | Path, count: int = HEAD) -> bytes:
    """The first bytes of a file, decompressed if it is gzipped: enough to recognise its format."""
    with _opened(path) as stream:
        packed = stream.peek(2)[:2] == GZIP_SIGNATURE
        source = cast(BinaryIO, gzip.GzipFile(fileobj=stream)) if packed else stream
        head = source.read(count)
    if not head:
        raise _empty(path)
    return head


def read_lines(path: str | Path) -> list[bytes]:
    """Read the lines of a file, without line endings and trailing blank lines.

    Parameters
    ----------
    path : str or Path
        The file, plain or gzipped.

    Returns
    -------
    list of bytes

    Raises
    ------
    InputError
        As for `read_bytes`, or if there are too many lines.
    """
    data = read_bytes(path)
    if data.count(b"\n") > MOST_LINES:
        raise InputError(f"{path} has more than {MOST_LINES} lines, too many for this format")
    lines = [line.removesuffix(b"\r") for line in data.split(b"\n")]
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines:
        raise _empty(path)
    return lines


def numbered_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines of a file without line endings, numbered from 1."""
    for number, line in enumerate(io.BytesIO(data), start=1):
        yield number, line.rstrip(b"\r\n")


def beside(path: str | Path, *endings: str) -> Path | None:
    """The first existing file, plain or gzipped, with the name of this one and another extension.

    `.gz` is not part of the extension: `roads.gr` and `roads.gr.gz` have the same neighbours.
    """
    own = Path(path)
    stem = own.name.removesuffix(".gz").rsplit(".", 1)[0]
    return neighbour(path, *(f"{stem}{ending}" for ending in endings))


def neighbour(path: str | Path, *names: str) -> Path | None:
    """The first other file, plain or gzipped, with one of these names in the folder of a file."""
    own = Path(path)
    files = [own.with_name(f"{name}{gz}") for name in names for gz in ("", ".gz")]
    found = next((file for file in files if file.is_file() and file != own), None)
    if found is not None:
        check_named(path, found)
    return found


_outside: ContextVar[bool] = ContextVar("outside", default=False)


@contextmanager
def outside_allowed(allowed: bool | None = True) -> Iterator[None]:
    """Files read inside may, or may not, name files outside their own folder; None changes nothing.

    By default they may not: a stranger's file could have any file of this machine read.
    """
    before = _outside.set(_outside.get() if allowed is None else allowed)
    try:
        yield
    finally:
        _outside.reset(before)


def check_named(path: str | Path, named: Path) -> None:
    """Raise `InputError` if a file names one outside its own folder, unless that is allowed.

    Symbolic links are followed.
    """
    if not _outside.get() and not _real(named).is_relative_to(_real(Path(path).parent)):
        raise InputError(
            f"{path} leads to a file outside its own folder: {named}. If you trust it, allow this "
            "with --allow-outside (allow_outside=True)"
        )


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:  # a loop of symbolic links
        raise InputError(f"cannot read {path}: {error}") from error


def line_error(path: str | Path, number: int, what: str) -> InputError:
    """Make the error for an invalid line of a file.

    Parameters
    ----------
    path : str or Path
        The file.
    number : int
        The line, counted from 1.
    what : str
        What is wrong and how to fix it.

    Returns
    -------
    InputError
        The error to raise.
    """
    return InputError(f"{path}, line {number}: {what}")


@contextmanager
def errors_name(path: str | Path) -> Iterator[None]:
    """Make errors raised inside name the file."""
    try:
        yield
    except InputError as error:
        if str(path) in str(error):
            raise
        raise InputError(f"{path}: {error}") from error


@contextmanager
def _opened(path: str | Path) -> Iterator[io.BufferedReader]:
    """Open a file; whatever fails while it is read becomes an `InputError`."""
    FILE.check(path, "the path")
    try:
        check_regular(path)
        with open(path, "rb") as stream:
            yield stream
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise InputError(
            f"{path} is a damaged or truncated gzip file ({one_line(error)}); download or compress "
            "it again"
        ) from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def _empty(path: str | Path) -> InputError:
    return InputError(f"{path} is an empty file; download or save it again")


def _too_large(path: str | Path, limit: int) -> InputError:
    return InputError(
        f"{path} holds more than {limit} bytes (decompressed if it is gzipped); use a smaller "
        "graph, decompress the file first, or convert it to .npz, which is smaller"
    )
