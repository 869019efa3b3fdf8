"""Two runs of one experiment side by side: what differs by more than trainings differ."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot
from pathlib import Path
from typing import Any

from phil.errors import InputError
from phil.view.sections import Section
from reproduction.experiment import Document, Experiment, Value
from reproduction.numbers import NOTHING, short, with_spread

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
    """All figures of two JSON files of one experiment, in the order of the first one."""
    documents = {path: _read(path) for path in (first, second)}
    kinds = {path: _experiment(experiments, path, found) for path, found in documents.items()}
    commands = {path: document["command"] for path, document in documents.items()}
    if commands[first] != commands[second]:
        raise InputError(
            f"{first} is of `{commands[first]}`, {second} of `{commands[second]}`: compare two "
            "files of one experiment"
        )
    left, right = (_figures(kinds[path], path, documents[path]) for path in (first, second))
    return [
        Compared(name, left.get(name), right.get(name)) for name in dict.fromkeys([*left, *right])
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
            [each.name, _value(each.first), _value(each.second), _percent(each), each.verdict]
            for each in compared
        ],
    )


def _read(path: Path) -> Document:
    try:
        document: Any = json.loads(path.read_text())
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{path} is no JSON: {error}") from error
    if not isinstance(document, dict):
        raise InputError(f"{path} is no result of `python -m reproduction`")
    return document


def _experiment(
    experiments: Mapping[str, Experiment], path: Path, document: Document
) -> Experiment:
    words = str(document.get("command", "")).split()
    for experiment in experiments.values():
        if words[:4] == ["python", "-m", "reproduction", experiment.name]:
            return experiment
    raise InputError(
        f"{path} is no result of `python -m reproduction`: give the JSON file of an "
        "experiment, such as reproduction/results/table1.json"
    )


def _figures(experiment: Experiment, path: Path, document: Document) -> dict[str, Value]:
    try:
        quick = "--quick" in document["command"]
        return experiment.values(experiment.assemble(document["parts"], quick=quick))
    except (KeyError, TypeError) as error:
        raise InputError(
            f"{path} is no result of this version's `python -m reproduction {experiment.name}`: "
            f"{error!r}"
        ) from error


def _value(figure: Value | None) -> str:
    return NOTHING if figure is None else with_spread(figure.value, figure.deviation, short)


def _percent(each: Compared) -> str:
    return NOTHING if each.difference is None else f"{100 * each.difference:+.1f} %"
