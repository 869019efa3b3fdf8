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
        help="A problem set such as generated/forest (see: phil problems), a map or graph file, or "
        "a folder of them.",
        show_default=False,
    ),
]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="The folder with the public data (default: $PHIL_DATA, else the user's cache).",
        show_default=False,
    ),
]
Pairs = Annotated[
    str | None,
    typer.Option(
        "--pairs",
        metavar="random|corners|FILE",
        help="Start and goal pairs: drawn at random, from the bottom-left corner of a map to the "
        "top-right one, or read from a file (.scen, .3dscen, or a table with columns start,goal). "
        "Default: corners for sets of 2D maps, random for single files and for graphs.",
        show_default=False,
    ),
]
Count = Annotated[
    int | None,
    typer.Option(
        "--count",
        metavar="N",
        help="The number of random pairs, or of pairs to read from the file.",
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
        "--limit", metavar="N", help="Stop a search after N expansions.", show_default=False
    ),
]
JsonFile = Annotated[
    Path | None,
    typer.Option(
        "--json",
        metavar="FILE",
        help="Write the result as JSON; with -, to standard output instead of the table.",
        show_default=False,
    ),
]
ProblemSeed = Annotated[
    int, typer.Option("--seed", help="Seed of random pairs and of generated maps.")
]
