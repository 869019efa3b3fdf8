"""The part `mapped`: opening a graph of 10^8 stored edges that is mapped into memory.

It is opened in two processes of their own at once, which share its memory:

    python -m reproduction.speed.mapped FILE
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median
from typing import IO, Any

import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

import phil
from phil.evaluation.timing import Job, interleaved
from phil.graphs import Graph
from phil.graphs.formats import write_mapped
from reproduction.speed.common import Scale, ratio

ROWS = 50  # of the lattice that are made at a time
REPEATS = 3
EXPANSIONS = 10_000  # of the search that every process runs


def measure(scale: Scale) -> dict[str, Any]:
    """The large graph by two processes; a smaller one by how it is stored."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        large = write_lattice(folder, scale.pick(5000, 100))
        size, both = large.stat().st_size, _two_at_once(large)
        large.unlink()
        return {"file_bytes": size, **both, "stored": _stored(folder, scale)}


def write_lattice(folder: Path, side: int) -> Path:
    """A weighted lattice whose borders are joined, written piece by piece: 4 edges at each node."""
    nodes = side * side
    create = partial(_created, folder)
    arrays = {
        "indptr": create("indptr", np.int64, (nodes + 1,)),
        "indices": create("indices", np.int32, (4 * nodes,)),
        "weights": create("weights", np.float64, (4 * nodes,)),
    }
    columns = np.arange(side)
    for first in range(0, side, ROWS):
        rows = np.arange(first, min(first + ROWS, side))[:, None]
        node = rows * side + columns
        beside = (columns + 1) % side, (columns - 1) % side
        across = (rows + 1) % side, (rows - 1) % side
        targets = np.stack(
            [*(rows * side + other for other in beside), *(row * side + columns for row in across)],
            axis=-1,
        )
        place = slice(4 * first * side, 4 * (first + len(rows)) * side)
        arrays["indices"][place] = targets.ravel()
        low, high = np.minimum(node[..., None], targets), np.maximum(node[..., None], targets)
        arrays["weights"][place] = 1 + ((7919 * low + 104_729 * high) % 1000).ravel() / 1000
        arrays["indptr"][node.ravel() + 1] = 4 * (node.ravel() + 1)
    path = folder / "lattice.npz"
    write_mapped(path, arrays)
    for name in arrays:
        (folder / f"{name}.npy").unlink()
    return path


def _created(folder: Path, name: str, dtype: type, shape: tuple[int, ...]) -> NDArray[Any]:
    created: NDArray[Any] = open_memmap(folder / f"{name}.npy", "w+", dtype, shape)
    return created


def _two_at_once(path: Path) -> dict[str, Any]:
    """What two processes tell that have the same graph open."""
    command = (sys.executable, "-m", "reproduction.speed.mapped", str(path))
    pipe = subprocess.PIPE
    running = [subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) for _ in range(2)]
    try:
        opened = [_line(process.stdout) for process in running]
        told = []
        for process in running:
            assert process.stdin is not None
            print("measure", file=process.stdin, flush=True)
            told.append(_line(process.stdout))
    finally:
        for process in running:
            process.communicate()
    return {
        "nodes": opened[0]["nodes"],
        "entries": opened[0]["entries"],
        "open_seconds": median(one["seconds"] for one in opened),
        "pass_ratio": median(one["pass_ratio"] for one in opened),
        **{name: median(one[name] for one in told) for name in told[0]},
    }


def _line(stream: IO[str] | None) -> dict[str, float]:
    assert stream is not None
    found: dict[str, float] = json.loads(stream.readline())
    return found


def _open(path: str) -> None:
    """Open and search the graph; once asked to, tell how much memory that took."""
    jobs: dict[str, Job] = {"open": partial(phil.read_graph, path), "pass": partial(_pass, path)}
    for job in jobs.values():
        job()  # from now on the file is in memory
    before = _memory("Anonymous")
    seconds = interleaved(jobs, REPEATS)
    graph = phil.read_graph(path)
    assert isinstance(graph, Graph)
    facts = {
        "nodes": graph.num_nodes,
        "entries": graph.indices.size,
        "seconds": median(seconds["open"]),
        "pass_ratio": ratio(seconds["open"], seconds["pass"]),
    }
    grown = _memory("Anonymous") - before
    phil.search(graph, 0, graph.num_nodes // 2, "zero", limits=phil.Limits(EXPANSIONS))
    print(json.dumps(facts), flush=True)
    sys.stdin.readline()
    shared = _memory("Shared_Clean")
    print(json.dumps({"own_bytes": grown, "shared_bytes": shared}), flush=True)
    sys.stdin.readline()  # stay until the other has told, too


def _pass(path: str) -> None:
    """Read the bytes of a file once."""
    buffer = bytearray(2**20)
    with open(path, "rb", buffering=0) as stream:
        while stream.readinto(buffer):
            pass


def _memory(kind: str) -> int:
    """Bytes of this process in memory that belong to no file, or that others have mapped, too."""
    rows = [line.split() for line in Path("/proc/self/smaps_rollup").read_text().splitlines()]
    return 1024 * next(int(row[1]) for row in rows if row[0] == f"{kind}:")


def _stored(folder: Path, scale: Scale) -> dict[str, float]:
    """The time to read a graph from an ordinary file, relative to a mapped one."""
    mapped, plain = write_lattice(folder, scale.pick(500, 50)), folder / "plain.npz"
    graph = phil.read_graph(mapped)
    phil.write_graph(plain, graph)
    jobs: dict[str, Job] = {
        "mapped": partial(phil.read_graph, mapped),
        "plain": partial(phil.read_graph, plain),
    }
    for job in jobs.values():
        job()
    seconds = interleaved(jobs, scale.pick(5, 2))
    return {"entries": 4 * graph.num_nodes, "times": ratio(seconds["plain"], seconds["mapped"])}


if __name__ == "__main__":
    _open(sys.argv[1])
