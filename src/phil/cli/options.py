"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

SetName = Annotated[
    str,
    typer.Argument(
        metavar="SET",
        help="grids/FAMILY, generated/FAMILY, or a folder of PNG maps (see: phil problems).",
        show_default=False,
    ),
]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="Where the public maps are; else $PHIL_DATA, else the cache folder.",
        show_default=False,
    ),
]
Pairs = Annotated[
    str,
    typer.Option(
        "--pairs",
        metavar="corners|random",
        help="Start and goal of a map: bottom-left to top-right, or drawn at random.",
    ),
]
Methods = Annotated[
    list[str],
    typer.Option(
        "--method",
        "-m",
        metavar="METHOD",
        help="greedy(H), astar(H), bounded(H, 1.5) for paths of at most 1.5 times the least cost, "
        "H alone for greedy(H), astar for astar(euclidean), or bfs. H is euclidean, manhattan, "
        "octile, oracle, phil:FAMILY or a heuristic file. Can be repeated.",
        show_default=False,
    ),
]
Limit = Annotated[
    int | None,
    typer.Option(
        "--limit", metavar="N", help="Give a search up after N expansions.", show_default=False
    ),
]
JsonFile = Annotated[
    Path | None,
    typer.Option(
        "--json",
        metavar="FILE",
        help="Write the result as JSON; - for standard output, and nothing else there.",
        show_default=False,
    ),
]
