"""Two runs of one experiment side by side: what differs by more than trainings differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot
from pathlib import Path

from phil.errors import InputError
from reproduction.experiment import PROGRAM, Experiment, Value
from reproduction.markup import NOTHING, Section, percent, short, with_spread
from reproduction.store import Parts, read_parts

ALIKE = 0.05  # a relative difference below this is not worth a word


@dataclass(frozen=True)
class Compared:
    """A figure of two runs; None where a run does not have it."""

    name: str
    first: Value | None
    second: Value | None

    @property
    def difference(self) -> float | None:
        """Of the second, relative to the first."""
        if self.first is None or self.second is None or self.first.value == 0:
            return None
        return self.second.value / self.first.value - 1

    @property
    def verdict(self) -> str:
        """Whether the two are alike, as far as their spreads tell."""
        if self.first is None or self.second is None:
            return f"only in {'B' if self.first is None else 'A'}"
        if self.difference is None or abs(self.difference) <= ALIKE:
            return "alike"
        spread = hypot(self.first.deviation or 0.0, self.second.deviation or 0.0)
        if abs(self.second.value - self.first.value) <= 2 * spread:
            return "within the spread"
        return "B is more" if self.difference > 0 else "B is less"


def compare(experiments: Mapping[str, Experiment], first: Path, second: Path) -> list[Compared]:
    """All values of two files of results of one experiment, in the order of the first one."""
    (command, left), (other, right) = (read_parts(path) for path in (first, second))
    experiment = _experiment(experiments, first, command)
    _experiment(experiments, second, other)
    if command != other:
        raise InputError(
            f"{first} is of `{command}`, {second} of `{other}`: compare two files of one experiment"
        )
    quick = command.endswith("--quick")
    values = [
        _values(experiment, path, parts, quick=quick)
        for path, parts in ((first, left), (second, right))
    ]
    return [
        Compared(name, values[0].get(name), values[1].get(name))
        for name in dict.fromkeys([*values[0], *values[1]])
    ]


def comparison(compared: list[Compared], first: Path, second: Path) -> Section:
    """The table of a comparison, and in a sentence what came of it."""
    counts: dict[str, int] = {}
    for each in compared:
        counts[each.verdict] = counts.get(each.verdict, 0) + 1
    summary = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    return Section(
        "Comparison",
        [
            f"A is {first}, B is {second}. Of {len(compared)} figures: {summary}. Alike: at most "
            f"{100 * ALIKE:.0f} % apart; within the spread: at most two deviations of trainings."
        ],
        ["figure", "A", "B", "difference", ""],
        [
            [
                each.name,
                _value(each.first),
                _value(each.second),
                percent(each.difference, sign=True),
                each.verdict,
            ]
            for each in compared
        ],
    )


def _experiment(experiments: Mapping[str, Experiment], path: Path, command: str) -> Experiment:
    for experiment in experiments.values():
        if command in (experiment.command(quick=quick) for quick in (False, True)):
            return experiment
    raise InputError(
        f"{path} is no result of `{PROGRAM}`: give the file of an experiment, such as "
        "reproduction/results/table1.json"
    )


def _values(experiment: Experiment, path: Path, parts: Parts, *, quick: bool) -> dict[str, Value]:
    try:
        return experiment.values(experiment.assemble(parts, quick=quick))
    except (KeyError, TypeError) as error:
        raise InputError(
            f"{path} is no result of this version's `{experiment.command(quick=quick)}`: {error!r}"
        ) from error


def _value(figure: Value | None) -> str:
    return NOTHING if figure is None else with_spread(figure.value, figure.deviation, short)
