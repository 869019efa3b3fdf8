"""The `phil` program: its commands, and how it reports errors."""

from __future__ import annotations

import errno
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from phil.cli.commands import add_commands
from phil.cli.plugins import load_plugins
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


add_commands(app)


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
    typer.echo("error: " + " ".join(problem.split("\n")), err=True)
    sys.exit(BAD_INPUT)


if __name__ == "__main__":
    main()
