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
# Read by BLAS and torch when they are first imported.
ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
Told = Callable[[str], None]


@dataclass(frozen=True)
class Part:
    """A piece of an experiment that is made once; `make` must be known to other processes."""

    name: str
    make: Callable[[], Content]


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
    workers: int = WORKERS,
    *,
    again: bool = False,
) -> None:
    """Make the parts that are missing, or all of them again, in processes of one thread each.

    With one worker this process makes them. A part that fails does not stop the others; all
    failures are reported at the end.
    """
    missing = [
        Stage([part for part in stage.parts if again or part.name not in store], stage.alone)
        for stage in stages
    ]
    total = sum(len(stage.parts) for stage in missing)
    failures, number = [], 0
    try:
        for stage in missing:
            if workers == 1:
                made = _one_by_one(stage.parts, store)
            else:
                made = _side_by_side(stage.parts, store, 1 if stage.alone else workers)
            for part, failure in made:
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


def _side_by_side(
    parts: Sequence[Part], store: Store, workers: int
) -> Iterator[tuple[Part, InputError | None]]:
    os.environ.update(ONE_THREAD)  # which processes inherit
    # A forked process would inherit the locks of this one's threads, but not the threads.
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        running = {pool.submit(_make, part, store): part for part in parts}
        for future in as_completed(running):
            error = future.exception()
            if error is not None and not isinstance(error, InputError):
                pool.shutdown(cancel_futures=True)
                raise error
            yield running[future], error


def _make(part: Part, store: Store) -> None:
    since = perf_counter()
    content = part.make()
    content["made"] = {"seconds": round(perf_counter() - since, 1), **record()}
    store.keep(part.name, content)
