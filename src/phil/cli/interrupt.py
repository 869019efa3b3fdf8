"""Ctrl-C: the program ends with code 130 and without a traceback, whatever it is doing."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from types import FrameType

INTERRUPTED = 130


class _Pressed:
    """Ctrl-C was pressed: code that was interrupted may raise any error."""

    ever = False


def leave_when_interrupted() -> None:
    """Exit at once on Ctrl-C, because nothing can be lost: while importing, and at the very end."""
    _handle(lambda *_: os._exit(INTERRUPTED))


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Raise `KeyboardInterrupt` on Ctrl-C; leaves with `KeyboardInterrupt` if it was pressed.

    An import or a callback that is interrupted may raise another error instead.
    """
    _Pressed.ever = False
    _handle(_interrupt)
    try:
        yield
    except Exception as error:
        if _Pressed.ever:
            raise KeyboardInterrupt from error
        raise
    finally:
        leave_when_interrupted()


def _interrupt(number: int, frame: FrameType | None) -> None:
    _Pressed.ever = True
    raise KeyboardInterrupt


def _handle(handler: Callable[[int, FrameType | None], None]) -> None:
    """Set what Ctrl-C does, unless it is ignored, as in background jobs, or another thread's."""
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        with contextlib.suppress(ValueError):
            signal.signal(signal.SIGINT, handler)
