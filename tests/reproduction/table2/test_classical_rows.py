"""Unlearned rows of Table 2 on the real data, against figures measured before on other draws."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reproduction.experiment import Request
from reproduction.grid import Trial
from reproduction.table2.table import TABLE2

# Ratios to greedy Euclidean, and how far two draws of pairs may differ: little for 500 pairs of
# small graphs, except that a few large graphs count for much of BFS on proteins (resampling gives
# an interval of 3.1 to 4.0), and much for 100 pairs of one graph. A* was measured without opening
# nodes again, which on enzymes makes it 1.02, not 1.08.
MEASURED = {
    "enzymes": ({"bfs": 1.39, "astar": 1.00, "oracle": 0.445}, 0.10),
    "proteins": ({"bfs": 3.03, "astar": 1.00, "oracle": 0.869}, 0.20),
    "molhiv": ({"bfs": 1.28, "astar": 1.09, "oracle": 0.553}, 0.10),
    "citeseer": ({"bfs": 1.75, "astar": 1.33, "oracle": 0.020}, 0.30),
    # A* cannot be compared: it was measured with edges of cost 1.
    "rimini": ({"bfs": 62.2, "oracle": 0.309}, 0.20),
}


@pytest.mark.data
@pytest.mark.parametrize("name", MEASURED)
def test_classical_rows(name: str, tmp_path: Path) -> None:
    measured, tolerance = MEASURED[name]
    request = Request(tmp_path, tmp_path, tmp_path)
    found = {
        method: np.array(part.make()["test"]["expansions"], float)
        for method in ("euclidean", *measured)
        for part in [TABLE2.part(request, Trial(f"{name}-1", method))]
    }
    reference = found["euclidean"]
    for method, ratio in measured.items():
        assert found[method].mean() / reference.mean() == pytest.approx(ratio, rel=tolerance)
