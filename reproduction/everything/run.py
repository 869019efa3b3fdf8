"""Running all experiments in turn, and showing how long that still takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Self

from rich import progress as bars

from phil.cli.output import error_console, note
from phil.errors import InputError
from reproduction.everything.report import write_report
from reproduction.experiment import Experiment, Request


@dataclass(frozen=True)
class Standing:
    """Where a run is: parts done of all there are, and the seconds that the others may take."""

    experiment: str
    done: int
    total: int
    seconds_left: float

    @property
    def left(self) -> str:
        """The time that is left, as people say it.

        >>> [Standing("table1", 1, 9, seconds).left for seconds in (20, 200, 9000)]
        ['under a minute', '3 min', '2 h 30 min']
        """
        hours, minutes = divmod(round(self.seconds_left / 60), 60)
        if hours:
            return f"{hours} h {minutes} min"
        return f"{minutes} min" if minutes else "under a minute"


Shown = Callable[[str, Standing], None]


def reproduce_all(experiments: Sequence[Experiment], request: Request, shown: Shown) -> Path:
    """Run the experiments in turn, and write the report anew after each.

    One that cannot run here (no MuJoCo, no data) does not stop the others; all failures are told
    at the end.
    """
    pace, failures = Pace(experiments, request), []
    report = write_report(experiments, request)
    for experiment in experiments:
        pace.begin(experiment)
        shown(f"{experiment.name} begins", pace.progress())
        try:
            experiment.reproduce(request, lambda text: shown(text, pace.progress()))
        except InputError as error:
            failures.append(f"{experiment.name}: {error}")
        report = write_report(experiments, request)
    if failures:
        raise InputError("\n".join([f"not all could run; {report} has the others", *failures]))
    return report


class Pace:
    """Counts the parts of experiments, and learns from those made how long the others take."""

    def __init__(self, experiments: Sequence[Experiment], request: Request) -> None:
        self._request = request
        self._experiments = {experiment.name: experiment for experiment in experiments}
        self._ended: dict[str, int] = {}  # parts of experiments whose turn is over
        self._typical = {
            experiment.name: experiment.part_seconds[request.quick] for experiment in experiments
        }
        self._current = ""
        self._since = 0.0
        self._at_first = 0

    def begin(self, experiment: Experiment) -> None:
        """Say that an experiment's turn has come, and that no other makes parts any more."""
        if self._current:
            self._ended[self._current], _ = self._counts(self._current)
        self._current = experiment.name
        self._since = monotonic()
        self._at_first, _ = self._counts(experiment.name)

    def progress(self) -> Standing:
        """Where the run is now; what has been made on disk counts."""
        counts = {name: self._counts(name) for name in self._experiments}
        made = counts[self._current][0] - self._at_first
        if made > 0:
            self._typical[self._current] = (monotonic() - self._since) / made
        done = sum(done for done, _ in counts.values())
        return Standing(
            self._current,
            done,
            done + sum(missing for _, missing in counts.values()),
            sum(missing * self._typical[name] for name, (_, missing) in counts.items()),
        )

    def _counts(self, name: str) -> tuple[int, int]:
        """Parts that are done, and that are still to be made."""
        if name in self._ended:
            return self._ended[name], 0
        return self._experiments[name].progress(self._request)


class Display(AbstractContextManager["Display"]):
    """Shows every part that is done: with a bar on a terminal, as lines elsewhere."""

    def __init__(self) -> None:
        console = error_console()
        self._is_terminal = console.is_terminal
        self._bar = bars.Progress(
            bars.TextColumn("{task.fields[experiment]}"),
            bars.BarColumn(),
            bars.MofNCompleteColumn(),
            bars.TextColumn("parts, {task.fields[left]} left,"),
            bars.TimeElapsedColumn(),
            console=console,
        )
        self._task = self._bar.add_task("", total=None, experiment="", left="unknown time")

    def __enter__(self) -> Self:
        if self._is_terminal:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def show(self, text: str, at: Standing) -> None:
        """Show what has just been done, and where the run is."""
        self._bar.update(
            self._task,
            completed=at.done,
            total=at.total,
            experiment=at.experiment,
            left=at.left,
        )
        if self._is_terminal:
            self._bar.console.print(text)
        else:
            note(f"{at.experiment}: {text}; {at.done} of {at.total} parts, {at.left} left")
