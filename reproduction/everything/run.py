"""Running all experiments in turn, and showing how far that has come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from rich import progress as bars

from phil.cli.output import error_console, note
from phil.errors import InputError
from reproduction.everything.report import write_report
from reproduction.experiment import Experiment, Request

SPEED_PERIOD = 3600.0  # seconds of the past from which the time left is estimated

# Called with an experiment, what it has just done, and the parts done of all there are.
Shown = Callable[[str, str, int, int], None]


def reproduce_all(experiments: Sequence[Experiment], request: Request, shown: Shown) -> Path:
    """Run the experiments in turn, and write the report anew after each.

    One that cannot run here (no MuJoCo, no data) does not stop the others; all failures are told
    at the end.
    """

    def told(name: str, text: str) -> None:
        counts = [each.progress(request) for each in experiments]
        done = sum(done for done, _ in counts)
        shown(name, text, done, done + sum(missing for _, missing in counts))

    failures = []
    report = write_report(experiments, request)
    for experiment in experiments:
        told(experiment.name, "begins")
        try:
            experiment.reproduce(request, partial(told, experiment.name))
        except InputError as error:
            failures.append(f"{experiment.name}: {error}")
        report = write_report(experiments, request)
    if failures:
        raise InputError("\n".join([f"not all could run; {report} has the others", *failures]))
    return report


@contextmanager
def display() -> Iterator[Shown]:
    """Shows every part that is done: with a bar on a terminal, as lines elsewhere."""
    console = error_console()
    if not console.is_terminal:
        yield lambda name, text, done, total: note(f"{name}: {text}; {done} of {total} parts")
        return
    with bars.Progress(
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TextColumn("parts, time left"),
        bars.TimeRemainingColumn(),
        console=console,
        speed_estimate_period=SPEED_PERIOD,
    ) as bar:
        task = bar.add_task("", total=None)

        def show(name: str, text: str, done: int, total: int) -> None:
            bar.update(task, description=name, completed=done, total=total)
            bar.console.print(f"{name}: {text}")

        yield show
