"""The interface of all workers, and the loop that spreads work over them."""

from __future__ import annotations

import math
import warnings
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sized
from dataclasses import dataclass
from itertools import islice
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from phil.errors import InputError, shortened
from phil.workers.lost import WorkerLost, WorkerLostWarning
from phil.workers.pace import OneByOne, Pace, do_each
from phil.workers.shared import Shared

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")
Handle = Any  # of work that was handed out, hashable

ATTEMPTS = 3  # after so many failures of one item, the run fails
AHEAD = 8  # per worker: so many groups of results may wait for one before them


@dataclass
class Work(Generic[T]):
    """Items that are done together, the place of the first among all, and how often they failed."""

    first: int
    items: list[T]
    failures: int = 0

    def __str__(self) -> str:
        others = f" and {len(self.items) - 1} more" if len(self.items) > 1 else ""
        return shortened(str(self.items[0])) + others

    def apart(self) -> list[Work[T]]:
        """Each item alone, so that one that fails again is known."""
        return [Work(self.first + k, [item], self.failures) for k, item in enumerate(self.items)]


class Workers(ABC):
    """Something that does work: functions of a shared value and an item.

    Functions must be known by name in their module, and items be small. An item that fails is tried
    again; one that fails three times fails the run, with its own error. An `InputError` fails the
    run at once, since it would be raised again.

    Attributes
    ----------
    count : int
        The number of workers.

    Examples
    --------
    >>> import operator, phil
    >>> with phil.open_workers("local") as workers:
    ...     shared = workers.share([10, 20, 30])
    ...     list(workers.map(operator.getitem, shared, [2, 0]))
    [30, 10]
    """

    count: int
    is_here: bool = False  # whether work runs in this process
    attempts: int = ATTEMPTS

    @abstractmethod
    def share(self, value: S) -> Shared[S]:
        """Make a value readable to all workers; large arrays are there once per machine."""

    @abstractmethod
    def iterate(
        self, function: Callable[[S, T], Iterator[R]], shared: Shared[S], item: T
    ) -> Generator[R, Any, None]:
        """Run a generator in a worker, step by step; what is sent to it arrives there.

        Raises `WorkerLost` if the worker dies. Threads of this process may do so side by side, each
        with a worker of its own; while the generator waits to go on, its worker does other work.
        """

    @abstractmethod
    def close(self) -> None:
        """Stop all workers that this object has started, and their work."""

    @abstractmethod
    def _submit(self, wait: bool, function: Callable[..., Any], *arguments: Any) -> Handle | None:
        """Hand out a call; None if no worker is free, unless one is to be waited for."""

    @abstractmethod
    def _wait(self, handles: Collection[Handle]) -> Collection[Handle]:
        """Wait until some of the calls may be done; returns the handles of those that are."""

    @abstractmethod
    def _result(self, handle: Handle) -> Any:
        """The result of a call that is done, or its error; `WorkerLost` if its worker died."""

    @abstractmethod
    def _cancel(self, handles: Collection[Handle]) -> None:
        """Stop calls whose results are not wanted any more."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def run(
        self, function: Callable[[S, T], R], shared: Shared[S], items: Iterable[T]
    ) -> Generator[tuple[int, R], None, None]:
        """Do the work of all items, one at a time; yields (index, result) as they are done.

        Items are taken as workers become free, so there may be any number of them.
        """
        return self._spread(function, shared, items, OneByOne(), lambda: math.inf)

    def map(
        self,
        function: Callable[[S, T], R],
        shared: Shared[S],
        items: Iterable[T],
        *,
        grouped: bool = True,
    ) -> Generator[R, None, None]:
        """Do the work of all items; yields the results in the order of the items.

        If `grouped`, items that take little time are sent several at a time. Only some groups of
        results per worker wait for one before them, so memory is bounded; and no item is taken
        before its turn, so a consumer that is slow holds up the items.
        """
        early: dict[int, R] = {}
        due = 0
        # In this process, nothing is sent that could be sent together.
        pace = Pace() if grouped and not self.is_here else OneByOne()
        done = self._spread(
            function, shared, items, pace, lambda: due + AHEAD * self.count * pace.size
        )
        try:
            for index, result in done:
                early[index] = result
                while due in early:
                    yield early.pop(due)
                    due += 1
        finally:
            done.close()

    def _spread(
        self,
        function: Callable[[S, T], R],
        shared: Shared[S],
        items: Iterable[T],
        pace: Pace,
        end: Callable[[], float],
    ) -> Generator[tuple[int, R], None, None]:
        """Do the work of items, of which those before `end()` may be taken."""
        left = iter(items)
        total = len(items) if isinstance(items, Sized) else None
        taken = 0
        again: deque[Work[T]] = deque()
        running: dict[Handle, Work[T]] = {}
        done: list[tuple[Work[T], list[R]]] = []
        try:
            while True:
                while len(running) < self.count and (again or taken < end()):
                    if not again:
                        size = pace.next_size(None if total is None else total - taken, self.count)
                        if not (group := [*islice(left, size)]):
                            break
                        again.append(Work(taken, group))
                        taken += len(group)
                    handle = self._submit(not running, do_each, function, shared, again[0].items)
                    if handle is None:
                        break
                    running[handle] = again.popleft()
                if done:  # after new work was handed out: what is done with results takes time
                    for work, results in done:
                        yield from enumerate(results, work.first)
                    done = []
                    continue
                if not running:
                    return
                for handle in self._wait(running):
                    work = running.pop(handle)
                    try:
                        results, seconds = self._result(handle)
                    except Exception as error:
                        _count_failure(work, error, self.attempts)
                        again += work.apart()
                    else:
                        pace.note(len(results), seconds)
                        done.append((work, results))
        finally:
            self._cancel(running)


def _count_failure(work: Work[Any], error: Exception, attempts: int) -> None:
    """Note a failure; raises the error if there is no use in another attempt."""
    work.failures += 1
    if isinstance(error, InputError) or attempts == 1:
        raise error
    if isinstance(error, WorkerLost):
        if work.failures == attempts:
            raise InputError(
                f"{attempts} workers died while they worked on {work} (the last one: {error}); it "
                "may need more memory than there is: use fewer workers"
            ) from error
        warnings.warn(f"{error}; its work ({work}) is done again", WorkerLostWarning, stacklevel=3)
    elif work.failures == attempts:
        error.add_note(f"after {attempts} attempts, while working on {work}")
        raise error
