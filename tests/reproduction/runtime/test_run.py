"""The runtime measured for real, on small maps."""

from __future__ import annotations

from pathlib import Path

import pytest

from reproduction.runtime.table import RUNTIME, TIMED
from reproduction.runtime.timing import COMPILED, PYTHON
from tests.reproduction.conftest import QuickRun


def test_every_method_is_timed_on_both_engines(tmp_path: Path, trained: Path) -> None:
    only = {"families": ["alternating_gaps"]}
    ran = QuickRun.of(RUNTIME, tmp_path, heuristics=trained, only=only)
    [row] = ran.document["families"].values()
    methods = row["methods"]
    assert [*methods] == [*TIMED]
    for found in methods.values():
        assert {COMPILED, PYTHON} <= found.keys()
        cell = found[PYTHON]
        per_node = cell["milliseconds"] / cell["expansions"]
        assert cell["milliseconds_per_node"] == pytest.approx(per_node)
        assert 0 <= cell["heuristic_share"] < 1
    ran.check_page()
