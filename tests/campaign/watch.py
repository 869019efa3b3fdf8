"""What a process holds while it works: memory, open files and threads, which must not grow."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median

OWN = Path("/proc/self")
PAGE = os.sysconf("SC_PAGE_SIZE")
# What may come from one third of the time to the next: allocators return memory when they like.
MOST_GROWTH = {"megabytes": 16.0, "open files": 2.0, "threads": 2.0}

Held = tuple[float, int, int]


def held() -> Held:
    """The megabytes in memory, open files and threads of this process."""
    pages = int((OWN / "statm").read_text().split()[1])
    return pages * PAGE / 1e6, len(os.listdir(OWN / "fd")), len(os.listdir(OWN / "task"))


class Watch:
    """What a process held at many moments; it takes little memory itself."""

    def __init__(self, moments: Iterable[Held] = ()) -> None:
        self._held = array("d")
        for moment in moments:
            self.add(moment)

    def add(self, moment: Held) -> None:
        """Add what is held now."""
        self._held.extend(moment)

    def growth(self) -> Iterator[str]:
        """What grew: the first third is for warming up, and the others are compared."""
        for column, (name, most) in enumerate(MOST_GROWTH.items()):
            values = self._held[column :: len(MOST_GROWTH)]
            third = len(values) // 3
            if third == 0:
                continue
            before, after = median(values[third:-third]), median(values[-third:])
            if after - before > most:
                yield f"{name} grew from {before:g} to {after:g}, halfway to the end"
