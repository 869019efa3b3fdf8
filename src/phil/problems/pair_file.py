"""Starts and goals from a file: the scenarios of a public map, or a user's own table.

A file that starts with `version` is a MovingAI `.scen` or, for 3D maps, a Warframe `.3dscen`. Any
other file is a table with columns separated by commas or tabs: the labels `start,goal` on a graph,
`start row,start column,goal row,goal column` on a 2D map, and x, y and z of both on a 3D map. The
first line may be a header.

Evaluation uses all pairs in a file. For training they are split 80/10/10 by the pairs themselves,
so that a repeated pair is in one split only. A smaller number of pairs is drawn from the whole
file, since its first lines may be the easiest: MovingAI's scenarios are sorted by path length.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from phil.errors import InputError, one_line
from phil.graphs import AnyGraph
from phil.graphs.formats.movingai import Scenario, read_scenarios
from phil.graphs.formats.source import line_error, read_bytes, read_head
from phil.graphs.formats.voxels import VoxelScenario, read_3d_scenarios
from phil.problems.pairs import seeded
from phil.problems.problem import Problem, ProblemSet, shuffled_split

SCENARIOS = b"version"
HEADER = ["start", "goal"]


@dataclass(frozen=True)
class FilePair:
    """A start and a goal, and their line in the file."""

    line: int
    start: int
    goal: int
    published: float | None = None  # the optimal cost, according to the file


def pair_file_set(
    name: str, graph: AnyGraph, path: str | Path, count: int | None = None, seed: int = 0
) -> ProblemSet:
    """The problems of a file of pairs, named `<file>:<line>`; `count` of them, drawn by the seed.

    They keep the order of the file. With the same seed, fewer are a part of more.
    """
    if count is not None and count < 1:
        raise InputError(f"--count must be at least 1, not {count}")
    pairs = read_pairs(path, graph)
    if count is not None:
        drawn = seeded(seed, "pairs").permutation(len(pairs))[:count]
        pairs = [pairs[k] for k in sorted(drawn.tolist())]
    parts = shuffled_split(_key(pair) for pair in pairs)
    split_of = {key: split for split, keys in parts.items() for key in keys}
    problems: dict[str, list[Problem]] = {split: [] for split in parts}
    for pair in pairs:
        where = f"{Path(path).name}:{pair.line}"
        problem = Problem(graph, pair.start, pair.goal, where, pair.published)
        problems[split_of[_key(pair)]].append(problem)
    return ProblemSet(name, **{split: tuple(listed) for split, listed in problems.items()})


def read_pairs(path: str | Path, graph: AnyGraph) -> list[FilePair]:
    """The pairs of a file."""
    scenarios = read_head(path).startswith(SCENARIOS)
    found = _scenario_pairs(path, graph) if scenarios else _table_pairs(path, graph)
    pairs = list(found)
    if not pairs:
        raise InputError(f"{path} holds no pairs; write a line for each, {_form(graph)}")
    return pairs


def _key(pair: FilePair) -> str:
    return f"{pair.start},{pair.goal}"


def _scenario_pairs(path: str | Path, graph: AnyGraph) -> Iterator[FilePair]:
    if not graph.is_grid:
        raise InputError(
            f"{path} holds scenarios of a map, but the graph is not a map; write a table of its "
            f"labels, {_form(graph)}"
        )
    listed: Sequence[Scenario | VoxelScenario]
    listed = read_scenarios(path) if len(graph.shape) == 2 else read_3d_scenarios(path)
    for scenario in listed:
        if isinstance(scenario, Scenario) and scenario.shape != graph.shape:
            sizes = [" x ".join(map(str, shape)) for shape in (scenario.shape, graph.shape)]
            what = f"this scenario is for a map of {sizes[0]} cells, but the map has {sizes[1]}"
            raise line_error(path, scenario.line, what)
        try:
            start, goal = (
                graph.check_node(graph.node(*cell), "the cell")
                for cell in (scenario.start, scenario.goal)
            )
        except InputError as error:
            raise line_error(path, scenario.line, str(error)) from error
        yield FilePair(scenario.line, start, goal, scenario.optimal)


def _table_pairs(path: str | Path, graph: AnyGraph) -> Iterator[FilePair]:
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path} is not a file of pairs: byte {error.start} is not UTF-8 text; give a .scen or "
            ".3dscen file or a table"
        ) from error
    tabs = "\t" in text.partition("\n")[0]
    rows = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if tabs else ",", strict=True)
    try:
        for number, row in enumerate(rows):
            if not any(part.strip() for part in row) or (not number and _is_header(row, graph)):
                continue
            try:
                yield FilePair(rows.line_num, *_ends(row, graph))
            except InputError as error:
                raise line_error(path, rows.line_num, str(error)) from error
    except csv.Error as error:
        raise line_error(path, rows.line_num, f"{one_line(error)}; write {_form(graph)}") from error


def _is_header(row: list[str], graph: AnyGraph) -> bool:
    if graph.is_grid:
        return not any(re.search(r"\d", part) for part in row)
    return [part.strip().lower() for part in row] == HEADER


def _ends(row: list[str], graph: AnyGraph) -> tuple[int, int]:
    if graph.is_grid:
        numbers = ",".join(row).split(",")  # a cell may also be one quoted column
        axes = len(graph.shape)
        if len(numbers) == 2 * axes:
            start, goal = numbers[:axes], numbers[axes:]
            return graph.find_node(",".join(start)), graph.find_node(",".join(goal))
    elif len(row) == 2:
        return graph.find_node(row[0]), graph.find_node(row[1])
    raise InputError(f"{len(row)} columns; a pair is {_form(graph)}")


def _form(graph: AnyGraph) -> str:
    if graph.is_grid:
        return f"a start and a goal, each {graph.cell_form}"
    return "start,goal: the labels of two nodes" if graph.labels else "start,goal: two node numbers"
