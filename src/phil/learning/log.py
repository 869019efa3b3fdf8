"""The log of a training run: one JSON object per line and iteration."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from phil.errors import InputError


class Log:
    """A file of JSON lines that survives a crash between any two of them."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def begin(self, lines: int) -> None:
        """Keep the first lines, those that a resumed run will not write again."""
        kept: list[str] = []
        if lines and self._path.exists():
            kept = self._path.read_text().splitlines(keepends=True)[:lines]
        self._append("".join(kept), mode="w")

    def write(self, row: dict[str, Any]) -> None:
        """Add a line."""
        clean = {
            key: None if isinstance(value, float) and not math.isfinite(value) else value
            for key, value in row.items()
        }
        self._append(json.dumps(clean) + "\n", mode="a")

    def _append(self, text: str, mode: str) -> None:
        try:
            with open(self._path, mode) as stream:
                stream.write(text)
        except OSError as error:
            raise InputError(f"cannot write {self._path}: {error.strerror or error}") from error
