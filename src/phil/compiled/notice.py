"""What a user is told about compiling: once per process, on standard error."""

from __future__ import annotations

import contextlib
import sys

from phil.compiled.folder import user_folder
from phil.text import visible


class _Speaker:
    quiet = False
    compiling = False


def announce_compiling() -> None:
    """Explain, at most once, why the first search takes so long."""
    if not _Speaker.compiling:
        _Speaker.compiling = True
        _say(compiling_notice())


def announce_fault(fault: str) -> None:
    """Say that what was compiled could not be kept; the folder has one fault at most."""
    _say(f"phil: {fault}, so every process compiles again; set PHIL_CACHE to a folder of your own")


def compiling_notice() -> str:
    """The notice printed when PHIL is compiled for the first time on a machine."""
    fault = user_folder().fault
    if fault is None:
        return "phil: compiling for this machine, once: some seconds (phil warmup does it ahead)"
    return (
        f"phil: compiling for some seconds, and again in every process, because {fault}; "
        "set PHIL_CACHE to a folder of your own"
    )


def compile_quietly() -> None:
    """Say nothing in this process, because the caller reports compilation itself."""
    _Speaker.quiet = True


def _say(text: str) -> None:
    if not _Speaker.quiet and sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):  # stderr may be closed
            print(visible(text), file=sys.stderr, flush=True)
