"""Tables of numbers in text files, plain or gzip."""

from __future__ import annotations

import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from phil.errors import InputError


def read_table(path: Path, dtype: DTypeLike, columns: int | None = None) -> NDArray[Any]:
    """The comma-separated numbers of a file, (rows, columns); no header."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # numpy only warns of a file without numbers
            table = np.loadtxt(path, dtype=dtype, delimiter=",", ndmin=2, comments=None)
    except (OSError, ValueError, EOFError, zlib.error, UserWarning) as error:
        raise InputError(f"cannot read {path}: {error}; fetch it again") from error
    if columns is not None and table.shape[1] != columns:
        raise InputError(f"{path} has {table.shape[1]} columns, not {columns}; fetch it again")
    return table


def read_column(path: Path) -> NDArray[np.int64]:
    """The whole numbers of a file with one in each line."""
    column: NDArray[np.int64] = read_table(path, np.int64, 1)[:, 0]
    return column
