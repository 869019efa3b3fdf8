"""The log of a training run: one JSON object per line and iteration."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from phil.errors import InputError
from phil.files import write_atomic


class Log:
    """A file of JSON lines that survives a crash between any two of them."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def begin(self, steps: Mapping[str, int]) -> None:
        """Keep the lines of a run up to the steps that each candidate has done."""
        lines: list[str] = []
        if steps and self._path.exists():
            lines = self._path.read_text().splitlines(keepends=True)
        write_atomic(self._path, "".join(line for line in lines if _is_done(line, steps)).encode())

    def write(self, row: dict[str, Any]) -> None:
        """Add a line; a number that is not finite becomes null."""
        clean = {
            key: None if isinstance(value, float) and not math.isfinite(value) else value
            for key, value in row.items()
        }
        try:
            with open(self._path, "a") as stream:
                stream.write(json.dumps(clean) + "\n")
        except OSError as error:
            raise InputError(f"cannot write {self._path}: {error.strerror or error}") from error


def _is_done(line: str, steps: Mapping[str, int]) -> bool:
    """Whether a line is whole and of an iteration that a resumed run will not do again."""
    try:
        row = json.loads(line)
        return bool(row["steps"] <= steps.get(row["candidate"], 0))
    except (ValueError, KeyError, TypeError):
        return False
