"""What a part of the campaign is given, and what it reports."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

SECONDS = 8.0  # of each part in `make test`


@dataclass(frozen=True)
class Budget:
    """The time that a part has, and the seed of its cases."""

    seconds: float
    seed: int = 0
    began: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> bool:
        """Whether there is time for another case."""
        return time.monotonic() - self.began < self.seconds


@dataclass
class Report:
    """What a part tried, and the faults that it found.

    `counts` has one entry per row of the part's table, such as the reader that was fuzzed. A fault
    is a sentence with all that is needed to see it again; a note is worth a look but no fault.
    """

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, other: Report) -> None:
        """Add what another process tried and found."""
        self.counts += other.counts
        self.faults += other.faults
        self.notes += other.notes


@dataclass(frozen=True)
class Part:
    """A part of the campaign: a kind of attack that can go on for as long as there is time.

    `about` describes, for the page on reliability, what is tried and what must hold; `unit` names
    what is counted.
    """

    name: str
    title: str
    about: str
    unit: str
    run: Callable[[Budget], Report]
