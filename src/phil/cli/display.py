"""Progress displays on standard error: problems solved, and training iterations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from rich.console import Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from phil.cli.output import error_console, note, number
from phil.errors import InputError
from phil.text import visible

if TYPE_CHECKING:
    from phil.evaluation.evaluate import Progress as ReportProblem
    from phil.learning import Iteration
    from phil.workers import Workers

LINE = 30  # characters of the bar in a notebook


@contextmanager
def problems_bar(workers: Workers) -> Iterator[Callable[[str], ReportProblem | None]]:
    """Show the progress of one step after another over some problems, and who works on them.

    Yields a function that takes the name of a step and returns the callback that advances it, or
    None without a terminal.
    """
    console = error_console()
    if not console.is_terminal:
        yield lambda step: None
        return
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        RateColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    ) as bar:
        where = "" if workers.is_here else f" on {workers.count} workers"

        def begin(step: str) -> ReportProblem:
            task = bar.add_task(step + where, total=None)
            return lambda done, total: bar.update(task, completed=done, total=total)

        yield begin


class RateColumn(ProgressColumn):
    """How many are done in a second, or in a minute."""

    def render(self, task: Task) -> Text:
        """The rate, once it is known."""
        if not task.speed:
            return Text("")
        fast = task.speed >= 1
        return Text(f"{task.speed:.0f}/s" if fast else f"{60 * task.speed:.0f}/min")


class TrainingDisplay:
    """Shows a training run: a live bar on a terminal, a line per iteration elsewhere."""

    def __init__(self, tensorboard: Path | None = None) -> None:
        self.last: Iteration | None = None
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
        """Show an iteration that has just finished."""
        self.last = iteration
        place, numbers = _place(iteration), _describe(iteration)
        self._bar.update(
            self._task, completed=iteration.number, total=iteration.total, description=place
        )
        self._numbers.plain = visible(numbers)
        self._show_line(iteration, f"{place}: {numbers}")
        if self._tensorboard:
            self._tensorboard.write(iteration)

    def _show_line(self, iteration: Iteration, line: str) -> None:
        """Show an iteration where the live bar cannot."""
        if not self._is_terminal:
            note(line)


def _place(iteration: Iteration) -> str:
    """Where in the run it is, and how long the rest will take."""
    place = f"iteration {iteration.number}/{iteration.total}"
    if iteration.left is None or iteration.number >= iteration.total:
        return place
    minutes, seconds = divmod(round(iteration.left), 60)
    hours, minutes = divmod(minutes, 60)
    left = f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
    return f"{place}, {left} left"


class NotebookDisplay(TrainingDisplay):
    """Shows a training run in a notebook: one line, which changes."""

    def __init__(self) -> None:
        import IPython.display

        super().__init__()
        self._is_terminal = False
        notebook: Any = IPython.display
        self._handle = notebook.display(_plain("preparing"), raw=True, display_id=True)

    def _show_line(self, iteration: Iteration, line: str) -> None:
        done = LINE * iteration.number // max(1, iteration.total)
        bar = "█" * done + "░" * (LINE - done)
        self._handle.update(_plain(f"{bar} {line}"), raw=True)


def _plain(text: str) -> dict[str, str]:
    return {"text/plain": visible(text)}


@contextmanager
def training_progress() -> Iterator[Callable[[Iteration], None] | None]:
    """What `phil.train` shows in a terminal or a notebook; elsewhere, yields None."""
    console = error_console()
    if not console.is_terminal and not console.is_jupyter:
        yield None
        return
    with NotebookDisplay() if console.is_jupyter else TrainingDisplay() as display:
        yield display.report


def _describe(iteration: Iteration) -> str:
    """The numbers of an iteration in one line; not every iteration is validated."""
    best = f"best {number(iteration.best)}"
    validation = best if iteration.validation is None else f"{number(iteration.validation)}, {best}"
    learned = (
        f"generation {iteration.steps}, training {iteration.measure} {number(iteration.loss)}"
        if iteration.stage == "tuning"
        else f"loss {number(iteration.loss, 4)}"
    )
    return (
        f"{iteration.candidate}, {learned}, validation {iteration.measure} "
        f"{validation} ({iteration.classical_name} {number(iteration.classical)})"
    )


class TensorBoard:
    """Writes the iterations of a training run to a TensorBoard log folder."""

    def __init__(self, folder: Path) -> None:
        try:
            from tensorboard.summary import Writer
        except ModuleNotFoundError as error:
            raise InputError(
                "--tensorboard needs TensorBoard: pip install 'phil-search[tensorboard]'"
            ) from error
        folder.mkdir(parents=True, exist_ok=True)
        self._writer: Any = Writer(str(folder))

    def write(self, iteration: Iteration) -> None:
        """Add the numbers of an iteration."""
        for name in ("loss", "validation"):
            value = getattr(iteration, name)
            if value is not None:
                self._writer.add_scalar(f"{name}/{iteration.candidate}", value, iteration.steps)
        self._writer.flush()

    def close(self) -> None:
        """Finish the file."""
        self._writer.close()
