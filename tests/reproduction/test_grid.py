"""Tables of methods by rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reproduction.grid import Grid
from reproduction.table1.table import TABLE1
from reproduction.table2.table import TABLE2
from reproduction.table3.table import TABLE3
from tests.reproduction.conftest import QuickRun

ONE_ROW: dict[str, tuple[Grid, str, str]] = {
    "table1": (TABLE1, "families", "forest"),
    "table2": (TABLE2, "sets", "molecules"),
    "table3": (TABLE3, "rooms", "simple"),
}


@pytest.mark.parametrize("name", ONE_ROW)
def test_one_method_is_shown_beside_what_ratios_are_to(name: str, tmp_path: Path) -> None:
    table, rows, row = ONE_ROW[name]
    ran = QuickRun.of(table, tmp_path, only={rows: [row], "methods": ["bfs"]}, times=False)
    shown: dict[str, Any] = ran.document[rows][row]
    methods = shown.get("methods") or shown["tiers"]["1"]["methods"]
    assert {*methods} == {"bfs", *table.references}
    assert "| BFS |" in ran.text("md")
