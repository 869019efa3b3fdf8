"""The time from a drag to the last frame, measured over a real WebSocket."""

from __future__ import annotations

from pathlib import Path

from reproduction.speed.common import Scale
from reproduction.speed.playground import METHODS, measure


def test_every_method_is_measured(tmp_path: Path) -> None:
    found = measure(Scale(True, None, tmp_path))
    assert list(found["methods"]) == list(METHODS)
    for row in found["methods"].values():
        assert 0 < row["search_ms"] < row["drag_ms"] * 1.5
        assert row["expansions"] > 20
    # Frames hold four bytes a node besides their headers.
    most = max(found["methods"].values(), key=lambda row: row["expansions"])
    assert 4 <= most["bytes_per_node"] < 6
