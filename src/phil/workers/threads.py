"""Work in threads of this process: for compiled code, which runs without the interpreter's lock."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import Any

from phil.workers.local import LocalWorkers
from phil.workers.workers import Handle


class Threads(LocalWorkers):
    """Threads of this process."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool = ThreadPoolExecutor(count)

    def close(self) -> None:
        """End the threads, after what they are doing."""
        self._pool.shutdown(cancel_futures=True)

    def _submit(self, wait: bool, function: Callable[..., Any], *arguments: Any) -> Handle | None:
        return self._pool.submit(function, *arguments)

    def _wait(self, handles: Collection[Handle]) -> Collection[Handle]:
        return wait(handles, return_when=FIRST_COMPLETED).done

    def _result(self, handle: Handle) -> Any:
        return handle.result()

    def _cancel(self, handles: Collection[Handle]) -> None:
        for handle in handles:
            handle.cancel()
        wait(handles)  # what has begun uses what the caller may change
