"""Files that are dropped onto the page: untrusted bytes, with names that are only names."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from phil.errors import InputError, shortened
from phil.graphs import AnyGraph
from phil.graphs.formats import read_graph
from phil.heuristics.file import LearnedHeuristic
from phil.heuristics.registry import SUFFIX, read_any
from phil.play.protocol import State

KEPT = 8  # files, of those that belong together: the image of a ROS map, a table of nodes
PARTS = (".pgm", ".co", ".nodes.csv")
LONGEST_NAME = 80
STATE_BYTES = 2**22


class DropBox:
    """A private folder for the files of one page; removed by `close`."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(
            prefix="phil-play-",
            ignore_cleanup_errors=True,  # a file may just be read
        )
        self._files: list[Path] = []

    def close(self) -> None:
        """Remove everything."""
        self._folder.cleanup()

    def read(self, name: str, data: bytes) -> AnyGraph | LearnedHeuristic | State | None:
        """What a file holds: a map or graph, a heuristic, or a saved state.

        None if it is only a part of what another file holds; it is then kept for that one.

        Parameters
        ----------
        name
            The name that the page gave; only its ending matters, and files that it belongs to.
        data
            The content.

        Raises
        ------
        InputError
            If the file cannot be read; the message has the name that the page gave.
        """
        safe = safe_name(name)
        state = _state(data, safe)
        if state is not None:
            return state
        path = self._keep(safe, data)
        if safe.lower().endswith(PARTS):
            return None
        try:
            if safe.lower().endswith(SUFFIX):
                return read_any(path, safe)
            return read_graph(path)
        except InputError as error:
            raise InputError(str(error).replace(f"{path.parent}/", "")) from None

    def _keep(self, name: str, data: bytes) -> Path:
        path = Path(self._folder.name) / name
        path.write_bytes(data)
        self._files = [*(file for file in self._files if file != path), path]
        while len(self._files) > KEPT:
            self._files.pop(0).unlink(missing_ok=True)
        return path


def safe_name(name: str) -> str:
    """A file name without folders, and without what means something in methods or to a shell.

    >>> safe_name("../../etc/my map (2).png"), safe_name("C:\\\\maps\\\\a,b.yaml"), safe_name("..")
    ('my_map_2_.png', 'a_b.yaml', 'file')
    """
    last = re.split(r"[/\\]", name)[-1]
    plain = re.sub(r"[^\w.-]+", "_", last, flags=re.ASCII).lstrip(".-")
    return plain[-LONGEST_NAME:].lstrip(".-") or "file"


def parse_state(document: Any, name: str) -> State:
    """A state that a page has saved.

    Raises
    ------
    InputError
        If it is damaged.

    Examples
    --------
    >>> parse_state({"phil": "playground", "version": 2}, "old.json")
    Traceback (most recent call last):
    ...
    phil.errors.InputError: old.json is not a state of this playground: version: Input should be 1
    """
    try:
        return State.model_validate(document)
    except ValidationError as error:
        raise InputError(f"{name} is not a state of this playground: {told(error)}") from error


def told(error: ValidationError) -> str:
    """What is wrong with a message or a state, in a few words.

    The version comes first, because everything else may follow from it.
    """
    faults = sorted(error.errors(), key=lambda fault: fault["loc"] != ("version",))
    place = ".".join(map(str, faults[0]["loc"]))
    return f"{place}: {faults[0]['msg']}" if place else shortened(faults[0]["msg"])


def _state(data: bytes, name: str) -> State | None:
    """The state in a file, if it is one."""
    if len(data) > STATE_BYTES or data.lstrip()[:1] != b"{":
        return None
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or document.get("phil") != "playground":
        return None
    return parse_state(document, name)
