"""Every example runs as it is, in an empty folder, and leaves what it promises."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
LEAVES = {
    "search_a_map.py": ["phil_shifting_gaps.png", "euclidean.png"],
    "train_on_your_maps.py": ["mine.safetensors"],
    "compare_methods.py": ["comparison.html"],
    "costly_expansions.py": [],
    "road_graph.py": [],
    "bounded_search.py": [],
    "many_queries.py": [],
    "your_own_heuristic.py": [],
    "your_own_network.py": ["mine.safetensors"],
    "sliding_puzzle.py": [],
}
ARGUMENTS = {"sliding_puzzle.py": ["--quick"]}  # the others are quick as they are


def test_every_example_is_tested_and_short() -> None:
    # phil_in_one_file.py, which trains for a minute, has tests of its own.
    examples = {path.name for path in EXAMPLES.glob("*.py")} - {"phil_in_one_file.py"}
    assert examples == set(LEAVES)
    lines = {name: len((EXAMPLES / name).read_text().splitlines()) for name in examples}
    assert max(lines.values()) < 60
    assert lines["sliding_puzzle.py"] < 40


@pytest.mark.parametrize("name", LEAVES)
def test_example(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", EXAMPLES / name, *ARGUMENTS.get(name, [])],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "expansions" in done.stdout
    for file in LEAVES[name]:
        assert (tmp_path / file).stat().st_size > 0
