"""A table of methods (columns) by rows of problems: trained, tested and timed cell by cell.

A table is a subclass: it names its methods and rows, opens the problems of a row, and turns the
summaries into a document and a page. Parts, trainings, tests and times follow from that.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from phil.evaluation import evaluate, parse_method
from phil.heuristics.registry import SUFFIX
from phil.problems.problem import Problem, ProblemSet
from phil.search.method import Searcher
from reproduction.experiment import Experiment, Request
from reproduction.markup import round_to
from reproduction.methods import MethodSpec, train_once, training_json, training_summary
from reproduction.runner import Part, Stage
from reproduction.scores import over_seeds, score_json
from reproduction.store import Content, Parts

MOST_SEEDS = 100
TIMED = 20  # problems of a row


@dataclass(frozen=True, order=True)
class Trial:
    """A method on the problems of a row, trained with a seed; unlearned ones have seed 0."""

    row: str
    method: str
    seed: int = 0

    @property
    def name(self) -> str:
        """Of its part and of its trained file."""
        return f"{self.row}-{self.method}-{self.seed}"


class Grid(Experiment):
    """A table of methods by rows."""

    methods: ClassVar[Mapping[str, MethodSpec]]
    # Run whatever is asked for: others are shown as ratios to them. None of them is learned.
    references: ClassVar[tuple[str, ...]] = ()
    row_kind: ClassVar[str] = "family"

    @abstractmethod
    def rows(self, request: Request) -> Sequence[str]:
        """The rows that are asked for."""

    @abstractmethod
    def problems(self, request: Request, row: str) -> ProblemSet:
        """The problems of a row; small ones in quick runs."""

    def about(self, row: str) -> dict[str, str]:
        """What parts say about the row they belong to."""
        return {self.row_kind: row}

    @abstractmethod
    def problem_parts(self, request: Request) -> list[Part]:
        """Parts with facts about the problems."""

    def features(self, row: str) -> str | None:
        """The features that heuristics are trained with; None leaves the choice to training."""
        return None

    def tests(self, request: Request, trial: Trial) -> Sequence[Problem]:
        """The test problems as a method needs them."""
        return self.problems(request, trial.row).test

    def spec(self, trial: Trial) -> MethodSpec:
        """How the heuristic of a trial is trained; by default as on all other rows."""
        return self.methods[trial.method]

    def is_run(self, trial: Trial) -> bool:
        """Whether a method is run on a row."""
        return True

    def urgency(self, request: Request, trial: Trial) -> tuple[int, ...]:
        """What is smaller is run first; by default all methods once before any second seed."""
        return ()

    def further_stages(self, request: Request) -> list[Stage]:
        """What is made of the trained heuristics, before times are measured."""
        return []

    def timed_parts(self, request: Request) -> list[Part]:
        """What needs an idle machine: by default the milliseconds of every method."""
        return [self.times_part(request, trial) for trial in self.trials(request) if not trial.seed]

    def stages(self, request: Request) -> list[Stage]:
        """Facts, trainings and tests; then what is made of them; then times."""
        parts: dict[bool, list[Part]] = {False: [], True: []}
        for trial in self.trials(request):
            borrows = bool(self.methods[trial.method].heuristic_of)
            parts[borrows].append(self.part(request, trial))
        found = [
            Stage([*self.problem_parts(request), *parts[False]]),
            Stage(parts[True]),
            *self.further_stages(request),
        ]
        return [*found, Stage(self.timed_parts(request), alone=True)] if request.times else found

    def chosen_methods(self, request: Request) -> tuple[str, ...]:
        """The columns that are asked for."""
        return request.chosen("methods", f"method of {self.title.split(':')[0]}", self.methods)

    def trials(self, request: Request) -> list[Trial]:
        """All that is to be trained and tested."""
        found = [
            trial
            for seed in range(request.seeds)
            for method in dict.fromkeys([*self.references, *self.chosen_methods(request)])
            for row in self.rows(request)
            if (seed == 0 or self.methods[method].learned)
            and self.is_run(trial := Trial(row, method, seed))
        ]
        return sorted(found, key=partial(self.urgency, request))

    def part(self, request: Request, trial: Trial) -> Part:
        """A trial, trained and tested."""
        return Part(trial.name, partial(self._test, request, trial))

    def times_part(self, request: Request, trial: Trial) -> Part:
        """The milliseconds of a method on a row."""
        return Part(_times_name(trial), partial(self._time, request, trial))

    def heuristic(self, request: Request, trial: Trial) -> Path:
        """Where a trained heuristic is kept."""
        method = self.methods[trial.method].heuristic_of or trial.method
        name = Trial(trial.row, method, trial.seed).name
        return request.heuristics / request.named(self.name) / f"{name}{SUFFIX}"

    def train(self, request: Request, trial: Trial) -> Path:
        """Train the heuristic of a trial unless its file is there."""
        return train_once(
            self.heuristic(request, trial),
            self.problems(request, trial.row),
            self.spec(trial),
            trial.seed,
            quick=request.quick,
            features=self.features(trial.row),
        )

    def solver(self, request: Request, trial: Trial) -> Searcher:
        """The method of a trial, its heuristic trained if it has one."""
        spec = self.methods[trial.method]
        if not spec.learned:
            return parse_method(spec.text)
        return spec.solver(self.train(request, trial))

    def summaries(self, parts: Parts, row: str) -> dict[str, dict[str, Any]]:
        """What the trials of a row come to, by method."""
        found = {method: self.runs(parts, row, method) for method in self.methods}
        return {
            method: self._summary(method, runs, parts.get(_times_name(Trial(row, method))))
            for method, runs in found.items()
            if runs
        }

    def runs(self, parts: Parts, row: str, method: str) -> list[Content]:
        """The parts of a method on a row, seed by seed."""
        names = (Trial(row, method, seed).name for seed in range(MOST_SEEDS))
        return [parts[name] for name in names if name in parts]

    def titles(self) -> dict[str, str]:
        """Of the columns."""
        return {name: spec.title for name, spec in self.methods.items()}

    def _summary(self, method: str, runs: list[Content], times: Content | None) -> dict[str, Any]:
        summary = over_seeds([run["test"] for run in runs])
        summary["milliseconds"] = None if times is None else times["milliseconds"]
        if self.methods[method].learned and not self.methods[method].heuristic_of:
            summary["trainings"] = [training_summary(run) for run in runs]
        return summary

    def _test(self, request: Request, trial: Trial) -> Content:
        solver = self.solver(request, trial)
        [score] = evaluate(self.tests(request, trial), [solver])
        learned = self.methods[trial.method].learned
        return {
            **self._names(trial),
            **(training_json(self.heuristic(request, trial)) if learned else {}),
            "test": score_json(score),
        }

    def _time(self, request: Request, trial: Trial) -> Content:
        problems = self.tests(request, trial)[:TIMED]
        [score] = evaluate(problems, [self.solver(request, trial)])
        return {
            **self._names(trial),
            "problems": len(problems),
            "milliseconds": round_to(score.milliseconds.mean),
        }

    def _names(self, trial: Trial) -> dict[str, Any]:
        return {**self.about(trial.row), "method": trial.method, "seed": trial.seed}


def _times_name(trial: Trial) -> str:
    return f"{trial.row}-{trial.method}-times"
