"""The `phil` program: its commands, and how it reports errors."""

from __future__ import annotations

import errno
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from phil.cli.advise import advise
from phil.cli.convert import convert
from phil.cli.demo import demo
from phil.cli.evaluate import evaluate
from phil.cli.fly import fly
from phil.cli.info import info
from phil.cli.output import note
from phil.cli.plugins import load_plugins
from phil.cli.problems import problems
from phil.cli.solve import solve
from phil.cli.train import train
from phil.cli.warmup import warmup
from phil.errors import InputError

BAD_INPUT = 2

app = typer.Typer(
    help="Learn search heuristics from example maps and graphs, and search with them.",
    epilog="Example: phil evaluate generated/forest -m phil:forest -m astar",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"phil {version('phil-search')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
    plugin: Annotated[
        list[str] | None,
        typer.Option(
            "--plugin",
            metavar="FILE",
            help="A Python file or module that registers heuristics, searches, formats or problem "
            "sets. Repeatable; $PHIL_PLUGINS lists further ones.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Handle the options that precede a command."""
    load_plugins(plugin or ())


app.command(epilog="Example: phil problems --data maps")(problems)
app.command(epilog="Example: phil train generated/forest -o forest.safetensors")(train)
app.command(epilog="Example: phil evaluate generated/forest -m phil:forest -m astar -m bfs")(
    evaluate
)
app.command(
    epilog="Example: phil solve map.png --start 200,0 --goal 0,200 -m phil:forest --picture out.png"
)(solve)
app.command(
    epilog="Example: phil fly rooms/adversarial --seed 3 -m phil:room_adversarial -o flight.mp4"
)(fly)
app.command(epilog="Example: phil info city.graphml")(info)
app.command(epilog="Example: phil advise city.graphml --train --expansion-cost 5")(advise)
app.command(epilog="Example: phil convert city.graphml city.npz")(convert)
app.command(epilog="Example: phil demo")(demo)
app.command(epilog="Example: phil warmup")(warmup)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit with its code: 0 done, 1 no path or limit reached, 2 bad input."""
    try:
        app(args=arguments, prog_name="phil")
    except InputError as error:
        problem = str(error)
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        where = f"{error.filename}: " if error.filename else ""
        problem = f"{where}{error.strerror or error}"
    note("error: " + " ".join(problem.split("\n")))
    sys.exit(BAD_INPUT)


if __name__ == "__main__":
    main()
