"""What a graph format declares about itself: the one thing that its file hands to the registry."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from phil.errors import InputError
from phil.graphs import AnyGraph

Recogniser = Callable[[bytes, str], bool]


@dataclass(frozen=True)
class Format:
    """A graph format: how its files are named, recognised, read and written.

    Parameters
    ----------
    name : str
        What help texts and errors call the format.
    endings : tuple of str
        The endings of its files, such as ``(".csv", ".tsv")``. Folders are searched for them, and
        a graph is written in this format when the file's name ends with the first one.
    holds : {"graphs", "maps", "both"}
        Whether files hold graphs (`Graph`), maps (`GridGraph`) or either.
    read : callable, optional
        Reads the graph or map at a path, and raises `InputError` if the file is wrong. A format
        without it is only written.
    write : callable, optional
        Writes a graph or map to a path. A format without it is only read.
    recognise : callable, optional
        Tells whether a file is of this format, given its first 4096 bytes (unpacked) and its
        name in lower case, without ``.gz``. By default the ending decides.
    parts : callable, optional
        Given the path of a file, the files beside it that are no graphs of their own, such as the
        picture of a ROS map: folders leave them out.

    Raises
    ------
    InputError
        If an ending does not begin with a dot, or if files are neither read nor written.

    See Also
    --------
    register_format : makes a format known to every function and command.
    """

    name: str
    endings: tuple[str, ...]
    holds: Literal["graphs", "maps", "both"] = "graphs"
    read: Callable[[Path], AnyGraph] | None = None
    write: Callable[[Path, Any], None] | None = None
    recognise: Recogniser | None = None
    parts: Callable[[Path], Iterable[Path]] | None = None

    def __post_init__(self) -> None:
        if not self.endings or any(not re.fullmatch(r"\.[^.\s]+", end) for end in self.endings):
            raise InputError(
                f"the format {self.name!r}: endings must be a tuple such as ('.csv',), not "
                f"{self.endings!r}"
            )
        if self.read is None and self.write is None:
            raise InputError(f"the format {self.name!r} needs a function to read or to write it")

    def is_in(self, head: bytes, name: str) -> bool:
        """Whether a file is of this format, by its first bytes and its name."""
        if self.read is None:
            return False
        if self.recognise is None:
            return name.endswith(self.endings)
        return self.recognise(head, name)

    def writes(self, kind: Literal["graphs", "maps"]) -> bool:
        """Whether graphs, or maps, can be written."""
        return self.write is not None and self.holds in (kind, "both")


def starts_with(*signatures: bytes) -> Recogniser:
    """Recognises files that begin with one of some signatures."""
    return lambda head, name: head.startswith(signatures)


def matches(pattern: bytes) -> Recogniser:
    """Recognises files whose first bytes hold a regular expression."""
    compiled = re.compile(pattern)
    return lambda head, name: compiled.search(head) is not None
