"""Computed features on the disk, so that the next process need not compute them again.

They are in the folder `features` of `PHIL_CACHE` or of the user's cache, and can be deleted at any
time. A file is named after a hash of all that the feature was computed from, so it is never stale;
the ones that were not used for longest go when all are larger than `MOST_BYTES`.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
from pathlib import Path

import numpy as np
import platformdirs

from phil.errors import InputError
from phil.files import write_atomic
from phil.graphs.features.feature import Table
from phil.graphs.graph import Graph

FEWEST_NODES = 2000  # of smaller graphs there are thousands, and each is computed in no time
MOST_BYTES = 2 * 10**9
DIGEST_BYTES = hashlib.sha256().digest_size


def features_folder() -> Path:
    """Where computed features are kept."""
    return Path(os.environ.get("PHIL_CACHE") or platformdirs.user_cache_dir("phil")) / "features"


def place_of(graph: Graph, feature: str) -> Path:
    """The file of a feature, given with its number and version, that needs only the adjacency."""
    digest = hashlib.sha256(f"{feature} {graph.num_nodes} {graph.directed}".encode())
    weights = np.zeros(0) if graph.weights is None else graph.weights
    for array in (graph.indptr, graph.indices, weights):
        digest.update(f" {array.dtype.str} {array.size} ".encode())
        digest.update(np.ascontiguousarray(array).data)
    return features_folder() / f"{digest.hexdigest()}.npy"


def read(path: Path) -> Table | None:
    """A table that was written whole, if there is one."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    whole, digest = data[:-DIGEST_BYTES], data[-DIGEST_BYTES:]
    if hashlib.sha256(whole).digest() != digest:
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # used now: the last to go
    table: Table = np.load(io.BytesIO(whole), allow_pickle=False)
    return table


def write(path: Path, table: Table) -> None:
    """Keep a table, if there is room and the folder can be written to: nobody depends on it."""
    if table.nbytes > MOST_BYTES:
        return
    stream = io.BytesIO()
    np.save(stream, table, allow_pickle=False)
    whole = stream.getvalue()
    with contextlib.suppress(OSError, InputError):
        path.parent.mkdir(parents=True, exist_ok=True)
        # NumPy reads no further than the array ends, so it is a file for others too.
        write_atomic(path, whole + hashlib.sha256(whole).digest())
        _delete_oldest(path.parent)


def _delete_oldest(folder: Path) -> None:
    files = [(path.stat(), path) for path in folder.glob("*.npy")]
    total = sum(facts.st_size for facts, _ in files)
    for facts, path in sorted(files, key=lambda file: file[0].st_mtime):
        if total <= MOST_BYTES:
            return
        path.unlink(missing_ok=True)
        total -= facts.st_size
