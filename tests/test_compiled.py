"""Compiled code is kept between processes, and never used when its source has changed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import phil
from phil.compiled import cache_folder, kernel, kernel_sources, source_hash

PACKAGE = Path(phil.__file__).parent

# A search with every compiled loop; prints, of all compiled functions, how often compiled code was
# found and how often it had to be made.
SEARCHES = """
import json, sys
import numba, numpy as np
import phil
from phil.graphs.distances import costs_to
from phil.heuristics.phil import HeuristicMetadata, PhilHeuristic
from phil.heuristics.phil.weights import tensor_shapes

metadata = HeuristicMetadata.model_validate(
    {"network": {"width": 8, "memory": 4}, "feature_names": ["x", "y"], "scaling": {}}
)
tensors = {
    name: np.full(shape, 0.1, np.float32) for name, shape in tensor_shapes(metadata.network).items()
}
grid = phil.GridGraph(np.ones((5, 5), bool))
for heuristic in (phil.load("euclidean"), phil.load("oracle"), PhilHeuristic(metadata, tensors)):
    assert phil.search(grid, (4, 0), (0, 4), heuristic).solved
graph = phil.Graph.from_edges(2, [(0, 1)], np.zeros((2, 1)))
assert phil.search(graph, 0, 1, phil.load("zero"), key=phil.ASTAR).solved
assert costs_to(grid, 0)[1] == 1
hits = misses = 0
for module in [module for name, module in sys.modules.items() if name.startswith("phil.")]:
    for value in vars(module).values():
        if isinstance(value, numba.core.dispatcher.Dispatcher):
            hits += sum(value.stats.cache_hits.values())
            misses += sum(value.stats.cache_misses.values())
print(json.dumps({"hits": hits, "misses": misses}))
"""


def run(code: str, **variables: str) -> str:
    """What a fresh process prints."""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), **variables}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.slow
def test_a_second_process_compiles_nothing() -> None:
    run(SEARCHES)
    second = json.loads(run(SEARCHES))
    assert second["misses"] == 0
    assert second["hits"] > 5


def copy_of_the_package(folder: Path) -> Path:
    return shutil.copytree(
        PACKAGE, folder / "phil", ignore=shutil.ignore_patterns("__pycache__", "shipped")
    )


def test_the_name_of_the_folder_changes_with_every_kernel_source(tmp_path: Path) -> None:
    package = copy_of_the_package(tmp_path)
    original = source_hash(PACKAGE)
    assert source_hash(package) == original
    assert cache_folder().name == f"kernels-{original}"
    sources = kernel_sources(package)
    assert package / "search" / "expand.py" in sources
    hashes = {original}
    for path in sources:
        text = path.read_text()
        path.write_text(text + "\n# edited\n")
        hashes.add(source_hash(package))
        path.write_text(text)
    assert len(hashes) == 1 + len(sources)
    assert source_hash(package) == original


def test_a_tuple_that_kernels_read_by_position_is_a_kernel_source() -> None:
    names = {path.relative_to(PACKAGE).as_posix() for path in kernel_sources(PACKAGE)}
    assert {"heuristics/phil/weights.py", "heuristics/phil/scaling.py"} <= names


def test_other_sources_keep_the_compiled_code(tmp_path: Path) -> None:
    package = copy_of_the_package(tmp_path)
    (package / "cli" / "main.py").write_text("")
    (package / "errors.py").write_text("# nothing")
    assert source_hash(package) == source_hash(PACKAGE)


def test_a_moved_kernel_is_another_one(tmp_path: Path) -> None:
    package = copy_of_the_package(tmp_path)
    (package / "search" / "expand.py").rename(package / "search" / "expanding.py")
    assert source_hash(package) != source_hash(PACKAGE)


def test_a_folder_that_cannot_be_made_is_replaced_by_a_temporary_one(tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    (tmp_path / "file").touch()

    def folder_in(cache: Path) -> Path:
        code = "from phil.compiled import cache_folder; print(cache_folder())"
        return Path(run(code, PHIL_CACHE=str(cache), TMPDIR=str(tmp_path / "temporary")).strip())

    assert folder_in(tmp_path / "cache").parent == tmp_path / "cache"
    instead = folder_in(tmp_path / "file")
    assert instead.is_dir()
    assert instead.is_relative_to(tmp_path / "temporary")


def test_other_users_of_numba_keep_their_own_cache() -> None:
    before = numba.config.CACHE_DIR

    @kernel
    def twice(x: int) -> int:
        return 2 * x

    assert before == numba.config.CACHE_DIR
    assert twice(4) == 8
