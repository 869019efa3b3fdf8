"""The comparison of Neural A* with A* on the planning sets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reproduction import planning
from reproduction.planning import Searches, generated_set, score, train_and_test
from tests.reproduction.conftest import Reproduce


def test_the_score() -> None:
    found = score(Searches([10, 20], [True, True]), Searches([5, 25], [True, False]))
    assert (found.astar, found.neural, found.astar_optimality) == (15.0, 15.0, 1.0)
    assert found.reduction == pytest.approx(0.0)
    assert found.mean_reduction == pytest.approx(0.25)  # 50 % and, since it is more, 0
    assert found.optimality == 0.5
    assert found.hmean == pytest.approx(1 / 3)


def test_a_star_finds_shortest_paths_and_the_best_iteration_is_chosen() -> None:
    outcome = train_and_test(generated_set(), planning.QUICK)
    assert outcome.score.astar_optimality == 1.0
    assert len(outcome.validation) == planning.QUICK.iterations
    best = max(range(len(outcome.validation)), key=lambda k: outcome.validation[k].hmean)
    assert outcome.chosen == best + 1
    assert outcome.share in planning.SHARES


def test_a_quick_run_shows_and_keeps_its_scores(reproduce: Reproduce, tmp_path: Path) -> None:
    done = reproduce("planning", "--quick", "--results", str(tmp_path), "--docs", str(tmp_path))
    assert done.code == 0, done.err
    assert "| quick | 6 |" in done.out
    assert "| quick | 6 |" in (tmp_path / "planning-quick.md").read_text()
    assert list(json.loads((tmp_path / "planning-quick.json").read_text())["parts"]) == ["quick"]


def test_sets_that_are_not_there(reproduce: Reproduce, tmp_path: Path) -> None:
    here = str(tmp_path)
    done = reproduce("planning", "--data", here, "--results", here, "--docs", here)
    assert done.code == 2
    assert "planning-datasets" in done.err
