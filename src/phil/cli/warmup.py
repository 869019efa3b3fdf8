"""`phil warmup`: compile every kernel ahead of time."""

from __future__ import annotations

import time

from phil.cli.output import error_console, note, say
from phil.errors import InputError


def warmup() -> None:
    """Compile all kernels now, so that no search has to wait (up to a minute, once per machine).

    The compiled code is kept in the user cache, or in $PHIL_CACHE.
    """
    from phil.compiled import cache_misses, compile_quietly, loaded_files, user_folder

    compile_quietly()
    folder = user_folder()
    _check(folder.fault)
    note("Compiling all kernels, unless they are found in the cache ...")
    began = time.perf_counter()
    with_training = _run_all()
    seconds = time.perf_counter() - began
    _check(folder.fault)
    count = cache_misses()
    did = f"Compiled {count} functions" if count else "Everything was compiled already"
    # Nothing is kept there if all kernels came with the package.
    where = f" Kept in {folder.path}" if count or loaded_files() else ""
    say(f"{did} ({seconds:.1f} s).{where}")
    if not with_training:
        note("note: torch is not installed, so the training kernels were skipped")


def _check(fault: str | None) -> None:
    if fault is not None:
        raise InputError(
            f"{fault}, so compiled code would be lost; set the environment variable PHIL_CACHE to "
            "a folder of your own"
        )


def _run_all() -> bool:
    """Call every compiled function; returns whether those of training were included."""
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from phil.cli.tiny_runs import can_train, tiny_runs

    runs = tiny_runs()
    console = error_console()
    columns = SpinnerColumn(), BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("", total=len(runs))
        for name, run in runs.items():
            bar.update(task, description=name)
            run()
            bar.advance(task)
    return can_train()
