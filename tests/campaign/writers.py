"""What writes files: training, the reproduction's runner, and files of all kinds."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from phil.errors import InputError
from phil.graphs import Graph, GridGraph
from phil.graphs.features import store
from phil.graphs.formats import write_graph
from phil.heuristics.file import write_heuristic
from phil.heuristics.phil.specification import NetworkSettings
from phil.learning import train
from phil.problems.problem import ProblemSet
from reproduction.markup import Section
from reproduction.methods import MethodSpec, train_once
from reproduction.page import Page
from reproduction.runner import Part, Stage, make_parts
from reproduction.store import Content, Store
from tests.learning.small import QUICK, grid_problems
from tests.networks import random_heuristic

OLD = b"an older file"
OUTPUT = "mine.safetensors"
TINY = QUICK | {"iterations": 2, "steps": 1, "candidates": 1, "hard": 1.0, "hard_candidates": 1}
CLOCKS = ("made", "seconds", "part_seconds", "left")  # what two runs do not have in common
GRAPH = Graph.from_edges(
    3, [(0, 1), (1, 2)], weights=[2.0, 3.0], coordinates=np.eye(3, 2), labels=["a", "b", "c"]
)
GRAPHS = ("graph.npz", "graph.graphml", "graph.gr", "graph.csv")
MAPS = ("map.npz", "map.png", "map.map")


@dataclass(frozen=True)
class Writer:
    """Something that writes into a folder, and what a user does after it has failed.

    `replaced` are files that are there before. One that is `patient` carries on without its files.
    """

    name: str
    write: Callable[[Path], None]
    again: Callable[[Path], None]
    replaced: tuple[str, ...] = ()
    patient: bool = False


@cache
def writers() -> tuple[Writer, ...]:
    """All of them."""
    return (
        Writer("train", _train, _resume, (OUTPUT,)),
        Writer("reproduction", _reproduce, _reproduce, ("results/page.md",)),
        Writer("heuristic file", _write_heuristic, _write_heuristic, (OUTPUT,)),
        Writer("graph files", _write_graphs, _write_graphs, (*GRAPHS, *MAPS, "graph.co")),
        Writer("cached features", _cache_features, _cache_features, patient=True),
    )


@cache
def _problems() -> ProblemSet:
    return ProblemSet("small", grid_problems(2, side=9), grid_problems(2, seed=1, side=9))


def _train(folder: Path, *, resume: bool = False) -> None:
    train(_problems(), settings=TINY, output=folder / OUTPUT, resume=resume, workers=1)


def _resume(folder: Path) -> None:
    try:
        _train(folder, resume=True)
    except InputError as error:
        if "nothing to resume" not in str(error):
            raise
        # It was killed before its first iteration, or when it was done.
        if (folder / OUTPUT).read_bytes() == OLD:
            _train(folder)


def _reproduce(folder: Path) -> None:
    """Two parts, one of which trains, their results in one file, and a page."""
    kept = Store(folder / "results", "it", "python -m reproduction it")
    stages = [
        Stage([Part("plain", _plain)]),
        Stage([Part("trained", partial(_trained, folder / "heuristics"))]),
    ]
    make_parts(stages, kept, lambda _: None, "local")
    page = Page("It", kept.command, [Section("All", "Nothing else.")], files={"a.png": b"dots"})
    page.write(folder / "results", "page")


def _plain() -> Content:
    return {"number": 3}


def _trained(folder: Path) -> Content:
    spec = MethodSpec("it", "It", method="phil", quick=TINY | {"hard_candidates": 0})
    output = train_once(folder / "it.safetensors", _problems(), spec, 0, quick=True)
    return {"bytes": len(output.read_bytes())}


def _write_heuristic(folder: Path) -> None:
    write_heuristic(folder / OUTPUT, random_heuristic(NetworkSettings(width=3, memory=2)))


def _write_graphs(folder: Path) -> None:
    for name in GRAPHS:
        write_graph(folder / name, GRAPH)
    for name in MAPS:
        write_graph(folder / name, GridGraph(np.eye(3, dtype=bool)))


def _cache_features(folder: Path) -> None:
    path, table = folder / "features" / "table.npy", np.eye(3)
    store.write(path, table)
    read = store.read(path, (3, 3))
    assert read is None or np.array_equal(read, table)


def contents(folder: Path) -> dict[str, object]:
    """All files of a folder as they must be after any number of failures."""
    return {
        str(path.relative_to(folder)): _content(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _content(path: Path) -> object:
    """The content of a file without what clocks say; the bytes of a damaged one."""
    data = path.read_bytes()
    try:
        if path.suffix == ".jsonl":
            return [_timeless(json.loads(line)) for line in data.splitlines()]
        return _timeless(json.loads(data)) if path.suffix == ".json" else data
    except ValueError:
        return data


def _timeless(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    return {key: _timeless(other) for key, other in value.items() if key not in CLOCKS}
