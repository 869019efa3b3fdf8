"""A user's own maps: a folder of PNG pictures or .npy arrays.

With folders `train`, `validation` or `test` inside, those are the splits. A flat folder is split
80/10/10: the file names are ordered by their SHA-256, which shuffles them the same way on every
machine and for every seed (a map that was trained on never becomes a test map by another seed). A
tenth, rounded but at least one map, goes to `test`, as many to `validation`, the rest to `train`;
two maps are `train` and `validation`, and one is `train`.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from phil.errors import InputError
from phil.graphs.formats.image import read_map
from phil.problems.pairs import map_problem
from phil.problems.problem import Problem, ProblemSet

SPLITS = ("train", "validation", "test")
ENDINGS = (".png", ".npy")


def open_folder(folder: Path, *, pairs: str = "corners", seed: int = 0) -> ProblemSet:
    """The problems of a folder of maps; other files in it are left alone."""
    try:
        splits = _split_files(folder)
    except OSError as error:
        raise InputError(f"cannot read {folder}: {error.strerror or error}") from error
    if not any(splits.values()):
        raise InputError(
            f"{folder} holds no maps; put .png or .npy files into it, or into folders train, "
            "validation and test inside it"
        )
    return ProblemSet(
        str(folder),
        **{
            split: tuple(_problem(folder, file, pairs, seed) for file in files)
            for split, files in splits.items()
        },
    )


def _problem(folder: Path, file: Path, pairs: str, seed: int) -> Problem:
    return map_problem(
        read_map(file), str(folder), file.relative_to(folder).as_posix(), pairs, seed
    )


def _split_files(folder: Path) -> dict[str, list[Path]]:
    flat = _map_files(folder)
    split_folders = [split for split in SPLITS if (folder / split).is_dir()]
    if not split_folders:
        return _shuffled_split(flat)
    if flat:
        raise InputError(
            f"{folder} holds both maps ({flat[0].name}) and a folder {split_folders[0]}; move the "
            "maps into train, validation or test, or elsewhere"
        )
    return {split: _map_files(folder / split) for split in split_folders}


def _map_files(folder: Path) -> list[Path]:
    return sorted(
        file
        for file in folder.iterdir()
        if file.suffix.lower() in ENDINGS and not file.name.startswith(".") and file.is_file()
    )


def _shuffled_split(files: list[Path]) -> dict[str, list[Path]]:
    shuffled = sorted(files, key=lambda file: hashlib.sha256(file.name.encode()).digest())
    tenth = max(1, round(len(files) / 10))
    test = tenth if len(files) > 2 else 0
    validation = tenth if len(files) > 1 else 0
    return {
        "train": sorted(shuffled[test + validation :]),
        "validation": sorted(shuffled[test : test + validation]),
        "test": sorted(shuffled[:test]),
    }
