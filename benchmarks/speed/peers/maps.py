"""The maps on which libraries are compared, and between which cells."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.speed.maps import solvable
from benchmarks.speed.peers.query import KING, OCTILE, STRICT, Cell, Query, Rule
from benchmarks.speed.scale import Scale
from phil.graphs import GridGraph
from phil.graphs.formats import read_movingai_map, read_scenarios
from phil.problems.data_files import data_folders
from phil.problems.generated import generate_map

MAPS_PER_FAMILY = 1
LARGE = {"forest": 1001, "mazes": 1001}
MOVINGAI = (
    "bg512/AR0300SR",
    "cities/Berlin_0_512",
    "mazes/maze512-8-0",
    "random/random512-20-0",
)
CITIES = ("cities/Berlin_0_1024",)
FAR = 0.8  # of a map's scenarios in order of length, which one is taken


def queries(scale: Scale) -> Iterator[Query]:
    """All queries; public maps that are not found are left out."""
    for family in scale.families:
        yield from _family(scale, family)
    if not scale.quick:
        for kind, names in (("MovingAI 512x512", MOVINGAI), ("MovingAI 1024x1024", CITIES)):
            for name in names:
                yield from _movingai(scale, kind, name)
        for family, side in LARGE.items():
            free = generate_map(family, np.random.default_rng(0), (side, side))
            ends = (side - 1, 0), (0, side - 1)
            kind = f"generated {side}x{side}"
            yield from _asked(kind, family, free, ends, (KING, OCTILE), f"phil:{family}")


def _family(scale: Scale, family: str) -> Iterator[Query]:
    for problem in solvable(scale.problems(family).test, 1 if scale.quick else MAPS_PER_FAMILY):
        grid = problem.graph
        assert isinstance(grid, GridGraph)
        rows, columns = grid.shape
        ends = grid.cell(problem.start), grid.cell(problem.goal)
        rules = (KING, OCTILE, STRICT) if scale.quick else (KING, OCTILE)
        kind = f"{'generated' if scale.quick else 'public'} {rows}x{columns}"
        yield from _asked(kind, problem.name, grid.free, ends, rules, f"phil:{family}")


def _movingai(scale: Scale, kind: str, name: str) -> Iterator[Query]:
    path = next((at for at in _files(scale.data, name) if at.is_file()), None)
    if path is None:
        return
    free = read_movingai_map(path).free
    scenarios = sorted(read_scenarios(f"{path}.scen"), key=lambda scenario: scenario.optimal)
    far = scenarios[int(FAR * len(scenarios))]
    yield from _asked(kind, name, free, (far.start, far.goal), (KING, STRICT), "phil:forest")


def _files(data: Path | None, name: str) -> list[Path]:
    return [folder / "maps" / f"{name}.map" for folder in data_folders(data)]


def _asked(
    kind: str,
    name: str,
    free: NDArray[np.bool_],
    ends: tuple[Cell, Cell],
    rules: tuple[Rule, ...],
    learned: str,
) -> Iterator[Query]:
    for rule in rules:
        yield Query(kind, name, free, *ends, rule, learned)
