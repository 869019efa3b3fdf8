"""`phil reproduce`: the tables of the paper, made again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from phil.cli.options import Data
from phil.cli.output import note
from phil.errors import InputError, unknown_name

TABLES = ("table1", "transfer")
QUICK_FAMILIES = "forest,alternating_gaps"


def reproduce(
    table: Annotated[
        str,
        typer.Argument(
            metavar="TABLE",
            help="table1, or transfer: to other families, larger maps, random pairs.",
            show_default=False,
        ),
    ],
    families: Annotated[
        str | None,
        typer.Option(help="Comma-separated; all eight if not said.", show_default=False),
    ] = None,
    methods: Annotated[
        str | None,
        typer.Option(help="Comma-separated columns; all if not said.", show_default=False),
    ] = None,
    seeds: Annotated[int, typer.Option(help="Trainings of each learned method.")] = 3,
    quick: Annotated[
        bool, typer.Option("--quick", help="Small generated maps, under a minute.")
    ] = False,
    results: Annotated[
        Path, typer.Option(metavar="DIR", help="For the JSON, and its parts.")
    ] = Path("reproduced"),
    docs: Annotated[
        Path, typer.Option(metavar="DIR", help="For the Markdown and HTML reports.")
    ] = Path("reproduced"),
    heuristics: Annotated[
        Path, typer.Option(metavar="DIR", help="For the trained heuristics.")
    ] = Path("build"),
    data: Data = None,
) -> None:
    """Make a table of the paper again: train what is missing, test it, write the report.

    Every (method, family, seed) is a part that is kept and never made again; after an interruption
    the same command goes on. Two parts run at a time.
    """
    if table not in TABLES:
        raise unknown_name("table", table, TABLES)
    if seeds < 1:
        raise InputError(f"--seeds must be 1 or more, not {seeds}")
    from phil.experiments import transfer
    from phil.experiments.table1.columns import COLUMNS
    from phil.experiments.table1.command import reproduce as make
    from phil.experiments.table1.page import expansions
    from phil.experiments.table1.study import Study
    from phil.problems.generated import FAMILIES
    from phil.view.sections import table_markdown

    chosen = families or (QUICK_FAMILIES if quick else ",".join(FAMILIES))
    study = Study(
        families=chosen.split(","),
        methods=methods.split(",") if methods else tuple(COLUMNS),
        seeds=seeds,
        data=data,
        results=results,
        heuristics=heuristics,
        quick=quick,
    )
    if table == "transfer":
        wanted = transfer.Transfer(study)
        typer.echo(transfer.markdown(transfer.reproduce(wanted, docs, note)))
        return
    document = make(study, docs, note)
    typer.echo(table_markdown(expansions(document)))
    typer.echo(f"Reports: {docs / study.name}.html, {docs / study.name}.md")
