"""Tuning: the stage of training that lowers what the searches of the best network cost.

Evolution strategies change the weights (see `phil.learning.evolution`). Validation chooses the size
of the changes and keeps the best weights, so that tuning never makes the validation score worse.

Expansions and calls decide, never time, so tuning is reproducible unless `tune_seconds` is set.
Even then, it stops after a whole number of generations, which the heuristic's file has: the same
number as the setting `tune` gives the same weights.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from phil.arguments import (
    FILE,
    FUNCTION,
    MAPPING,
    NOTHING,
    WHOLE,
    Kind,
    is_path,
    of_type,
    takes,
)
from phil.errors import InputError
from phil.files import check_writable
from phil.heuristics.file import write_heuristic
from phil.heuristics.phil import PhilHeuristic
from phil.heuristics.registry import load_heuristic
from phil.learning.evolution import Bench, Tuner, WeightVector
from phil.learning.objective import Score
from phil.learning.oracle import solvable
from phil.learning.progress import PartSeconds, Progress, Report, RunOptions
from phil.learning.settings import TrainingSettings, training_settings
from phil.learning.threads import THREADS, workers_on
from phil.learning.validation import Validation
from phil.problems.problem import PROBLEM_SET, Problem, ProblemSet, for_learning
from phil.workers import LOCAL, ON, Workers
from phil.workers.shared import Shared

GENERATIONS = 100  # of a heuristic that is tuned on its own, by default
ROUND = 5  # generations from one validation to the next
TRIAL = 4  # rounds with changes of every size before the best size alone goes on


@dataclass(frozen=True)
class Round:
    """The outcome of some generations of a tuner, and the validation of its weights."""

    tuner: Tuner
    cost: float  # the geometric mean of its costs on the training problems
    validation: float | None  # mean cost, if it was validated on all problems
    seconds: PartSeconds


class Tuning:
    """The stage of training that tunes a network: one tuner for each size of changes."""

    def __init__(
        self,
        start: PhilHeuristic,
        score: Score,
        problems: Sequence[Problem],
        validation: Validation,
        settings: TrainingSettings,
        *,
        seed: int,
        number: int = 0,
    ) -> None:
        self._start = score
        self._seed = seed
        self._validation = validation
        self._settings = settings
        vector = WeightVector(start.tensors)
        self._bench = Bench(start.metadata, vector, problems, settings.cost)
        self.tuners = [
            Tuner(self._bench, start, score, settings, size=size, number=number + k, seed=seed)
            for k, size in enumerate(settings.tune_sizes)
        ]

    @property
    def generations(self) -> int:
        """The generations of all tuners so far."""
        return sum(int(tuner.state.step) for tuner in self.tuners)

    @property
    def rounds(self) -> int:
        """How many rounds there will be in all; an estimate, if only the time is limited."""
        settings = self._settings
        if settings.tune:
            return math.ceil(settings.tune / ROUND)
        done = sum(tuner.state.iteration for tuner in self.tuners)
        return max(done, math.ceil(done * settings.tune_seconds / (self._seconds or 1.0)))

    @property
    def winner(self) -> Tuner:
        """The tuner with the best weights so far."""
        return min(self.tuners, key=lambda tuner: tuner.state.best or math.inf)

    def facts(self, finished: Round) -> dict[str, Any]:
        """What to log of a round."""
        return {
            "stage": "tuning",
            "total": self.rounds,
            "candidate": finished.tuner.title,
            "steps": int(finished.tuner.state.step),
            "loss": finished.cost,
            "validation": finished.validation,
            "best": self.winner.state.best,
            "measure": self._settings.objective,
            "part_seconds": finished.seconds,
        }

    def run(self, workers: Workers) -> Iterator[Round]:
        """Tune; yields after every round, when the tuners' states can be saved and resumed."""
        shared = workers.share(self._bench)
        while not self._is_over():
            yield self._round(self._turn(), workers, shared)

    def heuristic(self, heuristic: PhilHeuristic) -> PhilHeuristic:
        """A heuristic with the best weights, and with metadata that says so."""
        winner, settings = self.winner, self._settings
        state = winner.state
        tuned = {
            "search": settings.search,
            "objective": settings.objective,
            "seed": self._seed,
            "samples": settings.tune_samples,
            "problems": settings.tune_problems,
            "generations": self.generations,
            "size": winner.size,
            "generation": min(ROUND * state.best_iteration, int(state.step)),
            "before": self._start.mean,
            "after": state.best,
        }
        metadata = heuristic.metadata.model_copy(
            update={
                "training": heuristic.metadata.training | {"tuned": tuned},
                "validation": self._validation.record(state.best_score),
            }
        )
        return PhilHeuristic(metadata, state.best_tensors, heuristic.name)

    @property
    def _seconds(self) -> float:
        return sum(tuner.state.seconds for tuner in self.tuners)

    def _is_over(self) -> bool:
        settings = self._settings
        return 0 < settings.tune <= self.generations or self._is_late(0.0)

    def _is_late(self, seconds: float) -> bool:
        return 0 < self._settings.tune_seconds <= self._seconds + seconds

    def _turn(self) -> Tuner:
        """All tuners in turn; after their trials, the best one alone."""
        trial = [tuner for tuner in self.tuners if tuner.state.iteration < TRIAL]
        if len(self.tuners) > 1 and trial:
            return min(trial, key=lambda tuner: tuner.state.iteration)
        return self.winner

    def _round(self, tuner: Tuner, workers: Workers, shared: Shared[Bench]) -> Round:
        state, settings = tuner.state, self._settings
        began, cpu = time.monotonic(), time.process_time()
        left = settings.tune - self.generations if settings.tune else ROUND
        costs: list[float] = []
        while len(costs) < min(ROUND, left) and not (
            costs and self._is_late(time.monotonic() - began)
        ):
            costs.append(tuner.advance(workers, shared))
        tuned = time.process_time()
        state.iteration += 1
        heuristic = tuner.heuristic()
        score = self._validation.score(heuristic, state.best or math.inf)
        mean = state.judge(score, heuristic.tensors)
        state.seconds += time.monotonic() - began
        seconds = PartSeconds(learning=tuned - cpu, validation=time.process_time() - tuned)
        return Round(tuner, math.exp(np.mean(costs)), mean, seconds)


