"""The named sets of graphs by source: which there are, opening one, and telling about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from phil.problems import biology, citations, roads, syntax_trees
from phil.problems.info import SetInfo
from phil.problems.problem import ProblemSet


class Opener(Protocol):
    """Opens a set of one source by its name there."""

    def __call__(
        self, name: str, *, data: Path | None = None, seed: int = 0, count: int | None = None
    ) -> ProblemSet: ...


@dataclass(frozen=True)
class GraphSource:
    """Where sets of graphs come from."""

    names: Callable[[Path | None], tuple[str, ...]]
    open: Opener
    info: Callable[[str, Path | None], SetInfo]


def _rooms() -> Any:
    """The optional rooms are a layer to the right of this one: imported on demand."""
    return import_module("phil.rooms.problems")


GRAPH_SOURCES = {
    citations.SOURCE: GraphSource(
        lambda data: citations.NAMES, citations.open_citations, citations.citations_info
    ),
    biology.SOURCE: GraphSource(
        lambda data: tuple(biology.FAMILIES), biology.open_biology, biology.biology_info
    ),
    syntax_trees.SOURCE: GraphSource(
        lambda data: syntax_trees.NAMES,
        syntax_trees.open_syntax_trees,
        syntax_trees.syntax_trees_info,
    ),
    roads.SOURCE: GraphSource(roads.road_names, roads.open_roads, roads.roads_info),
    "rooms": GraphSource(
        lambda data: _rooms().NAMES,
        lambda name, **options: _rooms().open_rooms(name, **options),
        lambda name, data: _rooms().rooms_info(name, data),
    ),
}


def graph_set_names(data: Path | None = None) -> list[str]:
    """The names of all sets of graphs, found or not."""
    return [
        f"{source}/{name}" for source, sets in GRAPH_SOURCES.items() for name in sets.names(data)
    ]
