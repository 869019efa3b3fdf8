"""Running a program: how it reports errors, and how it ends."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from typing import Any, NoReturn

from phil.cli.interrupt import INTERRUPTED, interruptible
from phil.cli.output import OutputClosed, note, note_warnings
from phil.cli.plugins import fault
from phil.errors import InputError
from phil.text import cut

BAD_INPUT = 2
OUTPUT_CLOSED = 141  # as shells report a program that SIGPIPE ended
LONGEST_ERROR = 1500  # characters


def run(app: Callable[..., Any], name: str, arguments: Sequence[str] | None) -> NoReturn:
    """Run a typer application and exit with its code."""
    for stream in (sys.stdout, sys.stderr):
        # No text is worth an error: what the terminal's encoding lacks is escaped.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run(app, name, arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except OutputClosed:
        code = OUTPUT_CLOSED
    except OSError as error:
        code = _report(f"cannot write to standard output: {error.strerror or error}")
    except KeyboardInterrupt:
        code = INTERRUPTED
    _discard_output()
    sys.exit(code)


def _run(app: Callable[..., Any], name: str, arguments: Sequence[str] | None) -> int:
    try:
        with warnings.catch_warnings(), interruptible():
            warnings.showwarning = note_warnings("warning")
            return app(args=arguments, prog_name=name, standalone_mode=False) or 0
    except InputError as error:
        return _report(str(error))
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _report(f"{where}{error.strerror or error}")
    except Exception as error:
        if hasattr(error, "format_message"):
            return _report_usage(error)
        told = fault(error)
        if told is None:
            raise
        return _report(told)


def _report(problem: str) -> int:
    note("error: " + cut(" ".join(problem.split("\n")), LONGEST_ERROR))
    return BAD_INPUT


def _report_usage(error: Any) -> int:
    """Report an invalid command line; of a program without arguments, the help was printed."""
    if type(error).__name__ != "NoArgsIsHelpError":
        context = getattr(error, "ctx", None)
        if context is not None:
            note(" ".join(context.get_usage().split()))
        hint = "" if context is None else f" (see {context.command_path} --help)"
        _report(f"{error.format_message().rstrip('.')}{hint}")
    return int(error.exit_code)


def _discard_output() -> None:
    """Drop what could not be written, which Python would try again, and complain about, at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, stream.fileno())
                os.close(nowhere)