def is_tuned(settings: TrainingSettings) -> bool:
    """Whether a network is tuned after imitation."""
    return settings.tune > 0 or settings.tune_seconds > 0


def _learned(given: Any) -> Any:
    found = load_heuristic(given) if is_path(given) else None
    return found if isinstance(found, PhilHeuristic) else NotImplemented


LEARNED = Kind(
    "a heuristic learned by PHIL, or its name or file", of_type("", PhilHeuristic).fits, _learned
)


@takes(
    heuristic=LEARNED,
    problems=PROBLEM_SET,
    seed=WHOLE,
    settings=MAPPING | NOTHING,
    output=FILE | NOTHING,
    workers=WHOLE,
    report=FUNCTION | NOTHING,
    on=ON,
)
def tune(
    heuristic: PhilHeuristic | Any,
    problems: ProblemSet | Any,
    *,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    output: str | Path | None = None,
    workers: int = THREADS,
    report: Report | None = None,
    on: str | Workers = LOCAL,
) -> PhilHeuristic:
    """Tune a heuristic that PHIL has learned, by evolution strategies on all its weights.

    The training problems are searched with slightly changed weights, and the weights move to where
    the searches cost less. The validation problems choose the weights to keep, so that on them the
    result is never worse than before.

    Parameters
    ----------
    heuristic : PhilHeuristic
        The heuristic to start from, or its name or file, which stays as it is.
    problems : ProblemSet
        The problem set, or what `phil.open_set` takes for one; its test problems are not used.
    seed : int, optional
        The random seed; the same seed gives the same heuristic.
    settings : mapping, optional
        Changes to single settings, by name: `search`, `objective`, `validation` and those that
        begin with `tune` (see `phil.learning.TrainingSettings`).
    output : str or Path, optional
        The file to write the heuristic to, with a log next to it.
    workers : int, optional
        The number of threads, if this runs in this process.
    report : callable, optional
        Called with a `phil.learning.Iteration` after every few generations.
    on : str or Workers, optional
        Where to try the changed weights (see `phil.open_workers`); the result is the same.

    Returns
    -------
    PhilHeuristic
        The tuned heuristic; its metadata has the scores before and after in `training["tuned"]`.

    Raises
    ------
    InputError
        If an argument is invalid, or no problem can be solved.

    Examples
    --------
    >>> import phil
    >>> from phil.problems.generated import generate_maps
    >>> maps = generate_maps("forest", 4, seed=0, shape=(31, 31))
    >>> grids = [phil.GridGraph(free) for free in maps]
    >>> some = tuple(phil.Problem(grid, grid.node(30, 0), grid.node(0, 30)) for grid in grids)
    >>> mine = phil.ProblemSet("mine", some, some)
    >>> quick = {"tune": 2, "tune_samples": 4}
    >>> tuned = phil.learning.tune("phil:forest", mine, settings=quick)
    >>> scores = tuned.metadata.training["tuned"]
    >>> scores["after"] <= scores["before"]
    True
    """
    if workers < 1:
        raise InputError(f"workers must be at least 1, not {workers}")
    if seed < 0:
        raise InputError(f"the seed must not be negative, but it is {seed}")
    chosen = training_settings("best", settings, {"tune": GENERATIONS})
    output = None if output is None else Path(output)
    if output is not None:
        check_writable(output)
    problems = for_learning(problems, "tuning")
    given = problems.validation
    problems = problems.with_features(heuristic.metadata.added_features)
    train = solvable(problems.train, "train")
    validation = Validation(
        solvable(problems.validation[: chosen.validation], "validation", given, problems.train),
        chosen.cost,
    )
    score = validation.score(heuristic)
    assert score is not None, "without a rival, all problems are searched"
    tuning = Tuning(heuristic, score, train.problems, validation, chosen, seed=seed)
    progress = Progress(RunOptions(output, report=report), validation.costs)
    with workers_on(on, workers) as opened:
        for finished in tuning.run(opened):
            progress.report(progress.log(**tuning.facts(finished)))
    tuned = tuning.heuristic(heuristic)
    if output is not None:
        write_heuristic(output, tuned)
    return tuned
