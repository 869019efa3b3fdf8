"""`phil reproduce`: the tables of the paper, made again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from phil.cli.options import Data
from phil.cli.output import note
from phil.errors import InputError, unknown_name

TABLES = ("table1", "table2", "table3", "transfer")
QUICK_FAMILIES = ("forest", "alternating_gaps")


def reproduce(
    table: Annotated[
        str,
        typer.Argument(
            metavar="TABLE",
            help="table1 (maps), table2 (graphs), table3 (drones in rooms), or transfer: to other "
            "families of maps, larger maps, random pairs.",
            show_default=False,
        ),
    ],
    families: Annotated[
        str | None,
        typer.Option(help="Of maps; comma-separated; all eight if not said.", show_default=False),
    ] = None,
    sets: Annotated[
        str | None,
        typer.Option(help="Of graphs; comma-separated; all if not said.", show_default=False),
    ] = None,
    tiers: Annotated[
        str | None,
        typer.Option(
            help="Features of graphs: 1 the paper's, 2 with degree, 3 with neighbourhood, 4 with "
            "landmarks; comma-separated; all if not said.",
            show_default=False,
        ),
    ] = None,
    rooms: Annotated[
        str | None,
        typer.Option(help="Comma-separated; both if not said.", show_default=False),
    ] = None,
    methods: Annotated[
        str | None,
        typer.Option(help="Comma-separated columns; all if not said.", show_default=False),
    ] = None,
    seeds: Annotated[int, typer.Option(help="Trainings of each learned method.")] = 3,
    quick: Annotated[
        bool, typer.Option("--quick", help="Small maps, graphs or rooms, under a minute.")
    ] = False,
    times: Annotated[
        bool,
        typer.Option(help="Measure milliseconds, at the end; they need an idle machine."),
    ] = True,
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

    Every (method, family, set or room, tier, seed) is a part that is kept and never made again;
    after an interruption the same command goes on. Two parts run at a time.
    """
    if table not in TABLES:
        raise unknown_name("table", table, TABLES)
    if seeds < 1:
        raise InputError(f"--seeds must be 1 or more, not {seeds}")
    for option, value, tables in (
        ("--families", families, ("table1", "transfer")),
        ("--sets", sets, ("table2",)),
        ("--tiers", tiers, ("table2",)),
        ("--rooms", rooms, ("table3",)),
    ):
        if value is not None and table not in tables:
            raise InputError(f"{option} is not for {table}, which is about other problems")
    from phil.view.sections import table_markdown

    if table == "table2":
        from phil.experiments import table2

        graphs = table2.Study(
            sets=_split(sets, table2.QUICK_SETS if quick else table2.SETS),
            tiers=_split(tiers, table2.TIERS),
            methods=_split(methods, table2.COLUMNS),
            seeds=seeds,
            data=data,
            results=results,
            heuristics=heuristics,
            quick=quick,
        )
        typer.echo(table_markdown(table2.ratios(table2.reproduce(graphs, docs, note, times=times))))
        typer.echo(f"Reports: {docs / graphs.name}.html, {docs / graphs.name}.md")
        return
    if table == "table3":
        from phil.experiments import table3

        flights = table3.Study(
            rooms=_split(rooms, table3.ROOMS),
            methods=_split(methods, table3.COLUMNS),
            seeds=seeds,
            results=results,
            heuristics=heuristics,
            quick=quick,
        )
        document = table3.reproduce(flights, docs, note, times=times)
        typer.echo(table_markdown(table3.ratios(document)))
        typer.echo(f"Reports: {docs / flights.name}.html, {docs / flights.name}.md")
        return
    from phil.experiments import table1, transfer
    from phil.problems.generated import FAMILIES

    maps = table1.Study(
        families=_split(families, QUICK_FAMILIES if quick else FAMILIES),
        methods=_split(methods, table1.COLUMNS),
        seeds=seeds,
        data=data,
        results=results,
        heuristics=heuristics,
        quick=quick,
    )
    if table == "transfer":
        wanted = transfer.Transfer(maps)
        typer.echo(transfer.markdown(transfer.reproduce(wanted, docs, note)))
        return
    typer.echo(table_markdown(table1.expansions(table1.reproduce(maps, docs, note, times=times))))
    typer.echo(f"Reports: {docs / maps.name}.html, {docs / maps.name}.md")


def _split(text: str | None, everything: Iterable[str]) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else tuple(everything)
