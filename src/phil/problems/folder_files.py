"""The files of a folder of graphs or maps, by split."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.graphs.formats.registry import file_endings, graph_files
from phil.problems.problem import SPLITS, shuffled_split

FLAT_MAPS = "2D maps"


def split_files(folder: Path) -> dict[str, list[Path]]:
    """The files of each split, in order; raises `InputError` if there are none."""
    try:
        splits = _split_files(folder)
    except OSError as error:
        raise InputError(f"cannot read {folder}: {error.strerror or error}") from error
    if not any(splits.values()):
        raise InputError(
            f"{folder} holds no maps or graphs; put files ending in {', '.join(file_endings())} "
            "into it, or into its subfolders train, validation and test"
        )
    return splits


def _split_files(folder: Path) -> dict[str, list[Path]]:
    flat = graph_files(folder)
    split_folders = [split for split in SPLITS if (folder / split).is_dir()]
    if not split_folders:
        names = shuffled_split(file.name for file in flat)
        return {split: [folder / name for name in part] for split, part in names.items()}
    if flat:
        raise InputError(
            f"{folder} holds both maps or graphs ({flat[0].name}) and a folder "
            f"{split_folders[0]}; move the files into train, validation or test, or elsewhere"
        )
    return {split: graph_files(folder / split) for split in split_folders}


def names_digest(splits: Mapping[str, Sequence[Path]], folder: Path) -> str:
    """A hash of the names of all files and of their splits."""
    digest = hashlib.sha256()
    for split in SPLITS:
        for file in splits.get(split, ()):
            name = file.relative_to(folder).as_posix()
            digest.update(f"{split}/{name}\0".encode(errors="surrogateescape"))
    return digest.hexdigest()


def kind_of(graph: AnyGraph) -> str:
    """What a graph is, in the words of errors: a folder holds one kind."""
    return {0: "graphs", 2: FLAT_MAPS, 3: "3D maps"}[graph.axes]
