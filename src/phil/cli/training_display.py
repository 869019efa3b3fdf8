"""The live display of a training run: a bar on a terminal, a line per iteration elsewhere."""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from phil.cli.output import error_console, note, number
from phil.cli.tensorboard import TensorBoard

if TYPE_CHECKING:
    from phil.learning import Iteration


class TrainingDisplay:
    """Shows every iteration that training reports."""

    def __init__(self, tensorboard: Path | None = None) -> None:
        self.last: Iteration | None = None
        self._first: tuple[int, float] | None = None
        self._tensorboard = TensorBoard(tensorboard) if tensorboard else None
        self._bar = Progress(
            SpinnerColumn(), BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
        )
        self._task = self._bar.add_task("preparing", total=None)
        self._numbers = Text()
        console = error_console()
        self._live = Live(Group(self._bar, self._numbers), console=console)
        self._is_terminal = console.is_terminal

    def __enter__(self) -> Self:
        if self._is_terminal:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._live.stop()
        if self._tensorboard:
            self._tensorboard.close()

    def report(self, iteration: Iteration) -> None:
        """Show an iteration that has just ended."""
        self.last = iteration
        place, numbers = self._place(iteration), describe(iteration)
        self._bar.update(
            self._task, completed=iteration.number, total=iteration.total, description=place
        )
        self._numbers.plain = numbers
        if not self._is_terminal:
            note(f"{place}: {numbers}")
        if self._tensorboard:
            self._tensorboard.write(iteration)

    def _place(self, iteration: Iteration) -> str:
        now = time.monotonic()
        # The pace is measured from the first report on: a resumed run begins in the middle.
        number, since = self._first = self._first or (iteration.number, now)
        place = f"iteration {iteration.number}/{iteration.total}"
        if iteration.number == number:
            return place
        pace = (now - since) / (iteration.number - number)
        minutes, seconds = divmod(round(pace * (iteration.total - iteration.number)), 60)
        return f"{place}, {minutes}:{seconds:02d} left"


def describe(iteration: Iteration) -> str:
    """The numbers of an iteration, in one line; not every iteration is validated."""
    best = f"best {number(iteration.best)}"
    validation = best if iteration.validation is None else f"{number(iteration.validation)}, {best}"
    return (
        f"{iteration.candidate}, loss {number(iteration.loss, 4)}, validation expansions "
        f"{validation} ({iteration.classical_name} {number(iteration.classical)})"
    )
