"""`grids/<family>`: the public maps of Bhardwaj, Choudhury and Scherer (CoRL 2017).

They are published as PNG files in the repository `mohakbhardwaj/motion_planning_datasets`
(BSD 3-Clause). In each family, `train` has the maps 0..599, `validation` 800..899 and `test`
900..999; `grids/all` is an equal share of all families. Maps are read from `<family>.npz` (boolean
arrays `train`, `validation` and `test`, True = free, also in a folder `grids`) or from the
repository's folders `<family>/<split>/<number>.png`.

The public splits repeat maps: see `repeated_maps`.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.graphs.formats.image import grey_levels
from phil.graphs.formats.source import read_bytes
from phil.problems.data_files import data_folders, read_arrays, read_headers
from phil.problems.generated import FAMILIES
from phil.problems.pairs import split_problems
from phil.problems.problem import ALL, ProblemSet, join, split_counts
from phil.problems.source import (
    ProblemSource,
    SetInfo,
    SetOptions,
    not_found,
    share_info,
    share_of_each,
)

COMMIT = "ba1f0871f4201591d76fbb80476b2f957298e693"
NUMBERS = {"train": range(600), "validation": range(800, 900), "test": range(900, 1000)}

Maps = dict[int, NDArray[np.bool_]]  # the maps of a split by their public number, in order


def open_grids(family: str, options: SetOptions) -> ProblemSet:
    """The problems of a public family; maps without a path are among them."""
    name = f"grids/{family}"
    if family == ALL:
        return share_of_each(name, [open_grids(one, options) for one in FAMILIES])
    counts = split_counts({}, options.count)
    splits = {
        split: split_problems(
            {f"{split}/{number}": GridGraph(free) for number, free in maps.items()},
            name,
            options.pairs,
            options.seed,
            counts.get(split),
        )
        for split, maps in read_family(family, options.data).items()
    }
    return ProblemSet(name, **splits)


def grids_info(family: str, data: Path | None) -> SetInfo:
    """Information about a public family, without opening it."""
    if family == ALL:
        return share_info("grids", [grids_info(one, data) for one in FAMILIES])
    name = f"grids/{family}"
    place = find_family(family, data)
    if place is None:
        return not_found(name, data)
    try:
        counts, shape = _measure(place)
    except InputError as error:
        return SetInfo(name, False, str(error))
    return SetInfo(name, True, str(place), counts, shape)


SOURCE = ProblemSource(
    "grids",
    members=lambda data: (*FAMILIES, ALL),
    open=open_grids,
    info=grids_info,
    pairs=("corners", "random"),
    downloader="phil.problems.download.maps",
)


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
            f"the public maps of {family} are not in {looked}; download them with `phil problems "
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


def _measure(place: Path) -> tuple[dict[str, int], tuple[int, int]]:
    """The number of maps in each split of a family's file or folder, and the shape of the first."""
    if place.is_file():
        shapes = _npz_shapes(place)
        counts = {split: shapes[split][0] if split in shapes else 0 for split in NUMBERS}
        found = [shapes[split][1:] for split in shapes if counts[split]]
    else:
        files = _png_files(place)
        counts = {split: len(paths) for split, paths in files.items()}
        first = next((path for paths in files.values() for path in paths.values()), None)
        found = [] if first is None else [_read_png(first).shape]
    if not found:
        raise _no_maps(place)
    rows, columns = found[0]
    return counts, (rows, columns)


def _npz_shapes(path: Path) -> dict[str, tuple[int, ...]]:
    """The shapes of the arrays of maps in a file, by split."""
    headers = {split: one for split, one in read_headers(path).items() if split in NUMBERS}
    for split, header in headers.items():
        if len(header.shape) != 3 or header.dtype != bool:
            raise InputError(
                f"{path}: the array {split!r} must hold boolean maps, shape (maps, rows, columns), "
                f"not {header.dtype} of shape {header.shape}"
            )
    return {split: headers[split].shape for split in NUMBERS if split in headers}


def _read_npz(path: Path) -> dict[str, Maps]:
    arrays = read_arrays(path, tuple(_npz_shapes(path)))
    return {
        split: dict(enumerate(arrays.get(split, ()), start=numbers.start))
        for split, numbers in NUMBERS.items()
    }


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
    return public_map(read_bytes(path), str(path))


def public_map(data: bytes, name: str) -> NDArray[np.bool_]:
    """A public PNG map, read as in its authors' code: any grey level is accepted."""
    free: NDArray[np.bool_] = grey_levels(data, name) >= 128
    return free


def _no_maps(place: Path) -> InputError:
    return InputError(
        f"{place} holds no map of the public splits: train 0..599, validation 800..899, "
        "test 900..999"
    )


def map_sum(free: NDArray[np.bool_]) -> bytes:
    """The SHA-256 of a map's shape (`"<rows>x<columns>\\n"`) and its packed cells."""
    size = "x".join(map(str, free.shape))
    return hashlib.sha256(f"{size}\n".encode() + np.packbits(free).tobytes()).digest()


def repeated_maps(problems: ProblemSet) -> dict[str, tuple[str, ...]]:
    """The test problems whose map is also a train or validation map, each with those maps' names.

    >>> from phil.problems.pairs import map_problem
    >>> cells = np.ones((2, 2), bool)
    >>> one, two = (map_problem(cells, "mine", name) for name in ("train/1", "test/2"))
    >>> repeated_maps(ProblemSet("mine", train=(one,), test=(two,)))
    {'mine/test/2': ('mine/train/1',)}
    """
    seen: defaultdict[bytes, list[str]] = defaultdict(list)
    for problem in join(problems.train, problems.validation):
        if problem.graph.is_grid:
            seen[map_sum(problem.graph.free)].append(problem.name)
    return {
        problem.name: tuple(seen[map_sum(problem.graph.free)])
        for problem in problems.test
        if problem.graph.is_grid and map_sum(problem.graph.free) in seen
    }
