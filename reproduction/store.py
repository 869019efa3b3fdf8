"""The measured parts of an experiment: one JSON file per experiment, one part per line.

While an experiment runs, every finished part is a file of its own in a folder beside
(`parts/table1`, not under version control), so that an interruption costs nothing. When the run
ends these files are merged into the one of the experiment; reading sees both.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from phil.errors import InputError
from phil.files import check_writable, write_atomic

Content = dict[str, Any]  # of a part
Parts = Mapping[str, Content]  # by name


class Store:
    """Where the parts of one experiment are kept; `command` makes them."""

    def __init__(self, folder: Path, name: str, command: str) -> None:
        self.path = folder / f"{name}.json"
        self.command = command
        self._running = folder / "parts" / name

    def __contains__(self, part: str) -> bool:
        return part in self._merged() or self._file(part).exists()

    def check(self) -> None:
        """An `InputError`, before any work, if the results could not be written."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        check_writable(self.path)

    def parts(self) -> dict[str, Content]:
        """All parts there are, by name."""
        files = sorted(self._running.glob("*.json"))
        return dict(self._merged()) | {file.stem: json.loads(file.read_text()) for file in files}

    def keep(self, part: str, content: Content) -> None:
        """Keep a part that was just made; several processes may do so at the same time."""
        self._running.mkdir(parents=True, exist_ok=True)
        write_atomic(self._file(part), (json.dumps(content) + "\n").encode())

    def merge(self) -> None:
        """Move the parts of this run into the one file."""
        files = list(self._running.glob("*.json"))
        if not files:
            return
        write_parts(self.path, self.command, self.parts())
        for file in files:
            file.unlink()
        self._running.rmdir()
        with suppress(OSError):  # parts of other experiments are there
            self._running.parent.rmdir()

    def _file(self, part: str) -> Path:
        return self._running / f"{part}.json"

    def _merged(self) -> Parts:
        if not self.path.exists():
            return {}
        return _read_cached(self.path, self.path.stat().st_mtime_ns)[1]


def write_parts(path: Path, command: str, parts: Parts) -> None:
    """Write parts in the order of their names, one per line, so that files can be compared."""
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(parts[name])}" for name in sorted(parts))
    text = f'{{"command": {json.dumps(command)}, "parts": {{\n{lines}\n}}}}\n'
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, text.encode())


def read_parts(path: Path) -> tuple[str, Parts]:
    """The command that made a file of results, and its parts; an `InputError` if it is none."""
    try:
        found: Any = json.loads(path.read_text())
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{path} is not JSON: {error}") from error
    if not isinstance(found, dict) or not {"command", "parts"} <= found.keys():
        raise InputError(f"{path} was not written by `python -m reproduction`")
    return found["command"], found["parts"]


@lru_cache(maxsize=32)
def _read_cached(path: Path, changed: int) -> tuple[str, Parts]:
    return read_parts(path)
