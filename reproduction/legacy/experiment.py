"""Experiments that are not yet on the core, as `python -m reproduction` knows them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from reproduction.experiment import Document, Request, Value
from reproduction.legacy.parts import Part, Told

__all__ = ["Document", "Experiment", "Request", "Value", "chosen"]


def chosen(request: Request, option: str, everything: Iterable[str]) -> tuple[str, ...]:
    """What the option names; everything if it was not given."""
    return tuple(request.only.get(option) or everything)


@dataclass(frozen=True)
class Experiment:
    """One table or study of the paper."""

    name: str
    title: str
    options: Sequence[str]
    parts: Callable[[Request], list[Part]]
    reproduce: Callable[[Request, Told], str]
    values: Callable[[Document], dict[str, Value]]
    part_seconds: tuple[float, float]

    def progress(self, request: Request) -> tuple[int, int]:
        """How many parts are there, and how many are not."""
        done = [part.done for part in self.parts(request)]
        return sum(done), len(done) - sum(done)

    def contents(self, request: Request) -> list[dict[str, Any]]:
        """Of the parts that are there."""
        return [part.read() for part in self.parts(request) if part.done]

    def document(self, request: Request) -> Document:
        """What is there by now; nothing if it was never run."""
        file = request.results / f"{request.named(self.name)}.json"
        found: Document = json.loads(file.read_text()) if file.exists() else {}
        return found
