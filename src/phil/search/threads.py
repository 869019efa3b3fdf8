"""Work in several threads."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread


def in_threads(count: int, work: Callable[[], None], stop: Callable[[], None]) -> None:
    """Call `work` in this and `count - 1` further threads, and wait for them.

    If one raises an exception, as this thread does after Ctrl-C, `stop` tells the others to return.
    """
    raised: list[BaseException] = []

    def guarded() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)
            stop()

    others = [Thread(target=guarded, name="phil-search") for _ in range(count - 1)]
    for thread in others:
        thread.start()
    guarded()
    for thread in others:
        thread.join()
    if raised:
        raise raised[0]
