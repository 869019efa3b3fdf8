"""`phil convert`: convert a graph or map to another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from phil.cli.options import AllowOutside, Weight
from phil.cli.output import note
from phil.files import check_writable
from phil.graphs.formats.registry import readable, written


def convert(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="IN",
            help="A graph or map file, gzipped or not; the format is detected from its content: "
            f"{readable()}.",
            show_default=False,
        ),
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="OUT",
            help="The file to write; its ending sets the format: "
            f"{', '.join(written('graphs'))} for graphs; {', '.join(written('maps'))} for maps, "
            "which the other formats hold as graphs of their free cells. Only .npz preserves "
            "everything.",
            show_default=False,
        ),
    ],
    mapped: Annotated[
        bool,
        typer.Option(
            "--mapped",
            help="For .npz: write a file that is mapped into memory when it is read. A graph of "
            "100 million edges then opens in about a second, and all processes share its memory.",
        ),
    ] = False,
    weight: Weight = None,
    allow_outside: AllowOutside = False,
) -> None:
    """Convert a graph or map to another format."""
    from phil.graphs.formats import read_graph, write_graph

    check_writable(target)
    graph = read_graph(source, weight=weight)
    write_graph(target, graph, mapped=mapped)
    apart = graph.is_grid and target.suffix.lower() not in written("maps")
    note(f"wrote {target}: {graph}{', as a graph of its free cells' if apart else ''}")
