"""What a source of problem sets declares: its sets, how to open them, and information on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from phil.errors import InputError
from phil.problems.data_files import Headers, check_keys, data_folders, read_headers
from phil.problems.problem import ALL, SPLITS, ProblemSet


@dataclass(frozen=True)
class SetOptions:
    """Options for opening a set.

    Parameters
    ----------
    data : Path, optional
        The folder of the public data.
    pairs : str, optional
        How starts and goals are chosen: one of the source's `pairs`.
    seed : int, optional
        The seed of the random generator.
    count : int, optional
        The number of training problems and of test problems.
    """

    data: Path | None = None
    pairs: str = "random"
    seed: int = 0
    count: int | None = None


@dataclass(frozen=True)
class SetInfo:
    """Whether a set was found, and its size.

    Attributes
    ----------
    name : str
        The name of the set.
    found : bool
        Whether its data was found.
    where : str
        The file or folder; if it was not found, the reason.
    counts : dict
        The number of problems by split.
    shape : tuple of int
        (rows, columns) of its first map, or (x, y, z).
    graphs, nodes, edges : int
        For sets of graphs: their number, and their nodes and edges in total.
    """

    name: str
    found: bool
    where: str
    counts: dict[str, int] = field(default_factory=dict)
    shape: tuple[int, ...] | None = None
    graphs: int | None = None
    nodes: int | None = None
    edges: int | None = None


@dataclass(frozen=True)
class ProblemSource:
    """A source of problem sets, which are named `<source>/<member>`."""

    name: str
    members: Callable[[Path | None], Sequence[str]]  # given the data folder
    open: Callable[[str, SetOptions], ProblemSet]
    info: Callable[[str, Path | None], SetInfo]
    # The ways to choose starts and goals, the default first; empty if they are fixed.
    pairs: tuple[str, ...] = ("random",)
    # The module with a function `download(names, folder, place, report)`, if there is one.
    downloader: str | None = None


def not_found(name: str, data: Path | None) -> SetInfo:
    """A set that is in none of the data folders."""
    return SetInfo(name, False, f"not in {' or '.join(map(str, data_folders(data)))}")


def archive_info(
    name: str,
    path: Path | None,
    required: Sequence[str],
    counts: dict[str, int],
    sizes: Callable[[Headers], tuple[int, int]],
    data: Path | None,
) -> SetInfo:
    """Information from the headers of a file; `sizes` returns its numbers of graphs and nodes."""
    if path is None:
        return not_found(name, data)
    try:
        headers = read_headers(path)
        check_keys(path, headers, required)
        graphs, nodes = sizes(headers)
    except InputError as error:
        return SetInfo(name, False, str(error))
    edges = headers["edge_index"].shape[1]
    return SetInfo(name, True, str(path), counts, graphs=graphs, nodes=nodes, edges=edges)


def share_of_each(name: str, sets: Sequence[ProblemSet]) -> ProblemSet:
    """As many problems as the smallest set has, taken from all sets in turn."""
    splits = {}
    for split in SPLITS:
        shares = [problems.split(split) for problems in sets]
        count = min(len(share) for share in shares) // len(shares)
        splits[split] = tuple(share[k] for k in range(count) for share in shares)
    return ProblemSet(name, **splits)


def share_info(source: str, parts: Sequence[SetInfo]) -> SetInfo:
    """Information about the set made by `share_of_each`."""
    name = f"{source}/{ALL}"
    missing = [info.name for info in parts if not info.found]
    if missing:
        return SetInfo(name, False, f"needs {', '.join(missing)}")
    share = {
        split: min(info.counts[split] for info in parts) // len(parts) * len(parts)
        for split in SPLITS
    }
    return SetInfo(name, True, "a share of each family", share, parts[0].shape)
