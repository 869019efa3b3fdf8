"""What a process holds while it works: memory, open files and threads, which must not grow."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
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


@dataclass
class Watch:
    """What a process held at many moments."""

    moments: list[Held] = field(default_factory=list)

    def growth(self) -> Iterator[str]:
        """What grew: the first third is for warming up, and the others are compared."""
        third = len(self.moments) // 3
        for column, (name, most) in enumerate(MOST_GROWTH.items()):
            values = [moment[column] for moment in self.moments]
            if third == 0:
                continue
            before, after = median(values[third:-third]), median(values[-third:])
            if after - before > most:
                yield f"{name} grew from {before:g} to {after:g}, halfway to the end"
