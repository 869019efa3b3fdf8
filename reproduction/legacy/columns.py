"""A column of a table: what is run, what is trained for it, and what the paper prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Column:
    """A way to search: an unlearned method by its text, or how its heuristic is trained."""

    name: str
    title: str
    text: str = ""
    method: str = ""  # of `phil.train`
    preset: str = "best"
    settings: Mapping[str, Any] = field(default_factory=dict)  # other than the method's own
    quick: Mapping[str, Any] = field(default_factory=dict)  # for small problems and a minute
    printed: Mapping[str, float] = field(default_factory=dict)  # in the paper, by family or set

    @property
    def learned(self) -> bool:
        """Whether it has a heuristic to be trained."""
        return not self.text
