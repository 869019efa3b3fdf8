"""A bar that shows how many problems are done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from phil.cli.output import error_console

if TYPE_CHECKING:
    from phil.evaluation.evaluate import Progress


@contextmanager
def problems_bar() -> Iterator[Progress | None]:
    """What to tell of problems done; None where nobody watches."""
    console = error_console()
    if not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    with Progress(
        BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console, transient=True
    ) as bar:
        task = bar.add_task("problems", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
