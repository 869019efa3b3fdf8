"""`phil problems`: list the problem sets, download their data, or write one to a file."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from phil.cli.options import Count, Data, JsonFile, Pairs, ProblemSeed, Weight
from phil.cli.output import check_json_target, emit, note, number, table
from phil.errors import InputError, unknown_name
from phil.files import check_writable

if TYPE_CHECKING:
    from phil.problems import SetInfo


def problems(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SET",
            help="The sets to list (default: all); also a file or folder.",
            show_default=False,
        ),
    ] = None,
    download: Annotated[
        bool,
        typer.Option(
            "--download",
            help="First download these sets (default: the public maps) into the --data folder. "
            "Graphs are fetched with PyTorch Geometric, OGB or OSMnx: pip install "
            r"'phil-search\[data]'.",
        ),
    ] = False,
    place: Annotated[
        str | None,
        typer.Option(
            "--place",
            metavar="TEXT",
            help='With --download roads/NAME: the place to fetch, such as "Modena, Italy".',
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE.parquet",
            help="Write the problems of one SET to a Parquet file, one row per graph, of which any "
            r"number are read without holding them in memory: pip install 'phil-search\[ray]'.",
            show_default=False,
        ),
    ] = None,
    pairs: Pairs = None,
    count: Count = None,
    seed: ProblemSeed = 0,
    weight: Weight = None,
    data: Data = None,
    json_file: JsonFile = None,
) -> None:
    """List the problem sets, their sizes, and whether their data is installed."""
    from phil.problems import open_set, write_set
    from phil.problems.registry import download_sets, list_sets

    check_json_target(json_file)
    if output is None and (pairs, count, seed, weight) != (None, None, 0, None):
        raise InputError("--pairs, --count, --seed and --weight are for --output")
    if output is not None and len(names or ()) != 1:
        raise InputError("--output writes one set; name it: phil problems SET -o FILE.parquet")
    if download:
        download_sets(names or ["grids"], data, place=place, report=note)
    if output is not None and names:
        check_writable(output)
        problem_set = open_set(
            names[0], data=data, pairs=pairs, seed=seed, count=count, weight=weight
        )
        write_set(output, problem_set)
        note(f"wrote {output}: {problem_set}")
        return
    sets = list_sets(data)
    if names:
        sets = _chosen(sets, names, data)
    emit({"sets": [asdict(info) for info in sets]}, _set_table(sets), json_file)


def _chosen(sets: list[SetInfo], names: list[str], data: Path | None) -> list[SetInfo]:
    """The sets with these names, or from a source such as `roads`, or at these paths."""
    from phil.problems.registry import info_of

    known = {info.name for info in sets}.union(info.name.partition("/")[0] for info in sets)
    paths = [name for name in names if name not in known and os.path.exists(name)]
    for name in names:
        if name not in known and name not in paths:
            raise unknown_name("problem set", name, known)
    found = [info for info in sets if info.name in names or info.name.partition("/")[0] in names]
    return [*found, *(info_of(path, data) for path in paths)]


def _set_table(sets: list[SetInfo]) -> Table:
    from phil.problems import SPLITS

    shown = table("set", *SPLITS, "size")
    shown.add_column("found", overflow="fold")
    for info in sets:
        counts = [number(info.counts.get(split), 0) for split in SPLITS]
        where = info.where if info.found else f"no: {info.where}"
        shown.add_row(info.name, *counts, _size(info), where)
    return shown


def _size(info: SetInfo) -> str:
    """The cells of a map, or the nodes and edges of a graph (means, if there are several)."""
    if info.shape:
        return "x".join(str(side) for side in info.shape)
    if not info.graphs:
        return "-"
    if info.nodes is None or info.edges is None:
        return f"{info.graphs:,} graph{'s' * (info.graphs > 1)}"
    if info.graphs == 1:
        return f"{info.nodes:,} nodes, {info.edges:,} edges"
    nodes, edges = info.nodes / info.graphs, info.edges / info.graphs
    return f"{info.graphs:,} graphs: {nodes:,.1f} nodes, {edges:,.1f} edges"
