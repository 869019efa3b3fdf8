"""Arrays that do not fit into memory, in temporary files.

The system writes their pages to disk when it needs the memory, and reads them when they are used.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import tempfile

import numpy as np
from numpy.typing import NDArray

from phil.memory import available_bytes

SHARE = 4  # one part in so many of the free memory may be taken before arrays go to files
BLOCK = 2**26  # bytes of a file, at least: a process may have only so many
ALIGNED = 64


class Spill:
    """Keeps arrays in memory, and those beyond a number of bytes in files that have no name."""

    def __init__(self, most: int | None = None) -> None:
        free = available_bytes()
        self.most = most if most is not None else None if free is None else free // SHARE
        self.bytes = 0  # of all arrays
        self._block: mmap.mmap | None = None
        self._used = 0  # bytes of the block

    def keep(self, array: NDArray[np.float64]) -> NDArray[np.float64]:
        """The array, in memory or in a file; in memory, too, if the disk is full."""
        self.bytes += array.nbytes
        if self.most is None or self.bytes <= self.most:
            return array
        with contextlib.suppress(OSError):
            return self._written(array)
        return array

    def _written(self, array: NDArray[np.float64]) -> NDArray[np.float64]:
        if self._block is None or self._used + array.nbytes > len(self._block):
            self._block, self._used = _new_file(max(BLOCK, array.nbytes)), 0
        flat = np.frombuffer(self._block, array.dtype, array.size, self._used)
        flat[:] = array.ravel()
        self._used += -(-array.nbytes // ALIGNED) * ALIGNED
        return flat.reshape(array.shape)


def _new_file(size: int) -> mmap.mmap:
    """A file that is mapped, on a disk that has room for all of it: a page without would crash."""
    with tempfile.TemporaryFile(prefix="phil-spill-") as file:
        if not hasattr(os, "posix_fallocate"):  # on Windows and macOS
            raise OSError("room on disk cannot be reserved")
        os.posix_fallocate(file.fileno(), 0, size)
        return mmap.mmap(file.fileno(), size)  # which keeps the file open
