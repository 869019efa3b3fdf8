"""The README's table is the committed result, to the letter."""

from __future__ import annotations

import json
from pathlib import Path

from phil.experiments.table1.page import readme_table

ROOT = Path(__file__).parent.parent


def test_the_table_is_that_of_the_committed_results() -> None:
    document = json.loads((ROOT / "benchmarks/results/table1.json").read_text())
    assert readme_table(document) in (ROOT / "README.md").read_text()
