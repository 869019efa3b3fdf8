"""The interface of all workers, and the loop that spreads work over them."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from phil.errors import InputError, shortened
from phil.workers.lost import WorkerLost, WorkerLostWarning
from phil.workers.shared import Shared

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")
Handle = Any  # of work that was handed out, hashable

ATTEMPTS = 3  # after so many failures of one item, the run fails
AHEAD = 8  # per worker: so many results may wait for one before them


@dataclass
class Work(Generic[T]):
    """An item, its place among all, and how often it has failed."""

    index: int
    item: T
    failures: int = 0


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
    ) -> Generator[R, None, None]:
        """Run a generator in a worker of its own, step by step.

        Raises `WorkerLost` if the worker dies. Threads of this process may do so side by side.
        """

    @abstractmethod
    def close(self) -> None:
        """Stop all workers that this object has started, and their work."""

    @abstractmethod
    def _submit(self, function: Callable[[S, T], R], shared: Shared[S], item: T) -> Handle:
        """Hand out work."""

    @abstractmethod
    def _wait(self, handles: Collection[Handle]) -> Collection[Handle]:
        """Wait until some of the work is done; returns its handles."""

    @abstractmethod
    def _result(self, handle: Handle) -> Any:
        """The result of work that is done, or its error; `WorkerLost` if its worker died."""

    @abstractmethod
    def _cancel(self, handles: Collection[Handle]) -> None:
        """Stop work whose results are not wanted any more."""

    @property
    def _window(self) -> int:
        """How much work may be handed out at a time."""
        return self.count

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
        """Do the work of all items; yields (index, result) as they are done.

        Items are taken as workers become free, so there may be any number of them.
        """
        return self._spread(function, shared, items, lambda index: True)

    def map(
        self, function: Callable[[S, T], R], shared: Shared[S], items: Iterable[T]
    ) -> Generator[R, None, None]:
        """Do the work of all items; yields the results in the order of the items.

        Only some results per worker wait for one before them, so memory is bounded; and no item is
        taken before its turn, so a consumer that is slow holds up the items.
        """
        early: dict[int, R] = {}
        due = 0
        done = self._spread(function, shared, items, lambda index: index < due + AHEAD * self.count)
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
        may_take: Callable[[int], bool],
    ) -> Generator[tuple[int, R], None, None]:
        left = (Work(index, item) for index, item in enumerate(items))
        index = 0  # of the next item
        again: deque[Work[T]] = deque()
        running: dict[Handle, Work[T]] = {}
        try:
            while True:
                while len(running) < self._window and (again or may_take(index)):
                    if again:
                        work = again.popleft()
                    elif (new := next(left, None)) is not None:
                        work, index = new, new.index + 1
                    else:
                        break
                    running[self._submit(function, shared, work.item)] = work
                if not running:
                    return
                for handle in self._wait(running):
                    work = running.pop(handle)
                    try:
                        result: R = self._result(handle)
                    except Exception as error:
                        _count_failure(work, error, self.attempts)
                        again.append(work)
                    else:
                        yield work.index, result
        finally:
            self._cancel(running)


def _count_failure(work: Work[Any], error: Exception, attempts: int) -> None:
    """Note a failure; raises the error if there is no use in another attempt."""
    work.failures += 1
    what = shortened(str(work.item))
    if isinstance(error, InputError) or attempts == 1:
        raise error
    if isinstance(error, WorkerLost):
        if work.failures == attempts:
            raise InputError(
                f"{attempts} workers died while they worked on {what} (the last one: {error}); it "
                "may need more memory than there is: use fewer workers"
            ) from error
        warnings.warn(f"{error}; its work ({what}) is done again", WorkerLostWarning, stacklevel=3)
    elif work.failures == attempts:
        error.add_note(f"after {attempts} attempts, while working on {what}")
        raise error
