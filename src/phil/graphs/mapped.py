"""Arrays that lie in a file: mapped into memory instead of read, and shared between processes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from phil.memory import mapped_file


def is_mapped(array: NDArray[Any], dtype: DTypeLike) -> bool:
    """Whether an array lies in a `MappedFile` as kernels need it: by row, and of this type.

    >>> is_mapped(np.zeros(3), np.float64)
    False
    """
    if array.dtype != np.dtype(dtype) or not array.flags.c_contiguous or array.flags.writeable:
        return False
    return mapped_file(array) is not None
