"""The table of what features cost."""

from __future__ import annotations

import numpy as np
import pytest

from phil.graphs import Graph
from reproduction.speed import features


def test_every_feature_has_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features, "RECIPE", "degree,landmarks:2,coordinates,node2vec")
    nodes = 30
    edges = np.stack([np.arange(nodes - 1), np.arange(1, nodes)], axis=1)
    rows = {name: rest for name, *rest in features.rows(Graph.from_edges(nodes, edges))}
    assert rows["degree"][0] == "1"
    assert float(rows["landmarks:2"][1]) > 0
    assert float(rows["landmarks:2"][2]) > 0
    assert "no coordinates" in rows["coordinates"][1]
    assert "all pairs" in rows["node2vec:16"][1]
    assert float(rows["(all pairs)"][1]) > 0
