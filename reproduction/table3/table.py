"""Table 3: rooms by methods, collision checks while searching, and flights along PHIL's paths."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from phil.problems import open_set
from phil.problems.problem import ProblemSet
from phil.rooms import built_in_room, room_problem
from phil.rooms.scene import import_mujoco
from reproduction.experiment import Document, Request, Value
from reproduction.grid import Grid, Trial
from reproduction.markup import Section, round_to
from reproduction.page import Page
from reproduction.runner import Part, Stage, Told
from reproduction.scores import over_reference
from reproduction.sections import learning_curves
from reproduction.store import Content, Parts
from reproduction.table3 import page
from reproduction.table3.methods import LIMIT, METHODS, PHIL, PRINTED, REFERENCE
from reproduction.table3.page import room_views
from reproduction.table3.simulation import checks_parts, flights_parts, over_flights, over_runs

ROOMS = tuple(PRINTED)
SMALL_SPLITS = {"train": 12, "validation": 4, "test": 4}


class Table3(Grid):
    """PHIL and its rivals as planners for drones in two rooms."""

    name = "table3"
    title = "Table 3: drones in rooms"
    options = ("rooms", "methods")
    methods = METHODS
    references = (REFERENCE, LIMIT)
    row_kind = "room"

    def rows(self, request: Request) -> tuple[str, ...]:
        """Rooms."""
        return request.chosen("rooms", "room", ROOMS)

    def problems(self, request: Request, row: str) -> ProblemSet:
        """The problems of a room, voxelised; in quick runs the first few of them."""
        return _opened(row, request.quick)

    def urgency(self, request: Request, trial: Trial) -> tuple[int, ...]:
        """First what learns nothing, then all trainings seed by seed."""
        return (int(METHODS[trial.method].learned),)

    def reproduce(self, request: Request, told: Told) -> str:
        """As every table; without MuJoCo this is one error and not one of every part."""
        import_mujoco()
        return super().reproduce(request, told)

    def problem_parts(self, request: Request) -> list[Part]:
        """The voxels of a room, and the test problems themselves."""
        return [
            Part(f"{room}-problems", partial(self._problems, request, room))
            for room in self.rows(request)
        ]

    def further_stages(self, request: Request) -> list[Stage]:
        """Flights along PHIL's paths."""
        return [Stage(flights_parts(self, request))]

    def timed_parts(self, request: Request) -> list[Part]:
        """Milliseconds, and collision checks while searching."""
        return super().timed_parts(request) + checks_parts(self, request)

    def assemble(self, parts: Parts, *, quick: bool) -> Document:
        """Ratios to greedy Euclidean and to the shortest path, checks and flights."""
        return {
            "titles": self.titles(),
            "rooms": {
                room: self._room(parts, room)
                for room in ROOMS
                if f"{room}-problems" in parts
                and all(self.runs(parts, room, method) for method in (REFERENCE, LIMIT))
            },
        }

    def page(self, document: Document, request: Request) -> Page:
        """Ratios, collision checks, flights and trainings; in HTML, searches in the rooms."""
        panels = {room: row["methods"] for room, row in document["rooms"].items()}
        return Page(
            page.TITLE,
            document["command"],
            [*page.sections(document), learning_curves("table3", document["titles"], panels)],
            METHODS[PHIL].title,
            room_views(self, request),
        )

    def values(self, document: Document) -> dict[str, Value]:
        """Mean expansions."""
        return {
            f"{room}, {document['titles'][method]}": Value.of_expansions(summary)
            for room, row in document["rooms"].items()
            for method, summary in row["methods"].items()
        }

    def summary(self, document: Document) -> Section:
        """The ratios."""
        return page.ratios(document)

    def _room(self, parts: Parts, room: str) -> dict[str, Any]:
        reference, shortest = (
            parts[Trial(room, method).name]["test"]["expansions"] for method in (REFERENCE, LIMIT)
        )
        methods = self.summaries(parts, room)
        for method, summary in methods.items():
            tests = [run["test"] for run in self.runs(parts, room, method)]
            summary |= over_reference(tests, reference)
            summary["over_shortest"] = over_reference(tests, shortest)
            summary["printed"] = PRINTED[room].get(method)
        return {
            "problems": parts[f"{room}-problems"],
            "printed": dict(PRINTED[room]),
            "methods": methods,
            "checks": over_runs(parts, room),
            "flights": over_flights(parts, room),
        }

    def _problems(self, request: Request, room: str) -> Content:
        problems = self.problems(request, room)
        grids = [problem.graph for problem in problems.test if problem.graph.is_grid]
        furnished = built_in_room(room)
        return {
            "set": problems.name,
            "shape": list(furnished.shape),
            "voxel": furnished.voxel,
            "connectivity": grids[0].connectivity,
            "furnished_free": round_to(float(furnished.free.mean())),
            "free": round_to(float(np.mean([grid.free.mean() for grid in grids]))),
            "train": len(problems.train),
            "validation": len(problems.validation),
            "test": [[problem.start, problem.goal] for problem in problems.test],
        }


TABLE3 = Table3()


@cache
def _opened(room: str, quick: bool) -> ProblemSet:
    # Kept while the process lives: many parts are of one room.
    if not quick:
        return open_set(f"rooms/{room}")
    return ProblemSet(
        f"rooms/{room}",
        **{
            split: tuple(room_problem(room, split, number).problem for number in range(count))
            for split, count in SMALL_SPLITS.items()
        },
    )
