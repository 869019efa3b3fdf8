"""`phil convert`: a graph or map from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from phil.cli.output import note
from phil.files import check_writable


def convert(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="IN",
            help="A graph or map, plain or gzip; its format is recognised by content: GraphML, "
            "DIMACS .gr (with .co), CSV or TSV edge list (with a table of nodes), .npz, PNG, .npy, "
            "MovingAI .map, Warframe .3dmap, ROS map.yaml, MuJoCo scene.",
            show_default=False,
        ),
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="OUT",
            help="Where to write it. The ending says the format: .npz (all that it has), .graphml, "
            ".gr, .csv, .geojson for graphs; .npz, .png, .map, .3dmap for maps.",
            show_default=False,
        ),
    ],
) -> None:
    """Convert a graph or map to another format."""
    from phil.graphs.formats import read_graph, write_graph

    check_writable(target)
    graph = read_graph(source)
    write_graph(target, graph)
    note(f"wrote {target}: {graph}")
