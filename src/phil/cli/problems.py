"""`phil problems`: which sets there are, and whether their data is found."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from phil.cli.options import Data, JsonFile
from phil.cli.output import check_json_target, emit, note, number, table

if TYPE_CHECKING:
    from phil.problems.info import SetInfo

SPLITS = ("train", "validation", "test")


def problems(
    download: Annotated[
        bool,
        typer.Option(
            "--download", help="First fetch the public maps, into DIR or the cache folder."
        ),
    ] = False,
    data: Data = None,
    json_file: JsonFile = None,
) -> None:
    """List the problem sets, whether their data is found, and their sizes."""
    from phil.problems.catalog import list_sets

    check_json_target(json_file)
    if download:
        from phil.problems.download import download as fetch

        fetch(data, report=note)
    sets = list_sets(data)
    emit({"sets": [asdict(info) for info in sets]}, _set_table(sets), json_file)


def _set_table(sets: list[SetInfo]) -> Table:
    shown = table("set", *SPLITS, "size")
    shown.add_column("found", overflow="fold")
    for info in sets:
        counts = [number(info.counts.get(split), 0) for split in SPLITS]
        where = info.where if info.found else f"no: {info.where}"
        shown.add_row(info.name, *counts, _size(info), where)
    return shown


def _size(info: SetInfo) -> str:
    """The cells of a map, or the nodes and edges of a graph (their means, if there are many)."""
    if info.shape:
        return "x".join(str(side) for side in info.shape)
    if not info.graphs or info.nodes is None or info.edges is None:
        return "-"
    if info.graphs == 1:
        return f"{info.nodes:,} nodes, {info.edges:,} edges"
    nodes, edges = info.nodes / info.graphs, info.edges / info.graphs
    return f"{info.graphs:,} graphs: {nodes:,.1f} nodes, {edges:,.1f} edges"
