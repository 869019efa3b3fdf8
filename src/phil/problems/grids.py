"""`grids/<family>`: the public maps of Bhardwaj, Choudhury and Scherer (CoRL 2017).

They are published as PNG files in the repository `mohakbhardwaj/motion_planning_datasets`
(BSD 3-Clause). Of each family `train` is maps 0..599, `validation` 800..899 and `test` 900..999.
They are read from `<family>.npz` (boolean arrays `train`, `validation` and `test`, True = free,
also in a folder `grids`) or from the repository's folders `<family>/<split>/<number>.png`.

The public splits repeat maps: see `repeated_maps`.
"""

from __future__ import annotations

import os
import zipfile
import zlib
from collections import defaultdict
from pathlib import Path
from typing import BinaryIO

import numpy as np
import platformdirs
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.graphs.formats.image import grey_levels
from phil.problems.manifest import Maps, map_sum
from phil.problems.pairs import split_problems
from phil.problems.problem import ProblemSet
from phil.problems.splits import split_counts

COMMIT = "ba1f0871f4201591d76fbb80476b2f957298e693"
NUMBERS = {"train": range(600), "validation": range(800, 900), "test": range(900, 1000)}

# What numpy and zipfile raise on files that are damaged or something else under this name.
NPZ_DAMAGE = (
    OSError,
    ValueError,
    EOFError,
    TypeError,
    AttributeError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
)


def open_grids(
    family: str,
    *,
    data: Path | None = None,
    pairs: str = "corners",
    seed: int = 0,
    count: int | None = None,
) -> ProblemSet:
    """The problems of a public family; maps without a path are among them."""
    name = f"grids/{family}"
    counts = split_counts({}, count)
    splits = {
        split: split_problems(
            {f"{split}/{number}": GridGraph(free) for number, free in maps.items()},
            name,
            pairs,
            seed,
            counts.get(split),
        )
        for split, maps in read_family(family, data).items()
    }
    return ProblemSet(name, **splits)


def cache_folder() -> Path:
    """Where downloaded maps are kept."""
    return Path(platformdirs.user_cache_dir("phil")) / "data"


def data_folders(data: Path | None) -> list[Path]:
    """Where public maps are looked for: `data` alone, else `PHIL_DATA`, then the user's cache."""
    if data is not None:
        return [data]
    named = os.environ.get("PHIL_DATA")
    return [Path(named), cache_folder()] if named else [cache_folder()]


def find_family(family: str, data: Path | None = None) -> Path | None:
    """The .npz file or the folder of PNG maps of a public family, if there is one."""
    for folder in data_folders(data):
        for file in (folder / "grids" / f"{family}.npz", folder / f"{family}.npz"):
            if file.is_file():
                return file
        for pattern in (family, f"*/{family}", f"*/*/{family}"):
            for place in sorted(folder.glob(pattern)):
                if any((place / split).is_dir() for split in NUMBERS):
                    return place
    return None


def read_family(family: str, data: Path | None = None) -> dict[str, Maps]:
    """The maps of a public family by split and public number."""
    place = find_family(family, data)
    if place is None:
        looked = " or ".join(map(str, data_folders(data)))
        raise InputError(
            f"the public maps of {family} are not in {looked}; fetch them with `phil problems "
            "--download`, or name the folder that holds them with --data or PHIL_DATA"
        )
    if place.is_file():
        splits = _read_npz(place)
    else:
        splits = {
            split: {number: _read_png(path) for number, path in files.items()}
            for split, files in _png_files(place).items()
        }
    if not any(splits.values()):
        raise _no_maps(place)
    return splits


def measure_family(place: Path) -> tuple[dict[str, int], tuple[int, int]]:
    """How many maps each split in a family's file or folder has, and the shape of the first."""
    found = _read_npz(place) if place.is_file() else _png_files(place)
    counts = {split: len(maps) for split, maps in found.items()}
    first = next((item for maps in found.values() for item in maps.values()), None)
    if first is None:
        raise _no_maps(place)
    rows, columns = (_read_png(first) if isinstance(first, Path) else first).shape
    return counts, (rows, columns)


def _read_npz(path: Path) -> dict[str, Maps]:
    splits = {}
    try:
        with open(path, "rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            for split, numbers in NUMBERS.items():
                maps = arrays[split] if split in arrays else np.zeros((0, 1, 1), bool)
                if maps.ndim != 3 or maps.dtype != bool:
                    raise InputError(
                        f"{path}: the array {split!r} must hold boolean maps, shape (maps, rows, "
                        f"columns), not {maps.dtype} of shape {maps.shape}"
                    )
                splits[split] = dict(enumerate(maps, start=numbers.start))
    except InputError:
        raise
    except NPZ_DAMAGE as error:
        raise InputError(
            f"cannot read the maps in {path}: {error}; fetch the file again"
        ) from error
    return splits


def _png_files(folder: Path) -> dict[str, dict[int, Path]]:
    return {
        split: {
            number: folder / split / f"{number}.png"
            for number in numbers
            if (folder / split / f"{number}.png").is_file()
        }
        for split, numbers in NUMBERS.items()
    }


def _read_png(path: Path) -> NDArray[np.bool_]:
    try:
        with open(path, "rb") as stream:
            return public_map(stream, str(path))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def public_map(stream: BinaryIO, name: str) -> NDArray[np.bool_]:
    """A public PNG map, read as its authors' own code does: no grey level is refused."""
    free: NDArray[np.bool_] = grey_levels(stream, name) >= 128
    return free


def _no_maps(place: Path) -> InputError:
    return InputError(
        f"{place} holds no map of the public splits: train 0..599, validation 800..899, "
        "test 900..999"
    )


def repeated_maps(problems: ProblemSet) -> dict[str, tuple[str, ...]]:
    """The test problems whose map is also a train or validation map, with the names of those.

    >>> from phil.problems.pairs import map_problem
    >>> cells = np.ones((2, 2), bool)
    >>> one, two = (map_problem(cells, "mine", name) for name in ("train/1", "test/2"))
    >>> repeated_maps(ProblemSet("mine", train=(one,), test=(two,)))
    {'mine/test/2': ('mine/train/1',)}
    """
    seen: defaultdict[bytes, list[str]] = defaultdict(list)
    for problem in problems.train + problems.validation:
        if problem.graph.is_grid:
            seen[map_sum(problem.graph.free)].append(problem.name)
    return {
        problem.name: tuple(seen[map_sum(problem.graph.free)])
        for problem in problems.test
        if problem.graph.is_grid and map_sum(problem.graph.free) in seen
    }
