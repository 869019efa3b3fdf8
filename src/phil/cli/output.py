"""What commands print, and where: results on standard output, all else on standard error."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from phil.files import check_writable, write_atomic

STANDARD_OUTPUT = Path("-")
COLUMN = 12  # characters of a column whose longest cell is not known yet
PLAIN_WIDTH = 160  # a file or a pipe has no width; tables must not be cut to that of a terminal


def console() -> Console:
    """Where results go. Text is printed as it is: a user's file name is no markup."""
    width = None if sys.stdout.isatty() else PLAIN_WIDTH
    return Console(markup=False, highlight=False, emoji=False, width=width)


def error_console() -> Console:
    """Where progress goes."""
    return Console(stderr=True, markup=False, highlight=False, emoji=False)


def note(text: str) -> None:
    """Say something that is no result."""
    typer.echo(text, err=True)


def table(*columns: str) -> Table:
    """A plain table: the first column is text, the others are numbers."""
    built = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for position, column in enumerate(columns):
        built.add_column(column, justify="right" if position else "left", overflow="fold")
    return built


def number(value: float | None, digits: int = 1) -> str:
    """A number for a table; a dash where there is none."""
    return "-" if value is None else f"{value:,.{digits}f}"


def check_json_target(target: Path | None) -> None:
    """Say before the work starts that the JSON could not be written."""
    if target is not None and target != STANDARD_OUTPUT:
        check_writable(target)


def print_row(*cells: str) -> None:
    """Print a row of a table that grows while a command works."""
    typer.echo(cells[0].ljust(COLUMN) + "".join(cell.rjust(COLUMN) for cell in cells[1:]))


def emit(document: dict[str, Any], shown: Table | None, target: Path | None) -> None:
    """Print a result as a table and write it as JSON where asked; `-` prints the JSON alone."""
    text = json.dumps(document, indent=2, allow_nan=False) + "\n"
    if target == STANDARD_OUTPUT:
        typer.echo(text, nl=False)
        return
    if shown is not None:
        console().print(shown)
    if target is not None:
        write_atomic(target, text.encode())
