"""Evolution strategies: the units of weights, and how changes are tried."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from phil.learning.evolution import HOPELESS, SHORT, Bench, Tuner, WeightVector, standardised
from phil.learning.objective import Objective, Score
from phil.learning.settings import training_settings
from phil.search import search
from phil.workers.local import LocalWorkers
from tests.learning.small import Setup, small_set


def test_hopeless_changes_are_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    problems = small_set()
    start = Setup(problems.train, "best", {"width": 8, "memory": 4}).heuristic
    asked: list[Any] = []
    real = Objective.costs

    def costs(self: Objective, heuristic: Any, some: Any, most: Any = None) -> list[float]:
        asked.append(most)
        return real(self, heuristic, some, most)

    monkeypatch.setattr(Objective, "costs", costs)
    settings = training_settings("best", {"tune_samples": 4})
    score = Score(1.0, [1], [1])
    vector = WeightVector(start.tensors)
    bench = Bench(start.metadata, vector, problems.train[:1], settings.cost)
    tuner = Tuner(bench, start, score, settings, size=0.1, number=0, seed=0)
    usual = search(problems.train[0].graph, problems.train[0].start, problems.train[0].goal, start)
    workers = LocalWorkers()
    tuner.advance(workers, workers.share(bench))
    assert asked == [[HOPELESS * usual.expansions + SHORT]] * 8


def test_weights_are_relative_to_their_tensor() -> None:
    tensors = {
        "b": np.array([[3.0, -4.0], [0.0, 0.0]], np.float32),
        "a": np.zeros(3, np.float32),
    }
    vector = WeightVector(tensors)
    flat = vector.flatten(tensors)
    assert flat.tolist() == pytest.approx([0, 0, 0, 1.2, -1.6, 0, 0])
    back = vector.tensors(flat)
    assert all(np.allclose(back[name], tensors[name]) for name in tensors)
    assert all(back[name].dtype == np.float32 for name in tensors)
    assert all(back[name].shape == tensors[name].shape for name in tensors)


def test_differences_are_standardised() -> None:
    assert standardised(np.array([1.0, -1.0, 7.0, 7.0])).tolist() == [0.2, -0.2, 1.4, 1.4]
    assert standardised(np.zeros(3)).tolist() == [0, 0, 0]
