"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def _allow_outside(context: typer.Context, allowed: bool) -> bool:
    if allowed:
        from phil.graphs.formats.source import outside_allowed

        context.with_resource(outside_allowed())
    return allowed


AllowOutside = Annotated[
    bool,
    typer.Option(
        "--allow-outside",
        callback=_allow_outside,
        help="Let a file name files outside its own folder, such as the image of a ROS map or the "
        "meshes of a scene. Only for files that you trust.",
        show_default=False,
    ),
]
SetName = Annotated[
    str,
    typer.Argument(
        metavar="SET",
        help="A problem set such as generated/forest (list them with: phil problems), a map or "
        "graph file, a folder of such files, or a Parquet file of problems (docs/data.md).",
        show_default=False,
    ),
]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="Folder of the public data sets (default: $PHIL_DATA, or else the user cache).",
        show_default=False,
    ),
]
Pairs = Annotated[
    str | None,
    typer.Option(
        "--pairs",
        metavar="random|corners|FILE",
        help="Start-goal pairs: random, corners (bottom left to top right of each map), or a file "
        "(.scen, .3dscen, or a table with the columns start,goal). Default: corners for sets of 2D "
        "maps, random for single files and for graphs.",
        show_default=False,
    ),
]
Count = Annotated[
    int | None,
    typer.Option(
        "--count",
        metavar="N",
        help="Number of pairs to draw: random ones, or lines of the whole file of pairs. The seed "
        "decides which.",
        show_default=False,
    ),
]
Weight = Annotated[
    str | None,
    typer.Option(
        "--weight",
        metavar="NAME",
        help="The edge attribute of a graph file to use as weight, such as travel_time (default: "
        "weight, length or travel_time, the first there is).",
        show_default=False,
    ),
]
METHOD_HELP = (
    "The search and its heuristic, such as astar, phil:forest or your own my_file.py:MyHeuristic "
    "(all methods: phil evaluate --help)."
)
MethodName = Annotated[
    str,
    typer.Option(
        "--method",
        "-m",
        metavar="METHOD",
        help=METHOD_HELP,
        show_default=False,
    ),
]
Limit = Annotated[
    int | None,
    typer.Option(
        "--limit", metavar="N", help="Stop a search after N expansions.", show_default=False
    ),
]
JsonFile = Annotated[
    Path | None,
    typer.Option(
        "--json",
        metavar="FILE",
        help="Write the result as JSON; - writes it to standard output instead of the table.",
        show_default=False,
    ),
]
ProblemSeed = Annotated[
    int, typer.Option("--seed", help="Random seed for drawn pairs and generated maps.")
]
On = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="local|processes[:N]|ray[://ADDRESS]",
        help="Where the work runs: in this process, in N other processes (one per core), or on a "
        "Ray cluster. The results are the same everywhere.",
    ),
]
