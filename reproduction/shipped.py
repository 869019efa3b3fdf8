"""`python -m reproduction shipped`: the heuristics inside the package.

Each is the best of several trainings on validation problems: those of `table1` for families of maps
(`--families`), those of `table3` for rooms (`--rooms`); without either option, all of both. Missing
trainings are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from phil.files import write_atomic
from phil.heuristics.phil import read_heuristic
from phil.heuristics.registry import SUFFIX, shipped_folder
from phil.problems.generated import FAMILIES
from reproduction import table1, table3
from reproduction.experiment import Request
from reproduction.table1.study import train_part as train_on_maps
from reproduction.table3.study import Cell
from reproduction.table3.study import train_part as train_in_room

PHIL = "phil"
ROOM = "room_"  # before a room's name


def run(request: Request, _: Sequence[str]) -> bool:
    """Make the shipped heuristics."""
    everything = () if request.only else FAMILIES, () if request.only else table3.ROOMS
    common: dict[str, Any] = {
        "methods": (PHIL,),
        "seeds": request.seeds,
        "results": request.heuristics,
        "heuristics": request.heuristics,
    }
    families, rooms = map(request.chosen, ("families", "rooms"), everything)
    maps = table1.Study(families=families, data=request.data, **common)
    flights = table3.Study(rooms=rooms, **common)
    for trained in (trained_on_maps(maps), trained_in_rooms(flights)):
        for name, files in trained:
            print(ship(files, name, shipped_folder()), flush=True)
    return True


def ship(files: Sequence[Path], name: str, folder: Path) -> Path:
    """Put the best of some trained heuristics into a folder, under a name."""

    def expansions(path: Path) -> float:
        mean: float = read_heuristic(path).metadata.validation["expansions"]["mean"]
        return mean

    target = folder / (name + SUFFIX)
    write_atomic(target, min(files, key=expansions).read_bytes())
    return target


def trained_on_maps(study: table1.Study) -> Iterator[tuple[str, list[Path]]]:
    """The name of every family's heuristic, and its trainings."""
    for family in study.families:
        seeds = range(study.seeds)
        yield family, [train_on_maps(study, table1.COLUMNS[PHIL], family, k) for k in seeds]


def trained_in_rooms(study: table3.Study) -> Iterator[tuple[str, list[Path]]]:
    """The name of every room's heuristic, and its trainings."""
    for room in study.rooms:
        yield ROOM + room, [train_in_room(study, Cell(room, PHIL, k)) for k in range(study.seeds)]
