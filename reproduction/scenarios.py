"""`python -m reproduction scenarios`: does A* find the published lengths of MovingAI scenarios?

A* with the octile distance runs on the maps of the 2D families, whole scenario files each, and on
the 3D (Warframe) maps. Files print lengths with 2 to 8 decimals, and some add 1.4142 for a diagonal
move: lengths are equal if they differ by at most 0.01 % or 0.005. The exit code is 1 if a line
differs.

Left out: wc3maps512, whose published lengths are not those of its maps (shorter than any path), and
in 2D the maps whose files take minutes each. Of the 3D files these lines are searched: all up to
length 60 and 200 longer ones of Simple and Complex, the 100 shortest ones of A1 and EC2.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from phil.cli.output import say
from phil.errors import InputError
from phil.files import check_writable, write_atomic
from phil.graphs import GridGraph
from phil.graphs.formats.movingai import Scenario, read_movingai_map, read_scenarios
from phil.graphs.formats.voxels import VoxelScenario, read_3d_scenarios, read_3dmap
from phil.heuristics.classical import octile
from phil.problems.data_files import data_folders
from phil.search import ASTAR, search_many
from reproduction.experiment import Request

Lines = Sequence[Scenario | VoxelScenario]
Job = tuple[str, GridGraph, int, Lines]  # a map, how many lines its file has, and those to search

FAMILIES = ("bg512", "cities", "da2", "dao", "mapf", "mazes", "random", "rooms", "sc1")
TAKE_MINUTES = (
    *("maze512-1-0", "maze512-2-0", "maze512-4-0", "maze512-16-0", "maze512-32-0"),
    *("Berlin_0_1024", "NewYork_0_1024", "orz900d"),
)
VOXELS = "warframe3d"
RELATIVE, ABSOLUTE = 1e-4, 0.005
SHORT, OTHERS = 60.0, 200
FEW = 100
QUICK_MAPS, QUICK_LINES, QUICK_LENGTH = 1, 5, 100.0


@dataclass(frozen=True)
class Checked:
    """What became of the lines of one scenario file."""

    map: str
    lines: int  # of the file
    searched: int
    equal: int
    largest_relative_difference: float

    def __str__(self) -> str:
        return (
            f"{self.map}: {self.equal:,} of {self.searched:,} lines equal, of {self.lines:,}; "
            f"largest relative difference {self.largest_relative_difference:.1e}"
        )


def run(request: Request, _: Sequence[str]) -> bool:
    """All maps, or in a quick run a few short lines of each family's smallest."""
    file = request.results / f"{request.named('scenarios')}.json"
    check_writable(file)
    maps, quick = find_maps(request.data), request.quick
    checked = []
    for name, grid, lines, chosen in (*_planes(maps, quick), *_spaces(maps, quick)):
        checked.append(check_map(name, grid, lines, chosen))
        say(str(checked[-1]))
    document = {
        "tolerance": {"relative": RELATIVE, "absolute": ABSOLUTE},
        "quick": quick,
        "searched": sum(found.searched for found in checked),
        "equal": sum(found.equal for found in checked),
        "maps": [asdict(found) for found in checked],
    }
    write_atomic(file, (json.dumps(document, indent=2) + "\n").encode())
    return document["searched"] == document["equal"]


def check_map(name: str, grid: GridGraph, lines: int, chosen: Lines) -> Checked:
    """Search the chosen lines of a scenario file and compare the lengths."""
    pairs = [(line.start, line.goal) for line in chosen]
    found = np.array([result.cost for result in search_many(grid, pairs, octile, key=ASTAR)])
    published = np.array([line.optimal for line in chosen])
    difference = np.abs(found - published)  # infinite where no path is found
    equal = difference <= np.maximum(RELATIVE * published, ABSOLUTE)
    relative = (difference / np.maximum(published, 1.0))[np.isfinite(found)]
    return Checked(name, lines, len(pairs), int(equal.sum()), float(relative.max(initial=0.0)))


def _planes(maps: Path, quick: bool) -> Iterator[Job]:
    for family in FAMILIES:
        paths = sorted((maps / family).glob("*.map"), key=lambda path: path.stat().st_size)
        paths = [path for path in paths if path.stem not in TAKE_MINUTES]
        for path in paths[:QUICK_MAPS] if quick else sorted(paths):
            lines = read_scenarios(_scenario_file(path))
            chosen = _some(lines) if quick else lines
            yield f"{family}/{path.name}", read_movingai_map(path), len(lines), chosen


def _scenario_file(path: Path) -> Path:
    """A map's scenario file; those of the family mapf have a number."""
    found = sorted(
        [*path.parent.glob(f"{path.name}.scen"), *path.parent.glob(f"{path.stem}-*.scen")]
    )
    if not found:
        raise InputError(f"{path} has no scenario file beside it, such as {path.name}.scen")
    return found[0]


def _spaces(maps: Path, quick: bool) -> Iterator[Job]:
    names = ("Simple", "Complex") if quick else ("Simple", "Complex", "A1", "EC2")
    for name in names:
        path = maps / VOXELS / f"{name}.3dmap"
        if not path.is_file():
            continue
        lines = read_3d_scenarios(path.with_name(f"{path.name}.3dscen"))
        by_length = sorted(lines, key=lambda line: line.optimal)
        short = [line for line in by_length if line.optimal <= SHORT]
        longer = by_length[len(short) :]
        if name in ("A1", "EC2"):
            chosen: Lines = by_length[:FEW]
        else:
            chosen = short + longer[:: max(1, len(longer) // OTHERS)][:OTHERS]
        yield (
            f"{VOXELS}/{path.name}",
            read_3dmap(path),
            len(lines),
            _some(chosen) if quick else chosen,
        )


def _some(lines: Lines) -> Lines:
    """A few lines that are not long, spread over the file."""
    short = [line for line in lines if line.optimal <= QUICK_LENGTH]
    return short[:: max(1, len(short) // QUICK_LINES)][:QUICK_LINES]


def find_maps(data: Path | None) -> Path:
    """The folder of the MovingAI maps."""
    folders = data_folders(data)
    for folder in folders:
        for maps in (folder / "maps", folder):
            if any((maps / family).is_dir() for family in FAMILIES):
                return maps
    looked = " or ".join(map(str, folders))
    raise InputError(
        f"no MovingAI maps (maps/{FAMILIES[0]}/*.map, ...) in {looked}; fetch them from "
        "movingai.com/benchmarks and name their folder with --data or PHIL_DATA"
    )
