"""Some seconds of heuristics that mislead find nothing, and would find a bound that is not kept."""

from __future__ import annotations

import pytest

from phil.search import bounded
from tests.campaign import adversarial
from tests.campaign.part import SECONDS, Budget

ROWS = 7


@pytest.mark.slow
def test_some_seconds() -> None:
    report = adversarial.PART.run(Budget(SECONDS))
    assert not report.faults
    assert len(report.counts) == ROWS


def test_a_bound_that_is_not_kept_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "check_bound", lambda bound: 2.0 * bound)
    faults = adversarial.PART.run(Budget(20)).faults
    assert any("times the least cost" in fault for fault in faults)
