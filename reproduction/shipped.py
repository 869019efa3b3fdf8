"""`python -m reproduction shipped`: the heuristics inside the package.

Each is the best of several trainings on validation problems: those of `table1` for families of maps
(`--families`), those of `table3` for rooms (`--rooms`), those of `carry` for any map (`--maps`);
without these options, all of them. Missing trainings are made.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from phil.cli.output import say
from phil.files import write_atomic
from phil.heuristics.registry import SUFFIX, shipped_folder
from reproduction.carry.trained import CARRIED, train_carried
from reproduction.experiment import Request
from reproduction.grid import Grid, Trial
from reproduction.methods import log_rows
from reproduction.table1.table import TABLE1
from reproduction.table3.methods import SHIPPED
from reproduction.table3.table import TABLE3

# The option that names rows of a table, the method of it that is shipped, and what stands before a
# row in the name of a heuristic.
TABLES: dict[str, tuple[Grid, str, str]] = {
    "families": (TABLE1, "phil", ""),
    "rooms": (TABLE3, SHIPPED, "room_"),
}
MAPS = "maps"


def run(request: Request, _: Sequence[str]) -> bool:
    """Make the shipped heuristics."""
    for option, (table, method, prefix) in TABLES.items():
        if option in request.only or not request.only:
            for row in table.rows(request):
                files = trainings(table, request, row, method)
                say(str(ship(files, prefix + row, shipped_folder())))
    if MAPS in request.only or not request.only:
        for name in request.chosen(MAPS, "heuristic for any map", CARRIED):
            files = [train_carried(request, name, seed) for seed in range(request.seeds)]
            say(str(ship(files, name, shipped_folder())))
    return True


def trainings(table: Grid, request: Request, row: str, method: str) -> list[Path]:
    """The heuristics that a method has trained for a row."""
    return [table.train(request, Trial(row, method, seed)) for seed in range(request.seeds)]


def ship(files: Sequence[Path], name: str, folder: Path) -> Path:
    """Put the best of some trained heuristics into a folder, under a name."""
    target = folder / (name + SUFFIX)
    write_atomic(target, min(files, key=best_validation).read_bytes())
    return target


def best_validation(file: Path) -> float:
    """The least mean cost that a training reached on its validation problems."""
    found = [row["validation"] for row in log_rows(file) if row["validation"] is not None]
    return float(min(found))
