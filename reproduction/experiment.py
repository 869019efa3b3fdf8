"""What every experiment offers, and what can be asked of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from phil.errors import unknown_name
from phil.workers import LOCAL
from reproduction.markup import Section, table_markdown
from reproduction.page import Page, check_page
from reproduction.runner import ON, Part, Stage, Told, make_parts
from reproduction.store import Content, Parts, Store

Document = Mapping[str, Any]  # what an experiment's parts come to
PROGRAM = "python -m reproduction"


@dataclass(frozen=True)
class Request:
    """What is asked, and where everything is kept."""

    results: Path
    docs: Path
    heuristics: Path  # trained files
    data: Path | None = None
    seeds: int = 3
    quick: bool = False
    times: bool = True
    only: Mapping[str, Sequence[str]] = field(default_factory=dict)  # by option, such as families
    on: str | None = None  # where parts are made; by default in two processes

    def chosen(
        self, option: str, kind: str, known: Collection[str], default: Iterable[str] = ()
    ) -> tuple[str, ...]:
        """What an option names, by default everything; an `InputError` if that is unknown."""
        found = tuple(self.only.get(option) or default or known)
        for name in found:
            if name not in known:
                raise unknown_name(kind, name, known)
        return found

    def named(self, experiment: str) -> str:
        """The name of an experiment's files: quick runs have files of their own."""
        file = experiment.replace("-", "_")
        return f"{file}-quick" if self.quick else file


@dataclass(frozen=True)
class Value:
    """A mean of an experiment, and the deviation between its trainings if there are several."""

    value: float
    deviation: float | None = None

    @classmethod
    def of_expansions(cls, summary: Mapping[str, Any]) -> Value:
        """The mean expansions of a method's summary."""
        return cls(summary["expansions"], summary["deviation"])


class Experiment(ABC):
    """One table or study: parts that are made once, what they come to, and a page about it."""

    name: ClassVar[str]
    title: ClassVar[str]
    options: ClassVar[Sequence[str]] = ()  # those of `Request.only` that it understands
    again: ClassVar[bool] = False  # whether parts that are there are made again

    @abstractmethod
    def stages(self, request: Request) -> list[Stage]:
        """The parts that are asked for, in the order in which they are made."""

    @abstractmethod
    def assemble(self, parts: Parts, *, quick: bool) -> Document:
        """What all parts that are there come to."""

    @abstractmethod
    def page(self, document: Document, request: Request) -> Page:
        """The page about it."""

    @abstractmethod
    def values(self, document: Document) -> dict[str, Value]:
        """What two runs are compared by."""

    @abstractmethod
    def summary(self, document: Document) -> Section:
        """The table that a terminal shows."""

    def command(self, *, quick: bool) -> str:
        """What makes the experiment."""
        return f"{PROGRAM} {self.name}" + (" --quick" if quick else "")

    def store(self, request: Request) -> Store:
        """Where its parts are kept."""
        return Store(request.results, request.named(self.name), self.command(quick=request.quick))

    def parts(self, request: Request) -> list[Part]:
        """All parts that are asked for."""
        return [part for stage in self.stages(request) for part in stage.parts]

    def progress(self, request: Request) -> tuple[int, int]:
        """How many of the parts that are asked for are there, and how many are not."""
        store, parts = self.store(request), self.parts(request)
        done = sum(part.name in store for part in parts)
        return done, len(parts) - done

    def contents(self, request: Request) -> list[Content]:
        """The parts that are asked for and there."""
        found = self.store(request).parts()
        return [found[part.name] for part in self.parts(request) if part.name in found]

    def document(self, request: Request) -> Document:
        """What is there by now."""
        parts = self.store(request).parts()
        return {
            "command": self.command(quick=request.quick),
            **self.assemble(parts, quick=request.quick),
        }

    def write_page(self, request: Request) -> Document:
        """Write the page of all that is there."""
        document = self.document(request)
        self.page(document, request).write(request.docs, request.named(self.name))
        return document

    def reproduce(self, request: Request, told: Told) -> str:
        """Make what is missing, then write the page; gives what a terminal shows."""
        stages, store = self.stages(request), self.store(request)
        check_page(request.docs, request.named(self.name))
        store.check()
        on = request.on or (LOCAL if request.quick else ON)
        make_parts(stages, store, told, on, again=self.again)
        return table_markdown(self.summary(self.write_page(request)))
