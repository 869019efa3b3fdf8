"""The tables of README.md and docs/results.md are the committed results, to the letter."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from phil.experiments.table1 import page as table1
from phil.experiments.table2 import page as table2
from phil.experiments.table3 import page as table3

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("page", ["README.md", "docs/results.md"])
@pytest.mark.parametrize(
    ("name", "readme_table"),
    [
        ("table1", table1.readme_table),
        ("table2", table2.readme_table),
        ("table3", table3.readme_table),
    ],
)
def test_the_table_is_that_of_the_committed_results(
    page: str, name: str, readme_table: Callable[[Mapping[str, Any]], str]
) -> None:
    document = json.loads((ROOT / f"benchmarks/results/{name}.json").read_text())
    assert readme_table(document) in (ROOT / page).read_text()
