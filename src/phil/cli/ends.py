"""Starts and goals on the command line: nodes by name, or places on earth."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import typer

from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.graphs.nearest import nearest_node

PLACE = re.compile(r"\s*([+-]?[0-9.]+)\s*,\s*([+-]?[0-9.]+)\s*")
FAR = 10_000  # metres that are shown as kilometres


@dataclass(frozen=True)
class Found:
    """A start or goal, and how far it is from the place that was given, if one was."""

    role: str
    node: int
    metres: float | None = None

    def told(self, graph: AnyGraph) -> list[str]:
        """A line for the user if a place was given."""
        if self.metres is None:
            return []
        far = self.metres >= FAR
        away = f"{self.metres / 1000:,.0f} km" if far else f"{self.metres:,.0f} m"
        return [f"{self.role}: node {graph.node_name(self.node)}, {away} from there"]

    def json(self) -> dict[str, Any]:
        """The same for a JSON document."""
        return {} if self.metres is None else {f"{self.role}_metres": self.metres}


@dataclass(frozen=True)
class End:
    """How the user named the start or the goal: as a node or as a place."""

    role: str
    node: str | None
    option: str  # of the place
    place: str | None

    def __post_init__(self) -> None:
        if (self.node is None) == (self.place is None):
            what = "Missing option" if self.node is None else "Give only one of"
            raise typer.BadParameter(f"{what} --{self.role} NODE or {self.option} LAT,LON")

    def find(self, graph: AnyGraph) -> Found:
        """The node; raises `InputError` if there is none."""
        try:
            if self.node is not None:
                return Found(self.role, graph.find_node(self.node))
            return Found(self.role, *nearest_node(graph, *_degrees(str(self.place))))
        except InputError as error:
            named = f"{self.option} {self.place}" if self.place else f"--{self.role} {self.node}"
            raise InputError(f"{named}: {error}") from error


def _degrees(text: str) -> tuple[float, float]:
    found = PLACE.fullmatch(text)
    try:
        if found is not None:
            return float(found[1]), float(found[2])
    except ValueError:
        pass
    raise InputError("not a place; write LAT,LON in degrees, such as 44.65,10.92")
