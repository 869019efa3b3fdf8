"""What commands print: results on standard output, everything else on standard error.

All that is printed passes here, because much of it comes from files: it is made visible, so that no
file can control the terminal.
"""

from __future__ import annotations

import contextlib
import errno
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from phil.files import check_writable, write_atomic
from phil.text import number as number
from phil.text import visible

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

STANDARD_OUTPUT = Path("-")
COLUMN = 12  # characters per column of a table that is printed row by row
PLAIN_WIDTH = 160  # of a file or a pipe, where tables must not be cut to the width of a terminal


class OutputClosed(Exception):
    """Nobody reads standard output any more."""


def say(*lines: str) -> None:
    """Print lines of a result."""
    _write("".join(f"{visible(line)}\n" for line in lines))


def show(result: RenderableType) -> None:
    """Print a result that rich lays out, such as a table."""
    from phil.cli.console import PlainConsole

    with _standard_output() as output:
        console = PlainConsole(width=None if output.isatty() else PLAIN_WIDTH)
        with console.capture() as captured:  # rich would end the program if nobody reads it
            console.print(result)
        output.write(captured.get())


def note(text: str) -> None:
    """Print a message that is not part of the result; it is no error if nobody can read it."""
    with contextlib.suppress(OSError, ValueError):
        print(visible(text), file=sys.stderr, flush=True)


def note_warnings(kind: str) -> Callable[..., None]:
    """What shows Python's warnings (`warnings.showwarning`): each text as one note, once."""
    told: set[str] = set()

    def show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
        text = f"{kind}: {message}"
        if text not in told:
            told.add(text)
            note(text)

    return show_warning


def error_console() -> Console:
    """Where progress goes."""
    from phil.cli.console import PlainConsole

    return PlainConsole(stderr=True)


def table(*columns: str) -> Table:
    """A plain table: the first column is text, the others are numbers."""
    from rich.table import Table

    built = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for position, column in enumerate(columns):
        built.add_column(column, justify="right" if position else "left", overflow="fold")
    return built


def check_json_target(target: Path | None) -> None:
    """Raise `InputError` before the work starts if the JSON cannot be written."""
    if target is not None and target != STANDARD_OUTPUT:
        check_writable(target)


def print_row(*cells: str) -> None:
    """Print a row of a table that grows while the command runs."""
    say(cells[0].ljust(COLUMN) + "".join(cell.rjust(COLUMN) for cell in cells[1:]))


def emit(document: dict[str, Any], shown: Table | None, target: Path | None) -> None:
    """Print a result as a table and write it as JSON to `target`; `-` prints only the JSON."""
    text = json.dumps(document, indent=2, allow_nan=False) + "\n"
    if target == STANDARD_OUTPUT:
        _write(text)
        return
    if shown is not None:
        show(shown)
    if target is not None:
        write_atomic(target, text.encode())


def _write(text: str) -> None:
    with _standard_output() as output:
        output.write(text)


@contextlib.contextmanager
def _standard_output() -> Iterator[TextIO]:
    """What is written to it is out at the end, or else an error says why not."""
    if sys.stdout is None:  # closed when the process started
        raise OutputClosed
    try:
        yield sys.stdout
        sys.stdout.flush()
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise OutputClosed from error
        raise OSError(error.errno, error.strerror, "standard output") from error
