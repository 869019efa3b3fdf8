"""The heuristics inside the package: of several trainings each, the best on validation problems.

    python -m reproduction.shipped [--families forest,mazes] [--rooms simple] [--seeds 3]

Families of maps come from the trainings of `python -m reproduction table1`, rooms from those of
`python -m reproduction table3`; without either option, all of both. Trainings that are there are
taken; missing ones are made.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from phil.errors import InputError
from phil.files import write_atomic
from phil.heuristics.catalog import SUFFIX, shipped_folder
from phil.heuristics.phil import read_heuristic
from phil.problems.generated import FAMILIES
from reproduction import table1, table3
from reproduction.table1.study import train_part as train_on_maps
from reproduction.table3.study import Cell
from reproduction.table3.study import train_part as train_in_room

PHIL = "phil"
ROOM = "room_"  # before a room's name


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


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m reproduction.shipped", description="Make the shipped heuristics."
    )
    parser.add_argument("--families", help="of maps: names, comma-separated")
    parser.add_argument("--rooms", help="names, comma-separated")
    parser.add_argument("--seeds", type=int, default=3, help="trainings to choose from")
    parser.add_argument("--data", type=Path, default=None, help="folder of the public maps")
    parser.add_argument("--heuristics", type=Path, default=Path("build"))
    chosen = parser.parse_args(arguments)
    families, rooms = chosen.families, chosen.rooms
    if families is None and rooms is None:
        families, rooms = ",".join(FAMILIES), ",".join(table3.ROOMS)
    common: dict[str, Any] = {
        "methods": (PHIL,),
        "seeds": chosen.seeds,
        "results": chosen.heuristics,
        "heuristics": chosen.heuristics,
    }
    try:
        maps = table1.Study(families=_split(families), data=chosen.data, **common)
        flights = table3.Study(rooms=_split(rooms), **common)
        for trained in (trained_on_maps(maps), trained_in_rooms(flights)):
            for name, files in trained:
                print(ship(files, name, shipped_folder()), flush=True)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def _split(names: str | None) -> tuple[str, ...]:
    return tuple(names.split(",")) if names else ()


if __name__ == "__main__":
    sys.exit(main())
