"""Long experiments in parts: each part is a JSON file that is made once and never again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Any

from phil.errors import InputError
from phil.files import write_atomic
from reproduction.record import record

Told = Callable[[str], None]


@dataclass(frozen=True)
class Part:
    """A piece of an experiment, and where it is kept; `make` must be known to other processes."""

    path: Path
    make: Callable[[], dict[str, Any]]

    @property
    def done(self) -> bool:
        """Whether it has been made."""
        return self.path.exists()

    def read(self) -> dict[str, Any]:
        """What it holds; under `made`, what it was made with and in how many seconds."""
        content: dict[str, Any] = json.loads(self.path.read_text())
        return content


def make_parts(parts: Sequence[Part], workers: int, told: Told) -> None:
    """Make the parts that are missing, some at a time, each in one thread of a process of its own.

    A part that fails does not stop the others; all failures are told at the end.
    """
    missing = [part for part in parts if not part.done]
    made = _one_by_one(missing) if workers == 1 else _side_by_side(missing, workers)
    failures = []
    for number, (part, failure) in enumerate(made, start=1):
        if failure is not None:
            failures.append(f"{part.path.stem}: {failure}")
        told(f"{part.path.stem} ({number} of {len(missing)})")
    if failures:
        raise InputError("these parts failed: " + "; ".join(failures))


def _one_by_one(parts: Sequence[Part]) -> Iterator[tuple[Part, InputError | None]]:
    for part in parts:
        failure = None
        try:
            _make(part)
        except InputError as error:
            failure = error
        yield part, failure


def _side_by_side(parts: Sequence[Part], workers: int) -> Iterator[tuple[Part, InputError | None]]:
    # Forked, a process would have the threads' locks of this one, but not the threads.
    with ProcessPoolExecutor(workers, get_context("spawn"), _use_one_thread) as pool:
        running = {pool.submit(_make, part): part for part in parts}
        for future in as_completed(running):
            error = future.exception()
            if error is not None and not isinstance(error, InputError):
                pool.shutdown(cancel_futures=True)
                raise error
            yield running[future], error


def _use_one_thread() -> None:
    os.environ["OMP_NUM_THREADS"] = "1"  # read by BLAS and torch when they are first imported


def _make(part: Part) -> None:
    since = perf_counter()
    content = part.make()
    content["made"] = {"seconds": round(perf_counter() - since, 1), **record()}
    part.path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(part.path, (json.dumps(content) + "\n").encode())
