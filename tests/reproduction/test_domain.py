"""The comparison on implicit graphs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phil import search
from reproduction.domain import peg_solitaire, sliding_puzzle
from reproduction.domain.game import Estimated
from reproduction.domain.table import DOMAIN, GAMES, QUICK_TESTED
from tests.reproduction.conftest import Reproduce


def score(calls: float) -> dict[str, Any]:
    return {
        "problems": 10,
        "solved": 10,
        "expansions": calls + 1,
        "calls": calls,
        "median_calls": calls,
        "cost": 5.0,
    }


def test_means_over_trainings_and_the_ratio_to_the_first_rival() -> None:
    trained = {"validation": {"calls": {"mean": 50.0}}, "seconds": 9.0}
    names = list(GAMES["sliding_puzzle"].rivals)
    document = DOMAIN.assemble(
        {
            "sliding_puzzle-rivals": {"methods": {name: score(400.0) for name in names}},
            "sliding_puzzle-0": {"seed": 0, "score": score(90.0), **trained},
            "sliding_puzzle-1": {"seed": 1, "score": score(110.0), **trained},
        },
        quick=False,
    )
    [row] = document["games"].values()
    assert row["methods"]["PHIL"]["calls"] == pytest.approx(100.0)
    assert row["methods"]["PHIL"]["deviation"] == pytest.approx(200**0.5)
    assert row["ratio"] == pytest.approx(0.25)


def test_a_quick_run_shows_and_keeps_its_scores(reproduce: Reproduce, tmp_path: Path) -> None:
    here = str(tmp_path)
    done = reproduce("domain", "--quick", "--results", here, "--docs", here, "--heuristics", here)
    assert done.code == 0, done.err
    found = json.loads((tmp_path / "domain-quick.json").read_text())["parts"]
    assert len(found) == 2 * len(GAMES)
    for name in GAMES:
        assert found[f"{name}-0"]["score"]["problems"] == QUICK_TESTED
        assert found[f"{name}-0"]["score"]["calls"] > 0
    page = (tmp_path / "domain-quick.md").read_text()
    assert "| greedy Manhattan |" in page
    assert "| 15-puzzle |" in done.out


def test_the_puzzle_is_the_15_puzzle() -> None:
    assert sliding_puzzle.manhattan([sliding_puzzle.HOME]).tolist() == [0.0]
    [away, *_] = sliding_puzzle.slides(sliding_puzzle.HOME)
    assert sliding_puzzle.manhattan([away]).tolist() == [1.0]
    assert sliding_puzzle.HOME in sliding_puzzle.slides(away)
    assert len(sliding_puzzle.slides(sliding_puzzle.HOME)) == 2
    start, _ = sliding_puzzle.scramble(np.random.default_rng(0), 0.1)
    greedy = Estimated("Manhattan", sliding_puzzle.manhattan)
    domain = sliding_puzzle.PUZZLE.domain
    assert search(domain.graph, start, sliding_puzzle.HOME, greedy).solved


def test_jumps_remove_a_peg_and_can_be_taken_back() -> None:
    random = np.random.default_rng(0)
    start, goal = peg_solitaire.position(random, 0.5)
    assert start.bit_count() == 11
    for after in peg_solitaire.jumps(start):
        assert after.bit_count() == 10
        assert start in peg_solitaire.jumps_back(after)
    alone = 1 << peg_solitaire.NUMBER[0, 2]
    assert peg_solitaire.isolated([goal, start, goal | alone]).tolist()[::2] == [1.0, 2.0]
    assert peg_solitaire.far_out([goal, alone]).tolist() == [0.0, 4.0]
