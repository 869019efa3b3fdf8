"""Running an experiment: its missing parts, some at a time, then its page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from phil.errors import InputError
from phil.workers import open_workers
from reproduction.record import record
from reproduction.store import Content, Store

ON = "processes:2"
Told = Callable[[str], None]


@dataclass(frozen=True)
class Part:
    """A piece of an experiment that is made once; `make` must be known to other processes."""

    name: str
    make: Callable[[], Content]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Stage:
    """Parts that need nothing of each other, only what earlier stages left.

    They run side by side; `alone`, one after the other, as times must be measured.
    """

    parts: Sequence[Part]
    alone: bool = False


def make_parts(
    stages: Sequence[Stage],
    store: Store,
    told: Told,
    on: str = ON,
    *,
    again: bool = False,
) -> None:
    """Make the parts that are missing, or all of them again, where `phil.open_workers` says.

    A part that fails does not stop the others; all failures are reported at the end.
    """
    missing = [
        Stage([part for part in stage.parts if again or part.name not in store], stage.alone)
        for stage in stages
    ]
    total = sum(len(stage.parts) for stage in missing)
    failures, number = [], 0
    try:
        with open_workers(on) as workers:
            nothing = workers.share(None)
            for stage in missing:
                size = 1 if stage.alone else max(1, len(stage.parts))
                for first in range(0, len(stage.parts), size):
                    parts = stage.parts[first : first + size]
                    for index, made in workers.run(_make, nothing, parts):
                        part = parts[index]
                        number += 1
                        if failure := _keep(store, part, made):
                            failures.append(f"{part.name}: {failure}")
                        told(f"{part.name} ({number} of {total})")
    finally:
        store.merge()
    if failures:
        raise InputError("these parts failed: " + "; ".join(failures))


def _make(_: None, part: Part) -> Content | InputError:
    since = perf_counter()
    try:
        content = part.make()
    except InputError as error:
        return error
    content["made"] = {"seconds": round(perf_counter() - since, 1), **record()}
    return content


def _keep(store: Store, part: Part, made: Content | InputError) -> InputError | None:
    """Keep what was made; why there is nothing to keep, or it cannot be."""
    if isinstance(made, InputError):
        return made
    try:
        store.keep(part.name, made)
    except InputError as error:
        return error
    return None
