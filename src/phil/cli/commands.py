"""The options and commands of `phil`; the module of a command is imported when it is run."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from phil.cli.output import say
from phil.cli.plugins import load_plugins

# In the order of the help: the first line of a command's docstring, and an example. The command
# NAME is the function NAME of the module phil.cli.NAME.
COMMANDS = {
    "problems": (
        "List the problem sets, their sizes, and whether their data is installed.",
        "phil problems --data maps",
    ),
    "train": (
        "Train a heuristic on the training and validation problems of a set.",
        "phil train generated/forest -o forest.safetensors",
    ),
    "evaluate": (
        "Compare methods on a problem set by the number of nodes that they expand.",
        "phil evaluate generated/forest -m phil:forest -m astar -m bfs",
    ),
    "solve": (
        "Find a path on a map or graph.",
        "phil solve map.png --start 200,0 --goal 0,200 -m phil:forest --picture out.png",
    ),
    "play": (
        "See, race and understand searches in the browser.",
        "phil play map.png -m phil:map -m astar",
    ),
    "fly": (
        "Find a path through a room, and fly a simulated drone along it.",
        "phil fly rooms/adversarial --seed 3 -m phil:room_adversarial -o flight.mp4",
    ),
    "info": (
        "Describe a graph, map or set, or how a heuristic was trained and how well it scored.",
        "phil info city.graphml",
    ),
    "advise": (
        "Recommend a search for a graph, and say when a learned heuristic pays off.",
        "phil advise city.graphml --train --expansion-cost 5",
    ),
    "convert": (
        "Convert a graph or map to another format.",
        "phil convert city.graphml city.npz",
    ),
    "demo": (
        "Train a heuristic on generated maps and compare it with classical searches on unseen "
        "maps.",
        "phil demo",
    ),
    "warmup": (
        "Compile all kernels now, so that no search has to wait (up to a minute, once per "
        "machine).",
        "phil warmup",
    ),
}


class Command(TyperCommand):
    """A command of which only name, summary and example are known until it is run."""

    # What comes before the command on the command line has been handled by now: its help also
    # lists the parts of plugins.
    def make_context(self, *arguments: Any, **options: Any) -> Any:
        return load_command(str(self.name)).make_context(*arguments, **options)


def load_command(name: str) -> Any:
    """Import a command, with its options and its whole help."""
    _, example = COMMANDS[name]
    alone = typer.Typer(add_completion=False)
    alone.command(epilog=f"Example: {example}")(getattr(import_module(f"phil.cli.{name}"), name))
    return typer.main.get_command(alone)


def _not_loaded() -> None:
    """Stands for the function of a command that is yet to be imported."""


app = typer.Typer(
    help="Learn search heuristics from example maps and graphs, and search with them.",
    epilog="Example: phil evaluate generated/forest -m phil:forest -m astar",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _name, (_summary, _) in COMMANDS.items():
    app.command(_name, cls=Command, help=_summary)(_not_loaded)


def _print_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        say(f"phil {version('phil-search')}")
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
