"""Tuning: it lowers what searches cost, is repeatable and resumable, and says what it did."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phil.errors import InputError
from phil.heuristics.phil import PhilHeuristic, read_heuristic
from phil.learning import Iteration, train, tune
from phil.learning.objective import Objective, Score
from phil.learning.settings import training_settings
from phil.learning.tuning import ROUND, TRIAL, Tuning
from phil.learning.validation import Validation
from phil.problems.problem import ProblemSet
from phil.search import search
from phil.workers.local import LocalWorkers
from tests.learning.small import QUICK, Setup, graph_problems, small_set

FAST: dict[str, Any] = {
    "tune": 2 * ROUND,
    "objective": "expansions",
    "tune_samples": 4,
    "tune_problems": 2,
    "tune_sizes": (0.1,),
}


def untrained(problems: ProblemSet) -> PhilHeuristic:
    """A network with its first weights."""
    return Setup(problems.train, "best", {"width": 8, "memory": 4}).heuristic


def mean(heuristic: PhilHeuristic, problems: ProblemSet) -> float:
    found = [search(p.graph, p.start, p.goal, heuristic) for p in problems.validation]
    return float(np.mean([result.expansions for result in found]))


def same(left: PhilHeuristic, right: PhilHeuristic) -> bool:
    return all(np.array_equal(left.tensors[name], right.tensors[name]) for name in left.tensors)


def stage(problems: ProblemSet, settings: Mapping[str, Any]) -> Tuning:
    """The tuning of an untrained network."""
    setup = Setup(problems.train, "best", {"width": 8, "memory": 4})
    validation = Validation(setup.oracle)
    score = validation.score(setup.heuristic)
    assert score is not None
    chosen = training_settings("best", settings)
    return Tuning(setup.heuristic, score, problems.train, validation, chosen, seed=0)


def test_a_bad_network_improves() -> None:
    problems = small_set()
    before = untrained(problems)
    after = tune(before, problems, settings=FAST | {"tune": 40, "tune_samples": 8})
    told = after.metadata.training["tuned"]
    assert told["before"] == mean(before, problems)
    assert told["after"] == mean(after, problems) < told["before"]
    assert after.metadata.validation["expansions"]["mean"] == told["after"]


def test_the_same_seed_gives_the_same_weights_with_any_number_of_threads() -> None:
    problems = small_set()
    start = untrained(problems)
    one, two = (tune(start, problems, settings=FAST, workers=n) for n in (1, 3))
    assert same(one, two)
    assert one.metadata == two.metadata
    assert not same(one, tune(start, problems, settings=FAST, seed=1))


def test_the_start_stays_as_it_is() -> None:
    problems = small_set()
    start = untrained(problems)
    tune(start, problems, settings=FAST)
    assert same(start, untrained(problems))
    assert "tuned" not in start.metadata.training


def test_a_network_that_does_not_improve_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    problems = small_set()
    start = untrained(problems)
    bad = Score(1e9, [10**9] * 4, [10**9] * 4)
    real = Validation.score

    def score(self: Validation, heuristic: PhilHeuristic, best: float = np.inf) -> Score | None:
        return real(self, heuristic) if heuristic is start else bad

    monkeypatch.setattr(Validation, "score", score)
    after = tune(start, problems, settings=FAST)
    assert same(after, start)
    told = after.metadata.training["tuned"]
    assert told["before"] == told["after"]
    assert told["generation"] == 0


def test_the_label() -> None:
    problems = small_set()
    told = tune(untrained(problems), problems, settings=FAST).metadata.training["tuned"]
    assert told["generations"] == 2 * ROUND
    assert told["size"] == 0.1
    assert (told["search"], told["objective"]) == ("greedy", "expansions")


@pytest.mark.parametrize("measure", ["expansions", "calls"])
def test_the_objective_is_what_is_reported(measure: str) -> None:
    problems = small_set()
    reports: list[Iteration] = []
    settings = FAST | {"objective": measure}
    after = tune(untrained(problems), problems, settings=settings, report=reports.append)
    assert [(r.stage, r.measure) for r in reports] == [("tuning", measure)] * 2
    assert [r.steps for r in reports] == [ROUND, 2 * ROUND]
    assert [(r.number, r.total) for r in reports] == [(1, 2), (2, 2)]
    assert reports[-1].best == after.metadata.validation[measure]["mean"]


@pytest.mark.parametrize("name", ["astar", "wastar(2)", "bounded(1.5)"])
def test_tuning_for_another_search(name: str) -> None:
    problems = small_set()
    after = tune(untrained(problems), problems, settings=FAST | {"search": name})
    method = Objective(name).method(after)
    found = np.mean([method.search(problem).expansions for problem in problems.validation])
    assert after.metadata.training["tuned"]["search"] == name
    assert after.metadata.training["tuned"]["after"] == found


def test_graphs_with_added_features() -> None:
    problems = ProblemSet("rings", graph_problems(3), graph_problems(3, seed=1))
    quick = QUICK | {"iterations": 1, "tune": 0}
    start = train(problems, settings=quick, features="degree")
    assert isinstance(start, PhilHeuristic)
    after = tune(start, problems, settings=FAST | {"tune": 2})
    assert after.metadata.training["tuned"]["generations"] == 2


def test_all_sizes_have_their_trial_and_the_best_goes_on() -> None:
    sizes = (0.2, 1e-6)
    settings = FAST | {"tune_sizes": sizes, "tune": ROUND * (2 * TRIAL + 2), "tune_samples": 2}
    tuned = stage(small_set(), settings)
    turns = [finished.tuner.size for finished in tuned.run(LocalWorkers())]
    assert turns[: 2 * TRIAL] == [*sizes] * TRIAL
    assert turns[2 * TRIAL :] == [tuned.winner.size] * 2
    best = [tuner.state.best for tuner in tuned.tuners]
    assert tuned.winner.state.best == min(b for b in best if b is not None)


def test_the_last_round_may_be_shorter() -> None:
    tuned = stage(small_set(), FAST | {"tune": ROUND + 2})
    assert [int(finished.tuner.state.step) for finished in tuned.run(LocalWorkers())] == [
        ROUND,
        ROUND + 2,
    ]


def test_a_limit_by_time_ends_like_one_by_generations(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(10**6))
    monkeypatch.setattr("phil.learning.tuning.time.monotonic", lambda: float(next(clock)))
    problems = small_set()
    late = tune(untrained(problems), problems, settings=FAST | {"tune": 0, "tune_seconds": 12})
    done = late.metadata.training["tuned"]["generations"]
    assert 1 < done <= 12
    again = tune(untrained(problems), problems, settings=FAST | {"tune": done})
    assert same(late, again)
    assert late.metadata.training["tuned"] == again.metadata.training["tuned"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"workers": 0}, "workers must be at least 1"),
        ({"seed": -1}, "seed must not be negative"),
        ({"settings": {"tune_sizes": "0"}}, "tune_sizes"),
        ({"settings": {"objective": "time"}}, "objective"),
        ({"settings": {"search": "bfs"}}, "bfs"),
    ],
)
def test_wrong_arguments(arguments: dict[str, Any], message: str) -> None:
    problems = small_set()
    with pytest.raises(InputError, match=message):
        tune(untrained(problems), problems, **arguments)


# As a stage of training.

STAGED = QUICK | FAST | {"iterations": 2, "tune": 3 * ROUND, "tune_sizes": (0.1, 0.01)}


def stopping(after: int) -> Any:
    def report(iteration: Iteration) -> None:
        if iteration.number == after:
            raise KeyboardInterrupt

    return report


def test_training_can_end_with_tuning(tmp_path: Path) -> None:
    output = tmp_path / "mine.safetensors"
    reports: list[Iteration] = []
    after = train(small_set(), settings=STAGED, output=output, report=reports.append)
    before = train(small_set(), settings=STAGED | {"tune": 0})
    assert "tuned" not in before.metadata.training
    told = after.metadata.training["tuned"]
    assert told["before"] == before.metadata.validation["expansions"]["mean"]
    assert told["after"] == after.metadata.validation["expansions"]["mean"] <= told["before"]
    assert after.metadata.training["candidates"] == before.metadata.training["candidates"]
    assert [r.stage for r in reports] == ["imitation"] * 4 + ["tuning"] * 3
    assert [(r.number, r.total) for r in reports] == [(k, 7) for k in range(1, 8)]
    assert read_heuristic(output).metadata == after.metadata
    assert not (tmp_path / "mine.safetensors.checkpoint").exists()


@pytest.mark.parametrize("after", [3, 4, 5, 6, 7])
def test_tuning_resumes_to_the_same_file(tmp_path: Path, after: int) -> None:
    whole, parts = tmp_path / "whole.safetensors", tmp_path / "parts.safetensors"
    train(small_set(), settings=STAGED, output=whole)
    with pytest.raises(KeyboardInterrupt):
        train(small_set(), settings=STAGED, output=parts, report=stopping(after))
    reports: list[Iteration] = []
    train(small_set(), settings=STAGED, output=parts, resume=True, report=reports.append)
    assert parts.read_bytes() == whole.read_bytes()
    assert [r.number for r in reports] == list(range(8 - len(reports), 8))
    log = tmp_path / "parts.safetensors.log.jsonl"
    assert len(log.read_text().splitlines()) == 7


def test_a_damaged_round_is_repeated(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.safetensors", tmp_path / "parts.safetensors"
    settings = STAGED | {"tune_sizes": (0.1,)}
    train(small_set(), settings=settings, output=whole)
    with pytest.raises(KeyboardInterrupt):
        train(small_set(), settings=settings, output=parts, report=stopping(6))
    number = training_settings("best", settings).candidates
    saved = tmp_path / "parts.safetensors.checkpoint" / f"candidate-{number}-0002.safetensors"
    saved.write_bytes(saved.read_bytes()[:-1])
    with pytest.warns(UserWarning, match="continues after iteration 1"):
        train(small_set(), settings=settings, output=parts, resume=True)
    assert parts.read_bytes() == whole.read_bytes()


def test_a_plain_network_can_be_tuned(tmp_path: Path) -> None:
    """Candidates and tuners are saved under different numbers, as a checkpoint needs."""
    settings = STAGED | {"plain": 1}
    whole = train(small_set(), settings=settings)
    saved = train(small_set(), settings=settings, output=tmp_path / "mine.safetensors")
    assert isinstance(whole, PhilHeuristic)
    assert isinstance(saved, PhilHeuristic)
    assert same(saved, whole)
