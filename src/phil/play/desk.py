"""What all pages of a server share: what the command line named, and what can be chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

from phil.graphs.grid import CONNECTIVITIES, CORNER_RULES
from phil.play.methods import listed_heuristics, listed_methods
from phil.play.presets import PRESETS
from phil.play.protocol import PANES, VERSION, AnyProblem, PaneState, PresetProblem, State
from phil.play.scenes import MOST_CELLS, MOST_NODES, families
from phil.problems.problem import Problem
from phil.search.guide import Heuristic

MOST_BYTES = 2**26  # of a message
SECONDS = 60.0  # of a search


@dataclass(frozen=True)
class Desk:
    """What all pages of a server share.

    Attributes
    ----------
    given
        The problems that the command line named.
    given_name, given_is_file
        What they were called there, and whether that is a file.
    state
        What a page shows first.
    heuristics
        Those that the command line named, by their names there.
    seconds
        The most that a search may take.
    """

    given: Sequence[Problem] = ()
    given_name: str = ""
    given_is_file: bool = False
    state: State = field(default_factory=lambda: first_state())
    heuristics: Mapping[str, Heuristic] = field(default_factory=dict)
    seconds: float = SECONDS

    def welcome(self) -> dict[str, Any]:
        """The first message to a page."""
        return {
            "type": "welcome",
            "protocol": VERSION,
            "version": version("phil-search"),
            "state": self.state.model_dump(exclude_none=True),
            "limits": {
                "cells": MOST_CELLS,
                "nodes": MOST_NODES,
                "bytes": MOST_BYTES,
                "seconds": self.seconds,
                "panes": PANES,
            },
            "presets": [
                {
                    "name": each.name,
                    "title": each.title,
                    "text": each.text,
                    "kind": each.kind,
                    "methods": list(each.methods),
                }
                for each in PRESETS
            ],
            "families": families(),
            "methods": listed_methods(),
            "heuristics": listed_heuristics(self.heuristics),
            "connectivities": {str(axes): list(each) for axes, each in CONNECTIVITIES.items()},
            "corners": list(CORNER_RULES),
        }


def first_state(problem: AnyProblem | None = None, methods: tuple[str, ...] = ()) -> State:
    """The state of a page that opens a problem; by default, the first preset."""
    chosen = problem or PresetProblem(source="preset", name=PRESETS[0].name)
    return State(
        phil="playground",
        version=VERSION,
        problem=chosen,
        panes=[PaneState(method=each) for each in (methods or PRESETS[0].methods)[:PANES]],
    )
