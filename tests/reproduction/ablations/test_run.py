"""The ablations of a quick run, each above its drawing."""

from __future__ import annotations

from pathlib import Path

import pytest

from reproduction.ablations.table import ABLATIONS
from tests.reproduction.conftest import QuickRun


@pytest.mark.slow
def test_every_variant_is_trained_and_tested(tmp_path: Path) -> None:
    ran = QuickRun.of(ABLATIONS, tmp_path)
    [row] = ran.document["families"].values()
    assert len(row["variants"]) == 11
    assert all(summary["solved"] == [6] for summary in row["variants"].values())
    for study in ("convolution", "neighbourhood", "fringe"):
        assert ran.file(f"-{study}.svg").stat().st_size > 0
