"""Tables in text files: fields separated by commas, semicolons, tabs or spaces; lines numbered."""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError, one_line, shortened
from phil.graphs.formats.shared import finite
from phil.graphs.formats.source import line_error, read_bytes
from phil.memory import check_memory

SEPARATORS = "\t,;"
COMMENT = "#"
TEXT_BYTES = 6  # peak memory per byte of text
LONG = 20  # longer comments are ignored


class Table:
    """The rows of a file, read one by one, without empty lines and comments (`#`).

    The separator is the first of tab, comma and semicolon found in the first row, else spaces.
    Fields may be in double quotes but not span several lines.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.line = 1  # of the last row
        self.comments: set[str] = set()  # before the first row
        self._separator: str | None = None
        data = read_bytes(path)
        check_memory(TEXT_BYTES * len(data), f"{path}: a table of {len(data)} bytes")
        self._text = self._decode(data)

    def rows(self) -> Iterator[list[str]]:
        """The fields of every row."""
        first = True
        for number, line in enumerate(io.StringIO(self._text, newline="\n"), start=1):
            text = line.strip(" \r\n")
            if not text or text[0] == COMMENT:
                if first and len(text) < LONG:
                    self.comments.add(text[1:].strip())
                continue
            self.line = number
            if first:
                first = False
                self._separator = _separator(text)
            yield self._fields(text)

    def error(self, what: str) -> InputError:
        """An error in the last row."""
        return line_error(self.path, self.line, what)

    def wrong_width(self, row: Sequence[str], columns: int) -> InputError:
        """The error for a row with the wrong number of fields."""
        return self.error(f"{len(row)} fields, but there are {columns} columns")

    def _decode(self, data: bytes) -> str:
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            self.line = error.object.count(b"\n", 0, error.start) + 1
            found = error.object[error.start : error.start + 4]
            raise self.error(f"the bytes {found!r} are not UTF-8 text; save it as UTF-8") from error

    def _fields(self, text: str) -> list[str]:
        try:
            return _split(text, self._separator)
        except csv.Error as error:
            raise self.error(f"the fields cannot be separated ({one_line(error)})") from error


def split_row(text: str) -> list[str]:
    """The fields of the first row; empty if they cannot be separated.

    >>> split_row('a; "b;c"')
    ['a', 'b;c']
    """
    try:
        return _split(text.strip(" "), _separator(text))
    except csv.Error:
        return []


def _separator(text: str) -> str | None:
    """The separator of the fields in a row; None means spaces."""
    bare = re.sub('"[^"]*"', "", text)
    return next((mark for mark in SEPARATORS if mark in bare), None)


def _split(text: str, separator: str | None) -> list[str]:
    if '"' not in text:
        fields = text.split(separator)
        return [field.strip() for field in fields] if " " in text else fields
    mark = separator or " "
    return next(csv.reader([text], delimiter=mark, skipinitialspace=True, strict=True))


class Numbers:
    """The values of the numeric columns of a table, collected row by row.

    A column is numeric if its first value is a number, or if it is `needed`.
    """

    def __init__(
        self, table: Table, positions: dict[str, int], needed: Collection[str] = ()
    ) -> None:
        self._table = table
        self._positions = positions
        self._needed = needed
        self._values = array("d")
        self._rows = 0

    @property
    def names(self) -> list[str]:
        """The numeric columns, in the order of the table."""
        return list(self._positions)

    def add(self, row: Sequence[str]) -> None:
        """Add the numbers of a row."""
        if not self._rows:
            self._positions = {
                name: position
                for name, position in self._positions.items()
                if name in self._needed or finite(row[position]) is not None
            }
        self._rows += 1
        for name, position in self._positions.items():
            value = finite(row[position])
            if value is None:
                shown = shortened(row[position])
                raise self._table.error(f"{shortened(name)} must be a finite number, not {shown}")
            self._values.append(value)

    def columns(self, names: Collection[str]) -> NDArray[np.float64]:
        """The values of these columns in all rows."""
        values = np.array(self._values).reshape(self._rows, len(self._positions))
        places = {name: place for place, name in enumerate(self._positions)}
        return values[:, [places[name] for name in names]]


def column_positions(table: Table, row: Sequence[str], known: Collection[str]) -> dict[str, int]:
    """The position of each column of a header; known names are case-insensitive."""
    positions: dict[str, int] = {}
    for position, text in enumerate(row):
        name = text.strip()
        name = name.lower() if name.lower() in known else name
        if name in positions:
            raise table.error(f"the column {shortened(name)} appears twice")
        positions[name] = position
    return positions
