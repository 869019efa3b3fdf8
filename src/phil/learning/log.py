"""The log of a training run: one JSON object per line and iteration."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from phil.errors import InputError
from phil.files import write_atomic


class Log:
    """A file of JSON lines that survives a crash between any two of them."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def begin(self, lines: int) -> None:
        """Keep the first lines, those that a resumed run will not write again."""
        kept: list[str] = []
        if lines and self._path.exists():
            kept = self._path.read_text().splitlines(keepends=True)[:lines]
        write_atomic(self._path, "".join(kept).encode())

    def write(self, rows: Sequence[dict[str, Any]]) -> None:
        """Add a line for each row; a number that is not finite becomes null."""
        clean = [
            {
                key: None if isinstance(value, float) and not math.isfinite(value) else value
                for key, value in row.items()
            }
            for row in rows
        ]
        try:
            with open(self._path, "a") as stream:
                stream.write("".join(json.dumps(row) + "\n" for row in clean))
        except OSError as error:
            raise InputError(f"cannot write {self._path}: {error.strerror or error}") from error
