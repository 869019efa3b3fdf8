"""Running an experiment: its missing parts, two at a time, then its page."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from time import perf_counter

from phil.errors import InputError
from reproduction.record import record
from reproduction.store import Content, Store

WORKERS = 2
Told = Callable[[str], None]


@dataclass(frozen=True)
class Part:
    """A piece of an experiment that is made once; `make` must be known to other processes."""

    name: str
    make: Callable[[], Content]


@dataclass(frozen=True)
class Stage:
    """Parts that need nothing of each other, only what earlier stages left.

    They run side by side; `alone`, one after the other, as milliseconds must be measured.
    """

    parts: Sequence[Part]
    alone: bool = False


def make_parts(stages: Sequence[Stage], store: Store, told: Told, workers: int = WORKERS) -> None:
    """Make the parts that are missing, each in one thread of its own process.

    A part that fails does not stop the others; all failures are reported at the end.
    """
    missing = [
        Stage([part for part in stage.parts if part.name not in store], stage.alone)
        for stage in stages
    ]
    total = sum(len(stage.parts) for stage in missing)
    failures, number = [], 0
    try:
        for stage in missing:
            made = _one_by_one if stage.alone or workers == 1 else _side_by_side
            for part, failure in made(stage.parts, store):
                number += 1
                if failure is not None:
                    failures.append(f"{part.name}: {failure}")
                told(f"{part.name} ({number} of {total})")
    finally:
        store.merge()
    if failures:
        raise InputError("these parts failed: " + "; ".join(failures))


def _one_by_one(parts: Sequence[Part], store: Store) -> Iterator[tuple[Part, InputError | None]]:
    for part in parts:
        failure = None
        try:
            _make(part, store)
        except InputError as error:
            failure = error
        yield part, failure


def _side_by_side(parts: Sequence[Part], store: Store) -> Iterator[tuple[Part, InputError | None]]:
    # A forked process would inherit the locks of this one's threads, but not the threads.
    with ProcessPoolExecutor(WORKERS, get_context("spawn"), _use_one_thread) as pool:
        running = {pool.submit(_make, part, store): part for part in parts}
        for future in as_completed(running):
            error = future.exception()
            if error is not None and not isinstance(error, InputError):
                pool.shutdown(cancel_futures=True)
                raise error
            yield running[future], error


def _use_one_thread() -> None:
    os.environ["OMP_NUM_THREADS"] = "1"  # read by BLAS and torch when they are first imported


def _make(part: Part, store: Store) -> None:
    since = perf_counter()
    content = part.make()
    content["made"] = {"seconds": round(perf_counter() - since, 1), **record()}
    store.keep(part.name, content)
