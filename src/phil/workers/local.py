"""Work in this process."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator
from typing import Any, TypeVar

from phil.workers.shared import Here, Shared
from phil.workers.workers import Handle, Workers

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")


class LocalWorkers(Workers):
    """This process, which does one thing after the other."""

    count = 1
    is_here = True
    attempts = 1  # nothing is lost here, so that an error would only come again

    def share(self, value: S) -> Here[S]:
        """The value itself."""
        return Here(value)

    def iterate(
        self, function: Callable[[S, T], Iterator[R]], shared: Shared[S], item: T
    ) -> Generator[R, Any, None]:
        """Run a generator."""
        yield from function(shared.get(), item)

    def close(self) -> None:
        """Nothing was started."""

    def _submit(self, wait: bool, function: Callable[..., Any], *arguments: Any) -> Handle | None:
        return lambda: function(*arguments)

    def _wait(self, handles: Collection[Handle]) -> Collection[Handle]:
        return [*handles]

    def _result(self, handle: Handle) -> Any:
        return handle()

    def _cancel(self, handles: Collection[Handle]) -> None:
        """What was not begun stays undone."""
