"""How long a run of several experiments still takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

from reproduction.experiment import Experiment, Request


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

    def progress(self) -> Progress:
        """Where the run is now; what has been made on disk counts."""
        counts = {name: self._counts(name) for name in self._experiments}
        made = counts[self._current][0] - self._at_first
        if made > 0:
            self._typical[self._current] = (monotonic() - self._since) / made
        done = sum(done for done, _ in counts.values())
        return Progress(
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
