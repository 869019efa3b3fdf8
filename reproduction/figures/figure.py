"""A figure: what it shows, and how it is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reproduction.figures.sources import Sources


@dataclass(frozen=True)
class Drawn:
    """A picture, what it shows and how that was chosen, and the figures behind it."""

    content: bytes
    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    header: Sequence[str] = ()  # of a table below the text
    rows: Sequence[Sequence[str]] = ()

    @property
    def suffix(self) -> str:
        """Of its file."""
        return ".png" if self.content.startswith(b"\x89PNG") else ".svg"


@dataclass(frozen=True)
class Missing:
    """What must be made first, and by which command."""

    text: str


@dataclass(frozen=True)
class Figure:
    """One figure of the page; `draw` may search and train, `name` is its file's."""

    name: str
    title: str
    draw: Callable[[Sources], Drawn | Missing]
