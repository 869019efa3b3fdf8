"""A minute of random graphs finds nothing, and would find a search that errs."""

from __future__ import annotations

import pytest

from phil.search import expand, loop
from tests.campaign import graphs
from tests.campaign.drawn import KINDS
from tests.campaign.part import Budget


@pytest.mark.slow
def test_a_minute() -> None:
    report = graphs.PART.run(Budget(60))
    assert not report.faults
    assert len(report.counts) == len(KINDS) + len(graphs.OTHERS)


def test_a_wrong_cost_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = expand.path_cost
    monkeypatch.setattr(loop, "path_cost", lambda *given: right(*given) * (1 + 1e-6))
    assert "says that its path costs" in graphs.PART.run(Budget(20)).faults[0]
