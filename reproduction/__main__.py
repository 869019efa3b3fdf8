"""`python -m reproduction`: the tables and figures of the paper, made again."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from phil.cli.output import note, say
from phil.cli.run import run
from phil.errors import InputError, unknown_name

PROGRAM = "python -m reproduction"
ALL, REPORT, COMPARE = "all", "report", "compare"


def reproduce(
    what: Annotated[
        str,
        typer.Argument(
            metavar="WHAT",
            help="table1 (maps), table2 (graphs), table3 (drones in rooms), transfer (to other "
            "families of maps, larger maps, random pairs), ablations, runtime (milliseconds per "
            "node) or figures; all: every one of these, and a report; report: rewrite all pages "
            "from the results; compare A.json B.json; speed [PART ...]; features SET ... (their "
            "cost); carry [PART ...] (one heuristic for any map); planning (Neural A* on 32 x 32 "
            "maps); one-map (a heuristic for each of some maps); domain (implicit graphs); "
            "paths (their cost, and smoothed); bounds (against weighted A*); "
            "scenarios (published lengths); generated-maps (compared with the public ones); "
            "playground-pictures (in docs/images); shipped (the heuristics inside the package).",
            show_default=False,
        ),
    ],
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[NAME ...]",
            help="Results of two runs to compare, parts of speed or carry, or sets for features.",
            show_default=False,
        ),
    ] = None,
    families: Annotated[
        str | None,
        typer.Option(help="Families of maps, comma-separated.", show_default="all"),
    ] = None,
    sets: Annotated[
        str | None,
        typer.Option(help="Sets of graphs, comma-separated.", show_default="all"),
    ] = None,
    tiers: Annotated[
        str | None,
        typer.Option(
            help="Features of graphs, comma-separated: 1 the paper's, 2 with degree, 3 with "
            "neighbourhood, 4 with landmarks.",
            show_default="all",
        ),
    ] = None,
    rooms: Annotated[
        str | None,
        typer.Option(help="Rooms, comma-separated.", show_default="all"),
    ] = None,
    maps: Annotated[
        str | None,
        typer.Option(
            help="Shipped heuristics for any map, comma-separated: map, voxels.",
            show_default="all",
        ),
    ] = None,
    studies: Annotated[
        str | None,
        typer.Option(help="Ablations, comma-separated.", show_default="all"),
    ] = None,
    methods: Annotated[
        str | None,
        typer.Option(help="Columns, comma-separated.", show_default="all"),
    ] = None,
    seeds: Annotated[
        int | None,
        typer.Option(
            help="Trainings of each learned method.",
            show_default="3, or 1 in quick runs of all",
        ),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick", help="Small maps, graphs or rooms: a minute each, all in five minutes."
        ),
    ] = False,
    times: Annotated[
        bool,
        typer.Option(help="Measure milliseconds at the end, which needs an idle machine."),
    ] = True,
    results: Annotated[Path, typer.Option(metavar="DIR", help="For the results (JSON).")] = Path(
        "reproduced"
    ),
    docs: Annotated[
        Path, typer.Option(metavar="DIR", help="For the pages (Markdown and HTML).")
    ] = Path("reproduced"),
    heuristics: Annotated[
        Path, typer.Option(metavar="DIR", help="For the trained heuristics.")
    ] = Path("build"),
    data: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of the public maps.", show_default="PHIL_DATA"),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            metavar="local|processes[:N]|ray[://ADDRESS]",
            help="Where parts are made. Machines of a Ray cluster must share the folders.",
            show_default="processes:2, or local in quick runs",
        ),
    ] = None,
) -> None:
    """Make a table of the paper again: train what is missing, test it, write its page.

    A run consists of parts, such as one method on one family with one seed. Several run at a time;
    each is kept when it is done, so after an interruption the same command continues.
    """
    from reproduction.registry import COMMANDS, EXPERIMENTS, IN_ALL

    known = (*EXPERIMENTS, ALL, REPORT, COMPARE, *COMMANDS)
    if what not in known:
        raise unknown_name("experiment", what, known)
    if what == COMPARE:
        _compare(files or [])
        return
    names = tuple(str(name) for name in files or ())
    options = {name: one.options for name, one in (EXPERIMENTS | COMMANDS).items()}
    if names and what not in COMMANDS and "parts" not in options.get(what, ()):
        raise InputError(f"{names[0]}: files are for `{PROGRAM} compare A.json B.json`")
    if seeds is not None and seeds < 1:
        raise InputError(f"--seeds must be 1 or more, not {seeds}")
    narrowed = {
        "families": families,
        "sets": sets,
        "tiers": tiers,
        "rooms": rooms,
        "maps": maps,
        "studies": studies,
        "methods": methods,
    }
    only = {option: tuple(text.split(",")) for option, text in narrowed.items() if text is not None}
    for option in only:
        if option not in options.get(what, ()):
            raise InputError(f"--{option} is not for {what}, which is about other problems")

    from reproduction.experiment import Request

    request = Request(
        results=results,
        docs=docs,
        heuristics=heuristics,
        data=data,
        seeds=seeds or (1 if what in (ALL, REPORT) and quick else 3),
        quick=quick,
        times=times,
        only={**only, "parts": names} if names else only,
        on=on,
    )
    if what in COMMANDS:
        command = import_module(COMMANDS[what].module)
        for folder in (results, docs):
            folder.mkdir(parents=True, exist_ok=True)
        if not command.run(request, names):
            raise typer.Exit(1)
        return
    if what in EXPERIMENTS:
        say(*EXPERIMENTS[what].reproduce(request, note).split("\n"))
        pages = [docs / f"{request.named(what)}.{suffix}" for suffix in ("html", "md")]
        say("Reports: " + ", ".join(str(page) for page in pages if page.exists()))
        return
    from reproduction.everything.report import write_report
    from reproduction.everything.run import display, reproduce_all

    if what == REPORT:
        for experiment in EXPERIMENTS.values():
            if experiment.store(request).path.exists():
                experiment.write_page(request)
        path = write_report(IN_ALL, request)
    else:
        with display() as shown:
            path = reproduce_all(IN_ALL, request, shown)
    say(f"Report: {path}")


def _compare(files: list[Path]) -> None:
    if len(files) != 2:
        raise InputError(f"say which two: {PROGRAM} compare A.json B.json")
    from reproduction.everything.compare import compare, comparison
    from reproduction.markup import section_markdown
    from reproduction.registry import EXPERIMENTS

    first, second = files
    compared = comparison(compare(EXPERIMENTS, first, second), first, second)
    say(*section_markdown(compared).split("\n"))


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
app.command(epilog=f"Example: {PROGRAM} table1 --families forest --seeds 1")(reproduce)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 2 bad input or usage."""
    run(app, PROGRAM, arguments)


if __name__ == "__main__":
    main()
