"""Some seconds of random graphs find nothing, and would find a search that errs."""

from __future__ import annotations

import pytest

from phil.search import expand, loop
from tests.campaign import graphs
from tests.campaign.drawn import KINDS
from tests.campaign.part import SECONDS, Budget


@pytest.mark.slow
def test_some_seconds() -> None:
    report = graphs.PART.run(Budget(SECONDS))
    assert not report.faults
    assert len(report.counts) == len(KINDS) + len(graphs.OTHERS)


def test_a_wrong_cost_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = expand.path_cost
    monkeypatch.setattr(loop, "path_cost", lambda *given: right(*given) * (1 + 1e-6))
    assert "says that its path costs" in graphs.PART.run(Budget(20)).faults[0]
