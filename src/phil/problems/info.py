"""What `phil problems` tells about a set."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from phil.problems.grids import data_folders


@dataclass(frozen=True)
class SetInfo:
    """Whether a set is found, and how large it is."""

    name: str
    found: bool
    where: str  # the file or folder; where the set is not found, why
    counts: dict[str, int] = field(default_factory=dict)  # problems by split
    shape: tuple[int, ...] | None = None  # (rows, columns) of its first map, or (x, y, z)
    graphs: int | None = None  # where it is of graphs: how many, and their nodes and edges in all
    nodes: int | None = None
    edges: int | None = None


def not_found(name: str, data: Path | None) -> SetInfo:
    """A set that is in none of the data folders."""
    return SetInfo(name, False, f"not in {' or '.join(map(str, data_folders(data)))}")
