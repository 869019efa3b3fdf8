"""The comparison of Neural A* with A* on the planning sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from reproduction import planning
from reproduction.planning import Searches, generated_set, main, run, score


def test_the_score() -> None:
    found = score(Searches([10, 20], [True, True]), Searches([5, 25], [True, False]))
    assert (found.astar, found.neural, found.astar_optimality) == (15.0, 15.0, 1.0)
    assert found.reduction == pytest.approx(0.0)
    assert found.mean_reduction == pytest.approx(0.25)  # 50 % and, since it is more, 0
    assert found.optimality == 0.5
    assert found.hmean == pytest.approx(1 / 3)
    assert not found.reached


def test_a_star_finds_shortest_paths_and_the_best_iteration_is_chosen() -> None:
    outcome = run(generated_set(), planning.QUICK)
    assert outcome.score.astar_optimality == 1.0
    assert len(outcome.validation) == planning.QUICK.iterations
    best = max(range(len(outcome.validation)), key=lambda k: outcome.validation[k].hmean)
    assert outcome.chosen == best + 1
    assert outcome.share in planning.SHARES


def test_quick_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["--quick"]) == 0
    assert "| quick | 6 |" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_sets_that_are_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = ["--json", str(tmp_path / "a.json"), "--page", str(tmp_path / "a.md")]
    assert main(["--data", str(tmp_path), *files]) == 2
    assert "planning-datasets" in capsys.readouterr().err
