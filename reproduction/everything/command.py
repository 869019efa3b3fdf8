"""Running all experiments in turn; what is there already is not made again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from phil.errors import InputError
from reproduction.everything.pace import Pace, Progress
from reproduction.everything.report import write_report
from reproduction.experiment import Experiment, Request

Shown = Callable[[str, Progress], None]


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
