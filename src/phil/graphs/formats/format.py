"""What a graph format declares: the object that its module provides to the registry."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from phil.arguments import FUNCTION, NOTHING, TEXT, TEXTS
from phil.errors import InputError, shortened
from phil.graphs import AnyGraph

Recogniser = Callable[[bytes, str], bool]

# What may precede the root element of XML.
PROLOG = re.compile(
    rb"(?:\xef\xbb\xbf)?"
    rb"(?:\s++|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*+(?:\[.*?\]\s*+)?>)*+",
    re.DOTALL,
)
ELEMENT = re.compile(rb"<([^\s<>/!?]++)[\s>/]")


@dataclass(frozen=True, repr=False)
class Format:
    """A graph format: how its files are named, recognised, read and written.

    Parameters
    ----------
    name : str
        The name of the format in help texts and errors.
    endings : tuple of str
        The file name extensions, such as ``(".csv", ".tsv")``. Folders are searched for them, and a
        graph is written in this format if the file name has the first one.
    holds : {"graphs", "maps", "both"}
        Whether files hold graphs (`Graph`), maps (`GridGraph`) or either.
    read : callable, optional
        Reads the graph or map at a path; raises `InputError` if the file is invalid. Without it,
        the format is write-only.
    write : callable, optional
        Writes a graph or map to a path. Without it, the format is read-only.
    recognise : callable, optional
        Returns whether a file has this format, given its first 4096 bytes (decompressed; more if
        they end before the root element of XML) and its name in lower case, without ``.gz``. By
        default the extension decides.
    parts : callable, optional
        Given the path of a file, returns files that are not graphs themselves, such as the image of
        a ROS map; they are skipped when a folder is read.
    weights : bool, optional
        Whether edges may have several numbers, of which `read(path, weight=name)` takes one as
        their weight.

    Raises
    ------
    InputError
        If an extension does not start with a dot, or if there is neither `read` nor `write`.

    See Also
    --------
    register_format : makes a format available to every function and command.

    Examples
    --------
    >>> import phil
    >>> def read_chain(path):
    ...     nodes = len(path.read_text().split("-"))
    ...     return phil.Graph.from_edges(nodes, [(k, k + 1) for k in range(nodes - 1)])
    >>> phil.Format("chain", endings=(".chain",), read=read_chain)
    Format('chain', .chain, graphs: read)
    """

    name: str
    endings: tuple[str, ...]
    holds: Literal["graphs", "maps", "both"] = "graphs"
    read: Callable[..., AnyGraph] | None = None
    write: Callable[[Path, Any], None] | None = None
    recognise: Recogniser | None = None
    parts: Callable[[Path], Iterable[Path]] | None = None
    weights: bool = False

    def __post_init__(self) -> None:
        TEXT.check(self.name, "the name of a format")
        TEXTS.check(self.endings, "the endings of a format")
        for name in ("read", "write", "recognise", "parts"):
            (FUNCTION | NOTHING).check(getattr(self, name), f"{name} of a format")
        if len(self.endings) == 0 or any(
            not re.fullmatch(r"\.[^.\s]+", end) for end in self.endings
        ):
            raise InputError(
                f"the format {self.name!r}: endings must be a tuple such as ('.csv',), not "
                f"{self.endings!r}"
            )
        if self.read is None and self.write is None:
            raise InputError(f"the format {self.name!r} needs a read or a write function")

    def __repr__(self) -> str:
        does = [each for each in ("read", "write") if getattr(self, each) is not None]
        return (
            f"Format({shortened(self.name)}, {' '.join(self.endings)}, {self.holds}: "
            f"{', '.join(does)})"
        )

    def is_in(self, head: bytes, name: str) -> bool:
        """Whether a file with these first bytes and this name has this format."""
        if self.read is None:
            return False
        if self.recognise is None:
            return name.endswith(self.endings)
        return self.recognise(head, name)

    def writes(self, kind: Literal["graphs", "maps"]) -> bool:
        """Whether graphs, or maps, can be written."""
        return self.write is not None and self.holds in (kind, "both")


def starts_with(*signatures: bytes) -> Recogniser:
    """Recognise files by their signature."""
    return lambda head, name: head.startswith(signatures)


def matches(pattern: bytes) -> Recogniser:
    """Recognise files whose first bytes match a regular expression."""
    compiled = re.compile(pattern)
    return lambda head, name: compiled.search(head) is not None


def root_element(head: bytes) -> bytes | None:
    """The name of the root element of XML; empty if the first bytes end before it; else None.

    >>> root_element(b'<?xml version="1.0"?> <!-- a <graph> --> <mujoco model="a">')
    b'mujoco'
    >>> root_element(b"<!-- a long licence"), root_element(b"source,target")
    (b'', None)
    """
    prolog = PROLOG.match(head)
    rest = head[prolog.end() :] if prolog else head
    found = ELEMENT.match(rest)
    if found:
        return found[1]
    return b"" if not rest or rest.startswith((b"<!", b"<?")) else None
