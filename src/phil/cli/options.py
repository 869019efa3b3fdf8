"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from phil.evaluation.methods import methods_help

SetName = Annotated[
    str,
    typer.Argument(
        metavar="SET",
        help="A named set such as generated/forest (see: phil problems), a map, a graph file, or a "
        "folder of maps or graphs.",
        show_default=False,
    ),
]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="Where the public data is; else $PHIL_DATA, else the cache folder.",
        show_default=False,
    ),
]
Pairs = Annotated[
    str | None,
    typer.Option(
        "--pairs",
        metavar="random|corners|FILE",
        help="Starts and goals: drawn at random, from the bottom-left corner of a map to the "
        "top-right one, or those of a file (.scen, .3dscen, or a table start,goal). If not given: "
        "corners for sets of 2D maps, random for single files and for graphs.",
        show_default=False,
    ),
]
Count = Annotated[
    int | None,
    typer.Option(
        "--count",
        metavar="N",
        help="How many random pairs, or how many of the file's.",
        show_default=False,
    ),
]
Methods = Annotated[
    list[str],
    typer.Option(
        "--method",
        "-m",
        metavar="METHOD",
        help=methods_help() + " Can be repeated.",
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
