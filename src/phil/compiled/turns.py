"""Processes take turns: what one of them compiles, the others wait for instead of compiling it too.

A lock is a file beside the kernel's own, which the system unlocks if its process dies. A process
waits for a lock only so long: waiting is a courtesy, not a promise.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, where each process compiles for itself
    fcntl = None  # type: ignore[assignment]

PATIENCE = 180.0  # seconds: the longest that a kernel takes to compile on a busy machine
PAUSE = 0.05
PRIVATE = 0o600


class Turns:
    """The kernels that it is this process's turn to compile."""

    def __init__(self) -> None:
        self._held: dict[Path, int] = {}

    def wait_for(self, kernel: Path) -> None:
        """Wait until no other process compiles a kernel; then others wait for this one."""
        if fcntl is None or kernel in self._held:
            return
        try:
            file = os.open(_lock_of(kernel), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
        except OSError:  # nothing can be written there: each process compiles for itself
            return
        give_up = time.monotonic() + PATIENCE
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                if time.monotonic() > give_up:
                    os.close(file)
                    return
                time.sleep(PAUSE)
            else:
                self._held[kernel] = file
                return

    def end(self, kernel: Path) -> None:
        """Let others go on; they find the kernel on disk."""
        file = self._held.pop(kernel, None)
        if file is not None:
            # Whoever waits for this file, or makes another one, looks for the kernel next.
            with contextlib.suppress(OSError):
                _lock_of(kernel).unlink()
            os.close(file)


def _lock_of(kernel: Path) -> Path:
    return kernel.with_name(f"{kernel.name}.lock")


turns = Turns()
