"""Disk cache of computed features.

It is the folder `features` in `PHIL_CACHE` or in the user's cache folder, and can be deleted at any
time. A file is named after a hash of everything the feature was computed from, so it is never
stale; the least recently used files are deleted when the total exceeds `MOST_BYTES`.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
from numpy.typing import NDArray

from phil.compiled.folder import make_private
from phil.errors import InputError
from phil.files import write_atomic
from phil.graphs import AnyGraph
from phil.graphs.features.feature import Table

FEWEST_NODES = 2000  # smaller graphs are numerous and fast to compute: not cached
MOST_BYTES = 2 * 10**9
DIGEST_BYTES = hashlib.sha256().digest_size


def features_folder() -> Path:
    """The folder of the cache."""
    return Path(os.environ.get("PHIL_CACHE") or platformdirs.user_cache_dir("phil")) / "features"


def place_of(graph: AnyGraph, feature: str) -> Path:
    """The file of a feature, named with its size and version, that depends on adjacency only."""
    if graph.is_grid:
        rules = f"{graph.shape} {graph.connectivity} {graph.corners} {graph.diagonal_cost!r}"
        digest = hashlib.sha256(f"{feature} {rules}".encode())
        arrays: list[NDArray[Any]] = [graph.free]
    else:
        digest = hashlib.sha256(f"{feature} {graph.num_nodes} {graph.directed}".encode())
        weights = np.zeros(0) if graph.weights is None else graph.weights
        arrays = [graph.indptr, graph.indices, weights]
    for array in arrays:
        digest.update(f" {array.dtype.str} {array.size} ".encode())
        digest.update(np.ascontiguousarray(array).data)
    return features_folder() / f"{digest.hexdigest()}.npy"


def read(path: Path, shape: tuple[int, int]) -> Table | None:
    """A cached table, if it exists, is intact and has this shape, which compiled code relies on."""
    try:
        data = path.read_bytes() if path.is_file() else b""  # a pipe would be waited for
    except OSError:
        return None
    whole, digest = data[:-DIGEST_BYTES], data[-DIGEST_BYTES:]
    if _digest(path, whole) != digest:
        return None
    from phil.graphs.formats.npy import array_from  # imports features itself

    try:
        table: Table = array_from(whole, str(path))
    except InputError:
        return None
    if table.shape != shape or table.dtype not in (np.float32, np.float64):
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # mark as recently used
    return table


def write(path: Path, table: Table) -> None:
    """Cache a table; errors are ignored, since nothing depends on the cache."""
    if table.nbytes > MOST_BYTES:
        return
    stream = io.BytesIO()
    np.save(stream, table, allow_pickle=False)
    whole = stream.getvalue()
    with contextlib.suppress(OSError, InputError):
        for folder in reversed(path.parents):
            make_private(folder)  # compiled code is kept beside it
        # NumPy ignores bytes after the array, so other programs can read the file as well.
        write_atomic(path, whole + _digest(path, whole))
        _delete_oldest(path.parent)


def _digest(path: Path, whole: bytes) -> bytes:
    """The digest of a table that belongs to this file, and to no other."""
    return hashlib.sha256(path.name.encode() + whole).digest()


def _delete_oldest(folder: Path) -> None:
    files = [(path.stat(), path) for path in folder.iterdir()]  # with what killed processes left
    total = sum(facts.st_size for facts, _ in files)
    for facts, path in sorted(files, key=lambda file: file[0].st_mtime):
        if total <= MOST_BYTES:
            return
        path.unlink(missing_ok=True)
        total -= facts.st_size
