"""Tables of text: fields between commas, semicolons, tabs or blanks, with numbered lines."""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.formats.attributes import finite
from phil.graphs.formats.source import line_error, read_bytes

SEPARATORS = "\t,;"
COMMENT = "#"
SHOWN = 50  # characters of a user's text in an error
LONG = 20  # characters of a comment that says nothing to us


class Table:
    """The rows of a file, read one by one; empty lines and comments (`#`) are no rows.

    The separator is the first of tab, comma and semicolon that the first row has, else blanks.
    Fields may stand in double quotes, but not run over several lines.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.line = 1  # of the last row
        self.comments: set[str] = set()  # those before the first row
        self._separator: str | None = None
        self._text = self._decode(read_bytes(path))

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
        """The error for something wrong in the last row."""
        return line_error(self.path, self.line, what)

    def wrong_width(self, row: Sequence[str], columns: int) -> InputError:
        """The error for a row that has not one field for every column."""
        return self.error(f"{len(row)} fields, but there are {columns} columns")

    def _decode(self, data: bytes) -> str:
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            self.line = error.object.count(b"\n", 0, error.start) + 1
            found = error.object[error.start : error.start + 4]
            raise self.error(f"the bytes {found!r} are no UTF-8 text; save it as UTF-8") from error

    def _fields(self, text: str) -> list[str]:
        try:
            return _split(text, self._separator)
        except csv.Error as error:
            raise self.error(f"fields that cannot be told apart ({error})") from error


def split_row(text: str) -> list[str]:
    """The fields of a first row; none where they cannot be told apart.

    >>> split_row('a; "b;c"')
    ['a', 'b;c']
    """
    try:
        return _split(text.strip(" "), _separator(text))
    except csv.Error:
        return []


def _separator(text: str) -> str | None:
    """What stands between the fields of a row; None is blanks."""
    bare = re.sub('"[^"]*"', "", text)
    return next((mark for mark in SEPARATORS if mark in bare), None)


def _split(text: str, separator: str | None) -> list[str]:
    if '"' not in text:
        fields = text.split(separator)
        return [field.strip() for field in fields] if " " in text else fields
    mark = separator or " "
    return next(csv.reader([text], delimiter=mark, skipinitialspace=True, strict=True))


class Numbers:
    """The numbers of some columns of a table, gathered row by row.

    A column is one of numbers if its value in the first row is a number, or if it is `needed`.
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
        """The columns of numbers, in the order of the table."""
        return list(self._positions)

    def add(self, row: Sequence[str]) -> None:
        """Take the numbers of a row."""
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
                shown = row[position][:SHOWN]
                raise self._table.error(f"{name[:SHOWN]!r} must be a finite number, not {shown!r}")
            self._values.append(value)

    def columns(self, names: Collection[str]) -> NDArray[np.float64]:
        """Some of the columns, of all rows."""
        values = np.array(self._values).reshape(self._rows, len(self._positions))
        order = self.names
        return values[:, [order.index(name) for name in names]]


def column_positions(table: Table, row: Sequence[str], known: Collection[str]) -> dict[str, int]:
    """Where each column of a header stands; the known names are told whatever their case."""
    positions: dict[str, int] = {}
    for position, text in enumerate(row):
        name = text.strip()
        name = name.lower() if name.lower() in known else name
        if name in positions:
            raise table.error(f"the column {name[:SHOWN]!r} stands twice")
        positions[name] = position
    return positions
