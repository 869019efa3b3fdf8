"""`planning/<name>`: the public 32 x 32 maps on which Neural A* was shown (Yonetani et al., 2021).

They are the files `<name>_032_moore_c8.npz` of the repository `omron-sinicx/planning-datasets` (MIT
licence), made from the maps of `grids/<name>`. In each, arrays 0, 4 and 8 are the maps of train,
validation and test (1 = free), and arrays 1, 5 and 9 mark the goal with a one. Every move,
including diagonal ones, costs 1, and corners may be cut.

The files contain no starts. Following the authors, starts are drawn by their distance from the
goal: of all cells connected to it, one between the 55th and the 70th percentile, one between the
70th and the 85th, and one between the 85th and the 100th. The draw depends only on the seed, the
split, the map's number and the band, so problems are the same everywhere. (The authors draw one of
the three bands at random in every epoch.)

The public splits of some files repeat maps (see `phil.problems.grids.repeated_maps`).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.graphs.distances import hops_to
from phil.problems.data_files import data_folders, read_arrays
from phil.problems.generated import FAMILIES
from phil.problems.pairs import seeded
from phil.problems.problem import Problem, ProblemSet
from phil.problems.source import ProblemSource, SetInfo, SetOptions, not_found

FOLDER = "planning_datasets_032"
FIRST_ARRAYS = {"train": 0, "validation": 4, "test": 8}
PERCENTILES = (55, 70, 85, 100)
BANDS = len(PERCENTILES) - 1
PAGE = "https://github.com/omron-sinicx/planning-datasets"

Maps = tuple[NDArray[np.bool_], NDArray[np.int64]]  # free cells (maps, rows, columns), and goals


def open_planning(name: str, options: SetOptions) -> ProblemSet:
    """The problems of a public planning set: three starts for each map and its goal."""
    if options.count is not None:
        raise InputError(f"planning/{name} has three problems per map; remove --count")
    return ProblemSet(
        f"planning/{name}",
        **{
            split: tuple(
                problem
                for number, (free, goal) in enumerate(zip(*maps, strict=True))
                for problem in _problems(free, int(goal), f"{split}/{number}", name, options.seed)
            )
            for split, maps in read_planning(name, options.data).items()
        },
    )


def planning_info(name: str, data: Path | None) -> SetInfo:
    """Information about a public planning set."""
    full_name = f"planning/{name}"
    place = find_planning(name, data)
    if place is None:
        return not_found(full_name, data)
    try:
        splits = read_planning(name, data)
    except InputError as error:
        return SetInfo(full_name, False, str(error))
    counts = {split: BANDS * len(maps) for split, (maps, _) in splits.items()}
    _, rows, columns = splits["train"][0].shape
    return SetInfo(full_name, True, str(place), counts, (rows, columns))


SOURCE = ProblemSource(
    "planning", members=lambda data: FAMILIES, open=open_planning, info=planning_info, pairs=()
)


def find_planning(name: str, data: Path | None = None) -> Path | None:
    """The file of a public planning set, if found."""
    for folder in data_folders(data):
        for place in (folder / "maps" / FOLDER, folder / FOLDER, folder):
            file = place / f"{name}_032_moore_c8.npz"
            if file.is_file():
                return file
    return None


def read_planning(name: str, data: Path | None = None) -> dict[str, Maps]:
    """The maps and goals of a public planning set by split."""
    path = find_planning(name, data)
    if path is None:
        looked = " or ".join(map(str, data_folders(data)))
        raise InputError(
            f"{name}_032_moore_c8.npz is not in {looked}, nor in the subfolder {FOLDER}; get it "
            f"from {PAGE} (data/mpd) and name its folder with --data or PHIL_DATA"
        )
    numbers = [first + k for first in FIRST_ARRAYS.values() for k in (0, 1)]
    arrays = read_arrays(path, [f"arr_{number}" for number in numbers])
    return {
        split: _maps(arrays[f"arr_{first}"], arrays[f"arr_{first + 1}"], path, split)
        for split, first in FIRST_ARRAYS.items()
    }


def _maps(free: NDArray[np.float32], goals: NDArray[np.float32], path: Path, split: str) -> Maps:
    if free.ndim != 3 or free.size == 0 or goals.size != free.size:
        raise InputError(
            f"{path}: the {split} maps must be an array (maps, rows, columns) with as many cells "
            f"for the goals, not {free.shape} and {goals.shape}; download the file again"
        )
    if free.dtype.kind not in "biuf" or goals.dtype.kind not in "biuf":
        raise InputError(f"{path}: the {split} maps must be numbers; download the file again")
    one_hot = goals.reshape(free.shape[0], -1)
    if not (np.count_nonzero(one_hot, axis=1) == 1).all():
        raise InputError(
            f"{path}: a {split} map does not have exactly one goal; download the file again"
        )
    return free > 0.5, one_hot.argmax(axis=1)


def _problems(
    free: NDArray[np.bool_], goal: int, map_name: str, name: str, seed: int
) -> list[Problem]:
    grid = GridGraph(free, diagonal_cost=1.0)
    distances = hops_to(grid, goal)
    joined = np.flatnonzero(np.isfinite(distances))
    limits = np.percentile(distances[joined], PERCENTILES)
    problems = []
    for band in range(BANDS):
        here = (limits[band] <= distances[joined]) & (distances[joined] <= limits[band + 1])
        if not here.any():
            raise InputError(
                f"planning/{name}/{map_name}: too few cells can reach the goal; download the set "
                "again"
            )
        start = int(seeded(seed, map_name, band).choice(joined[here]))
        problems.append(Problem(grid, start, goal, f"planning/{name}/{map_name}/{band}"))
    return problems
