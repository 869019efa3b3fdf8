"""What every baseline on a perceptron does, whatever it learns by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from phil.errors import InputError
from phil.heuristics.file import LearnedHeuristic
from phil.heuristics.mlp import MlpHeuristic
from phil.heuristics.registry import load_heuristic
from phil.learning import Iteration, train
from phil.problems.problem import ProblemSet
from tests.contracts.check_heuristic import check_heuristic
from tests.learning.baselines.maps import QUICK, blind, generated_set, mean_expansions
from tests.learning.small import graph_problems


def quick(method: str, seed: int = 0, **more: Any) -> LearnedHeuristic:
    return train(generated_set(), method=method, seed=seed, settings=QUICK[method] | more)


@pytest.mark.parametrize("method", QUICK)
def test_it_learns_to_search(method: str) -> None:
    unseen = generated_set(count=24).validation
    assert mean_expansions(quick(method), unseen) < 0.4 * blind(unseen)


@pytest.mark.parametrize("method", QUICK)
def test_the_same_seed_gives_the_same_heuristic(method: str) -> None:
    one, same, other = (quick(method, seed, iterations=2).tensors for seed in (1, 1, 2))
    assert all(np.array_equal(one[name], same[name]) for name in one)
    assert not np.array_equal(one["layers.0.weight"], other["layers.0.weight"])


def test_torch_has_one_thread_while_a_baseline_learns_and_as_many_as_before_afterwards() -> None:
    during: list[int] = []
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        settings = QUICK["supervised"] | {"iterations": 1}
        train(
            generated_set(),
            method="supervised",
            settings=settings,
            report=lambda _: during.append(torch.get_num_threads()),
        )
        assert during == [1]
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_what_is_reported() -> None:
    reports: list[Iteration] = []
    settings = QUICK["supervised"] | {"iterations": 3}
    heuristic = train(
        generated_set(), method="supervised", seed=7, settings=settings, report=reports.append
    )
    assert [(each.number, each.total, each.steps) for each in reports] == [
        (1, 3, 1),
        (2, 3, 2),
        (3, 3, 3),
    ]
    assert {each.candidate for each in reports} == {"supervised"}
    assert all(np.isfinite(each.loss) for each in reports)
    assert all(each.part_seconds.learning > 0 for each in reports)
    assert all(each.part_seconds.validation > 0 for each in reports)
    validated = [each.validation for each in reports if each.validation is not None]
    assert reports[-1].best == min(validated)
    training = heuristic.metadata.training
    assert (training["method"], training["seed"]) == ("supervised", 7)


@pytest.mark.parametrize("method", QUICK)
def test_settings_and_presets_that_it_does_not_have_are_refused(method: str) -> None:
    with pytest.raises(InputError, match=f"unknown setting of {method} 'iteration'; did you mean"):
        train(generated_set(), method=method, settings={"iteration": 3})
    with pytest.raises(InputError, match=f"{method} has no preset 'paper'; only phil has presets"):
        train(generated_set(), method=method, preset="paper")


@pytest.mark.parametrize("method", QUICK)
def test_its_file_is_a_heuristic_that_keeps_the_contract(method: str, tmp_path: Path) -> None:
    output = tmp_path / "mine.safetensors"
    problems = generated_set()
    trained = train(problems, method=method, settings=QUICK[method], output=output)
    again = load_heuristic(str(output))
    assert isinstance(again, MlpHeuristic)
    assert again.method == method
    assert again.metadata == trained.metadata
    told = again.metadata.validation["expansions"]["mean"]
    assert mean_expansions(again, problems.validation) == told
    check_heuristic(again)


@pytest.mark.parametrize("method", QUICK)
def test_the_best_iteration_is_kept(method: str) -> None:
    seen: list[Iteration] = []
    trained = train(generated_set(), method=method, settings=QUICK[method], report=seen.append)
    assert len(seen) == QUICK[method]["iterations"]
    found = {one.number: one.validation for one in seen if one.validation is not None}
    best = min(found, key=lambda number: found[number])
    assert trained.metadata.training["iteration"] == best
    assert trained.metadata.validation["expansions"]["mean"] == found[best]


@pytest.mark.parametrize("method", QUICK)
def test_general_graphs(method: str, tmp_path: Path) -> None:
    problems = graph_problems(6)
    output = tmp_path / "mine.safetensors"
    settings = QUICK[method] | {"iterations": 2}
    trained = train(
        ProblemSet("rings", problems, problems), method=method, settings=settings, output=output
    )
    assert isinstance(trained, MlpHeuristic)
    assert trained.metadata.inputs == ("nodes" if method == "supervised" else "graph")
    expansions = trained.metadata.validation["expansions"]["mean"]
    assert mean_expansions(load_heuristic(str(output)), problems) == expansions
