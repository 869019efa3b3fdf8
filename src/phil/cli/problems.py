"""`phil problems`: list the problem sets, and download their data."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from phil.cli.options import Data, JsonFile
from phil.cli.output import check_json_target, emit, note, number, table
from phil.errors import unknown_name

if TYPE_CHECKING:
    from phil.problems import SetInfo


def problems(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SET",
            help="The sets to list (default: all).",
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
    data: Data = None,
    json_file: JsonFile = None,
) -> None:
    """List the problem sets, their sizes, and whether their data is installed."""
    from phil.problems.registry import download_sets, list_sets

    check_json_target(json_file)
    if download:
        download_sets(names or ["grids"], data, place=place, report=note)
    sets = list_sets(data)
    if names:
        sets = _chosen(sets, names)
    emit({"sets": [asdict(info) for info in sets]}, _set_table(sets), json_file)


def _chosen(sets: list[SetInfo], names: list[str]) -> list[SetInfo]:
    """The sets with these names, or from a source such as `roads`."""
    known = {info.name for info in sets}.union(info.name.partition("/")[0] for info in sets)
    for name in names:
        if name not in known:
            raise unknown_name("problem set", name, known)
    return [info for info in sets if info.name in names or info.name.partition("/")[0] in names]


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
    if not info.graphs or info.nodes is None or info.edges is None:
        return "-"
    if info.graphs == 1:
        return f"{info.nodes:,} nodes, {info.edges:,} edges"
    nodes, edges = info.nodes / info.graphs, info.edges / info.graphs
    return f"{info.graphs:,} graphs: {nodes:,.1f} nodes, {edges:,.1f} edges"
