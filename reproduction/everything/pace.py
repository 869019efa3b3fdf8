"""How long a run of several experiments still takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

from reproduction.experiment import Experiment, Request
from reproduction.parts import Part


@dataclass(frozen=True)
class Progress:
    """Where a run is: parts done of all there are, and the seconds that the others may take."""

    experiment: str
    done: int
    total: int
    seconds_left: float


class Pace:
    """Counts the parts of experiments, and learns from those made how long the others take."""

    def __init__(self, experiments: Sequence[Experiment], request: Request) -> None:
        self._parts: dict[str, list[Part]] = {
            experiment.name: experiment.parts(request) for experiment in experiments
        }
        self._typical = {
            experiment.name: experiment.part_seconds[request.quick] for experiment in experiments
        }
        self._current = ""
        self._since = 0.0
        self._at_first = 0

    def begin(self, experiment: Experiment) -> None:
        """Say that an experiment's turn has come, and that no other makes parts any more."""
        if self._current:
            made = [part for part in self._parts[self._current] if part.done]
            self._parts[self._current] = made
        self._current = experiment.name
        self._since = monotonic()
        self._at_first = self._done(experiment.name)

    def progress(self) -> Progress:
        """Where the run is now; what has been made on disk counts."""
        made = self._done(self._current) - self._at_first
        if made > 0:
            self._typical[self._current] = (monotonic() - self._since) / made
        done = {name: self._done(name) for name in self._parts}
        return Progress(
            self._current,
            sum(done.values()),
            sum(map(len, self._parts.values())),
            sum((len(self._parts[name]) - done[name]) * self._typical[name] for name in done),
        )

    def _done(self, name: str) -> int:
        return sum(part.done for part in self._parts[name])


def in_words(seconds: float) -> str:
    """A time as people say it.

    >>> in_words(20), in_words(200), in_words(9000)
    ('under a minute', '3 min', '2 h 30 min')
    """
    minutes = round(seconds / 60)
    if minutes < 1:
        return "under a minute"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
