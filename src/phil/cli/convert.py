"""`phil convert`: a map or graph in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from phil.files import check_writable


def convert(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="IN", help="A map or a graph file of any format.", show_default=False
        ),
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="OUT",
            help="Its ending says the format: .npz keeps all; graphs .graphml, .gr, .csv, "
            ".geojson; maps .png, .map, .3dmap.",
            show_default=False,
        ),
    ],
) -> None:
    """Write a map or graph in another format."""
    from phil.graphs.formats import read_graph, write_graph

    check_writable(target)
    graph = read_graph(source)
    write_graph(target, graph)
    typer.echo(f"Wrote {target}: {graph}")
