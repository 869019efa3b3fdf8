"""What commands print: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from phil.files import check_writable, write_atomic

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

STANDARD_OUTPUT = Path("-")
COLUMN = 12  # characters per column of a table that is printed row by row
PLAIN_WIDTH = 160  # of a file or a pipe, where tables must not be cut to the width of a terminal


def console() -> Console:
    """Where results go. Text is printed verbatim: file names must not be read as markup."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else PLAIN_WIDTH
    return Console(markup=False, highlight=False, emoji=False, width=width)


def error_console() -> Console:
    """Where progress goes."""
    from rich.console import Console

    return Console(stderr=True, markup=False, highlight=False, emoji=False)


def note(text: str) -> None:
    """Print a message that is not part of the result."""
    typer.echo(text, err=True)


def table(*columns: str) -> Table:
    """A plain table: the first column is text, the others are numbers."""
    from rich.table import Table

    built = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for position, column in enumerate(columns):
        built.add_column(column, justify="right" if position else "left", overflow="fold")
    return built


def number(value: float | None, digits: int = 1) -> str:
    """A number formatted for a table; a dash if there is none."""
    return "-" if value is None else f"{value:,.{digits}f}"


def check_json_target(target: Path | None) -> None:
    """Raise `InputError` before the work starts if the JSON cannot be written."""
    if target is not None and target != STANDARD_OUTPUT:
        check_writable(target)


def print_row(*cells: str) -> None:
    """Print a row of a table that grows while the command runs."""
    typer.echo(cells[0].ljust(COLUMN) + "".join(cell.rjust(COLUMN) for cell in cells[1:]))


def emit(document: dict[str, Any], shown: Table | None, target: Path | None) -> None:
    """Print a result as a table and write it as JSON to `target`; `-` prints only the JSON."""
    text = json.dumps(document, indent=2, allow_nan=False) + "\n"
    if target == STANDARD_OUTPUT:
        typer.echo(text, nl=False)
        return
    if shown is not None:
        console().print(shown)
    if target is not None:
        write_atomic(target, text.encode())
