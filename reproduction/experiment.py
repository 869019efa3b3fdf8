"""What all experiments have in common: what can be asked of one, and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reproduction.kept import file_name
from reproduction.parts import Part, Told

Document = Mapping[str, Any]  # the JSON file of an experiment


@dataclass(frozen=True)
class Request:
    """What is asked, and where everything is kept."""

    results: Path
    docs: Path
    heuristics: Path
    data: Path | None = None
    seeds: int = 3
    quick: bool = False
    times: bool = True
    only: Mapping[str, Sequence[str]] = field(default_factory=dict)  # by option, such as families

    def chosen(self, option: str, everything: Iterable[str]) -> tuple[str, ...]:
        """What the option names; everything if it was not given."""
        return tuple(self.only.get(option) or everything)

    def named(self, experiment: str) -> str:
        """The name of an experiment's files."""
        return file_name(experiment, quick=self.quick)


@dataclass(frozen=True)
class Value:
    """A mean of an experiment, and the deviation between its trainings if there are several."""

    value: float
    deviation: float | None = None

    @classmethod
    def of_expansions(cls, summary: Mapping[str, Any]) -> Value:
        """The mean expansions of a method's summary."""
        return cls(summary["expansions"], summary["deviation"])


@dataclass(frozen=True)
class Experiment:
    """One table or study of the paper.

    `reproduce` makes the missing parts, writes JSON and reports, and gives what a terminal shows.
    """

    name: str
    title: str
    options: Sequence[str]  # those of `Request.only` that it knows
    parts: Callable[[Request], list[Part]]
    reproduce: Callable[[Request, Told], str]
    figures: Callable[[Document], dict[str, Value]]  # what two runs are compared by
    part_seconds: tuple[float, float]  # of a part, where none was made yet: full, quick
