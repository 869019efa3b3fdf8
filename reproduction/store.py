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

from phil.errors import InputError, one_line
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
        make_folder(self.path.parent)
        check_writable(self.path)

    def parts(self) -> dict[str, Content]:
        """All parts there are, by name."""
        files = sorted(self._running.glob("*.json"))
        return dict(self._merged()) | {file.stem: _read_part(file) for file in files}

    def keep(self, part: str, content: Content) -> None:
        """Keep a part that was just made; several processes may do so at the same time."""
        make_folder(self._running)
        write_atomic(self._file(part), (json.dumps(content) + "\n").encode())

    def merge(self) -> None:
        """Move the parts of this run into the one file."""
        files = list(self._running.glob("*.json"))
        if not files:
            return
        write_parts(self.path, self.command, self.parts())
        # Parts that stay behind are merged again by the next run.
        for file in files:
            with suppress(OSError):
                file.unlink()
        with suppress(OSError):  # parts of other experiments, or what a killed process left
            self._running.rmdir()
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
    make_folder(path.parent)
    write_atomic(path, text.encode())


def read_parts(path: Path) -> tuple[str, Parts]:
    """The command that made a file of results, and its parts; an `InputError` if it is none."""
    found = _read_json(path)
    if not isinstance(found, dict) or found.keys() != {"command", "parts"}:
        raise InputError(f"{path} was not written by `python -m reproduction`")
    command, parts = found["command"], found["parts"]
    if not isinstance(command, str) or not isinstance(parts, dict):
        raise InputError(f"{path} was not written by `python -m reproduction`")
    for name, part in parts.items():
        if not isinstance(part, dict):
            raise InputError(f"{path} is damaged: its part {name} is no object; restore the file")
    return command, parts


def _read_part(path: Path) -> Content:
    found = _read_json(path)
    if not isinstance(found, dict):
        raise InputError(f"{path} is damaged; delete it, and the part will be made again")
    return found


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{path} is not JSON ({one_line(error)}); delete it, and its parts will be made again"
        ) from error


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, unless they exist; an `InputError` if that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {folder}: {error.strerror or error}") from error


@lru_cache(maxsize=32)
def _read_cached(path: Path, changed: int) -> tuple[str, Parts]:
    return read_parts(path)
