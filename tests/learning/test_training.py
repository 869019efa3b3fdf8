"""Training from end to end: repeatable, resumable, and it keeps the best it has seen."""

from __future__ import annotations

import errno
import json
import math
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phil.errors import InputError
from phil.evaluation import evaluate, parse_method
from phil.graphs import Graph
from phil.graphs.distances import costs_to
from phil.graphs.features import add_features
from phil.heuristics.file import LearnedHeuristic
from phil.heuristics.phil import PhilHeuristic, read_heuristic
from phil.heuristics.phil.specification import CONVOLUTIONS
from phil.heuristics.registry import read_any
from phil.learning import Iteration, competition, plan, short_training, train
from phil.learning.checkpoint import Checkpoint
from phil.learning.competition import TIE
from phil.learning.progress import Log
from phil.learning.run_record import RunRecord
from phil.learning.settings import training_settings
from phil.learning.training import ITERATIONS, MOST_TRAINING, MOST_VALIDATION
from phil.problems import SPLITS, open_set, single_graph_set, write_set
from phil.problems.generated import generate_maps
from phil.problems.lazy import LazyProblems
from phil.problems.problem import Problem, ProblemSet
from phil.search import search
from tests.learning.small import (
    LONG,
    QUICK,
    corner_problem,
    graph_problems,
    grid_problems,
    small_set,
    walled_off,
)

ROOT = Path(__file__).parents[2]
HARD = QUICK | {"hard": 1.0, "hard_candidates": 2}


def assert_same(left: LearnedHeuristic, right: LearnedHeuristic) -> None:
    """Equal to the last bit, and in all that they say of themselves."""
    assert left.metadata == right.metadata
    assert left.tensors.keys() == right.tensors.keys()
    for name, value in left.tensors.items():
        assert np.array_equal(value, right.tensors[name]), name


def same_tensors(left: LearnedHeuristic, right: LearnedHeuristic) -> bool:
    return all(np.array_equal(left.tensors[name], right.tensors[name]) for name in left.tensors)


class Reports(list[Iteration]):
    """Keeps what is reported, and can pull the plug after some of it."""

    def __init__(self, last: int | None = None) -> None:
        super().__init__()
        self.last = last

    def __call__(self, iteration: Iteration) -> None:
        self.append(iteration)
        if len(self) == self.last:
            raise KeyboardInterrupt


def lines(output: Path) -> list[dict[str, Any]]:
    log = output.with_name(output.name + ".log.jsonl")
    return [json.loads(line) for line in log.read_text().splitlines()]


def by_candidate(output: Path) -> list[dict[str, Any]]:
    """The lines of each candidate; which of two comes first, and the clock, may differ."""
    free = ("number", "total", "best", "seconds", "part_seconds", "left")
    rows = [{k: v for k, v in row.items() if k not in free} for row in lines(output)]
    return sorted(rows, key=lambda row: (row["candidate"], row["steps"]))


def is_complete(output: Path) -> bool:
    """Whether every iteration stands in the log once."""
    numbers = [row["number"] for row in lines(output)]
    return numbers == list(range(1, len(numbers) + 1))


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "mine.safetensors"


def checkpoint_of(output: Path) -> Path:
    return output.with_name(output.name + ".checkpoint")


def iterations_of(checkpoint: Path) -> int:
    """How many iterations a checkpoint holds."""
    record = RunRecord.decode((checkpoint / "run.json").read_bytes())
    return sum(len(candidate.rollouts) for candidate in record.candidates.values())


def interrupted(output: Path, after: int, settings: Mapping[str, Any] = QUICK) -> None:
    """Train until some iterations have been reported."""
    with pytest.raises(KeyboardInterrupt):
        train(small_set(), settings=settings, output=output, report=Reports(after))


def test_the_same_seed_gives_the_same_file(tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.safetensors" for name in "ab"]
    for file in files:
        train(small_set(), settings=HARD, seed=1, output=file)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_another_seed_gives_another_heuristic() -> None:
    one, other = (train(small_set(), settings=QUICK, seed=seed) for seed in (1, 2))
    assert not same_tensors(one, other)


def test_an_output_changes_nothing(output: Path) -> None:
    heuristic = train(small_set(), settings=QUICK, output=output)
    assert_same(heuristic, train(small_set(), settings=QUICK))
    assert_same(read_heuristic(output), heuristic)


def test_the_number_of_threads_changes_nothing() -> None:
    settings = HARD | {"candidates": 3}
    found = [train(small_set(), settings=settings, workers=workers) for workers in (1, 2)]
    assert_same(*found)


def test_only_train_and_validation_problems_count() -> None:
    plain = train(small_set(), settings=QUICK)
    tests = (*grid_problems(2, seed=9), walled_off())
    assert_same(train(replace(small_set(), test=tests), settings=QUICK), plain)
    others = replace(small_set(), train=grid_problems(4, seed=5))
    assert not same_tensors(train(others, settings=QUICK), plain)


def test_validation_problems_beyond_the_setting_do_not_count() -> None:
    few = replace(small_set(), validation=grid_problems(2, seed=1))
    settings = QUICK | {"validation": 2}
    assert_same(train(small_set(), settings=settings), train(few, settings=settings))


def test_problems_without_a_path_are_left_out_and_counted() -> None:
    plain = train(small_set(), settings=QUICK)
    problems = small_set()
    wide = ProblemSet(
        problems.name,
        (walled_off(), *problems.train, walled_off()),
        (*problems.validation, walled_off()),
    )
    heuristic = train(wide, settings=QUICK)
    assert same_tensors(heuristic, plain)
    assert heuristic.metadata.training["unsolvable"] == 2
    assert heuristic.metadata.training["problems"] == 4
    assert heuristic.metadata.validation["unsolvable"] == 1
    assert heuristic.metadata.validation["problems"] == 4
    assert plain.metadata.training["unsolvable"] == plain.metadata.validation["unsolvable"] == 0


@pytest.mark.parametrize("split", ["train", "validation"])
@pytest.mark.parametrize("problems", [(), (walled_off(),)], ids=["none", "unsolvable"])
def test_a_set_without_problems_is_said(split: str, problems: tuple[Problem, ...]) -> None:
    some = grid_problems(1)
    with pytest.raises(InputError, match=f"{split} problems"):
        train(ProblemSet("none", **{"train": some, "validation": some} | {split: problems}))


def test_the_best_iteration_is_kept() -> None:
    """Among all candidates: what the file says is what its searches cost."""
    reports = Reports()
    problems = small_set()
    heuristic = train(problems, settings=HARD | {"iterations": 6}, report=reports)
    validation = heuristic.metadata.validation
    expansions = [
        search(problem.graph, problem.start, problem.goal, heuristic).expansions
        for problem in problems.validation
    ]
    assert validation["expansions"]["mean"] == np.mean(expansions)
    assert validation["expansions"]["median"] == np.median(expansions)
    assert validation["expansions"]["max"] == max(expansions)
    seen = [report.validation for report in reports if report.validation is not None]
    assert np.mean(expansions) == min(seen) < max(seen)
    bests = heuristic.metadata.training["candidates"]
    assert min(c["best"] for c in bests.values() if c["best"] is not None) == min(seen)
    winner = min(reports, key=lambda report: report.validation or np.inf)
    said = bests[winner.candidate.removeprefix("candidate ")]
    assert said["iteration"] * heuristic.metadata.training["settings"]["steps"] == winner.steps


def test_the_last_iteration_is_validated() -> None:
    reports = Reports()
    still = {"learning_rate": 1e-30, "iterations": 5, "validate_every": 3}
    train(small_set(), settings=QUICK | still, report=reports)
    validated = [report.steps // 2 for report in reports if report.validation is not None]
    assert sorted(validated) == [3, 3, 5, 5]


def test_no_more_distances_are_seen_than_the_paper_says() -> None:
    reports = Reports()
    train(small_set(), preset="paper", settings=QUICK, report=reports)
    kept, most_new = training_settings("paper").rollout, 8
    for report in reports:
        assert 0 < report.distances <= QUICK["rollouts"] * kept * most_new


def test_what_is_reported() -> None:
    reports = Reports()
    problems = small_set()
    train(problems, settings=HARD, report=reports)
    assert [report.number for report in reports] == list(range(1, 13))
    assert {report.total for report in reports} == {12}  # further candidates too
    rounds = {report.candidate for report in reports[:6]}, {r.candidate for r in reports[6:]}
    assert rounds == ({"candidate 1", "candidate 2"}, {"candidate 3", "candidate 4"})
    for name in rounds[0] | rounds[1]:
        assert [report.steps for report in reports if report.candidate == name] == [2, 4, 6]
    assert all(np.isfinite(report.loss) for report in reports)
    bests = [report.best for report in reports if report.best is not None]
    assert bests == sorted(bests, reverse=True)
    assert bests[-1] == min(r.validation for r in reports if r.validation is not None)
    assert [r.seconds for r in reports] == sorted(r.seconds for r in reports)
    assert all(r.part_seconds.rollout > 0 and r.part_seconds.learning > 0 for r in reports)
    assert all(r.part_seconds.validation > 0 for r in reports if r.validation is not None)
    assert all(r.distances > 0 for r in reports)
    [oracle] = evaluate(problems.validation, [parse_method("oracle")])
    [classical] = evaluate(problems.validation, [parse_method(reports[0].classical_name)])
    assert {report.shortest for report in reports} == {oracle.expansions.mean}
    assert {report.classical for report in reports} == {classical.expansions.mean}


def test_the_log_holds_every_report(output: Path) -> None:
    reports = Reports()
    train(small_set(), settings=QUICK, output=output, report=reports)
    assert lines(output) == [asdict(report) for report in reports]


def test_what_a_heuristic_says_of_its_training() -> None:
    training = train(small_set(), settings=QUICK, seed=5).metadata.training
    assert (training["set"], training["preset"], training["seed"]) == ("small", "best", 5)
    assert QUICK.items() <= training["settings"].items()
    assert training["candidates"].keys() == {"1", "2"}
    assert training["versions"].keys() == {"phil", "torch", "python"}


@pytest.mark.parametrize(("hard", "candidates"), [(1.0, 4), (1000.0, 2)])
def test_a_hard_set_gets_further_candidates(hard: float, candidates: int) -> None:
    heuristic = train(small_set(), settings=HARD | {"hard": hard})
    assert len(heuristic.metadata.training["candidates"]) == candidates


@pytest.mark.parametrize("trail", ["choose", "yes", "no"])
def test_whether_a_network_sees_its_trail_is_chosen_on_validation(trail: str) -> None:
    heuristic = train(small_set(), settings=HARD | {"trail": trail}, seed=3)
    found = heuristic.metadata.training["candidates"]
    trails = [found[number]["trail"] for number in "1234"]
    if trail == "choose":
        bests = {number: found[number]["best"] for number in "12"}
        better = min(bests, key=lambda number: bests[number])
        closely = max(bests.values()) <= TIE * min(bests.values())
        lead = found[better]["trail"]
        assert trails == [True, False, lead, lead != closely]
    else:
        assert trails == [trail == "yes"] * 4
    winner = min(found, key=lambda number: found[number]["best"] or math.inf)
    assert isinstance(heuristic, PhilHeuristic)
    assert heuristic.metadata.network.trail is found[winner]["trail"]


def test_further_candidates_do_not_change_the_first() -> None:
    few, many = (
        train(small_set(), settings=settings).metadata.training["candidates"]
        for settings in (QUICK, HARD)
    )
    assert few.items() <= many.items()


@pytest.mark.parametrize(("patience", "iterations"), [(1, 2), (3, 4), (0, 8)])
def test_patience_ends(patience: int, iterations: int) -> None:
    """Weights that stand still never gain after the first validation."""
    reports = Reports()
    still = {"learning_rate": 1e-30, "iterations": 8, "patience": patience}
    train(small_set(), settings=QUICK | still, report=reports)
    assert len(reports) == 2 * iterations


def test_the_files_that_are_left(output: Path) -> None:
    train(small_set(), settings=QUICK, output=output)
    assert sorted(path.name for path in output.parent.iterdir()) == [
        "mine.safetensors",
        "mine.safetensors.log.jsonl",
    ]


def test_a_finished_run_can_be_done_anew(output: Path) -> None:
    train(small_set(), settings=QUICK, output=output)
    train(small_set(), settings=QUICK | {"iterations": 2}, output=output)
    assert len(lines(output)) == 4


@pytest.mark.parametrize("after", [1, 2, 3, 6, 7, 10, 12])
def test_an_interrupted_run_resumes_to_the_same_end(tmp_path: Path, after: int) -> None:
    """Wherever it was cut off: in the first round, between the rounds, at the very end."""
    whole, parts = tmp_path / "whole.safetensors", tmp_path / "parts.safetensors"
    expected = train(small_set(), settings=HARD, output=whole)
    interrupted(parts, after, HARD)
    assert not parts.exists()
    kept = iterations_of(checkpoint_of(parts))
    assert kept >= after, "what was reported is kept"
    reports = Reports()
    resumed = train(small_set(), settings=HARD, output=parts, resume=True, report=reports)
    assert_same(resumed, expected)
    assert parts.read_bytes() == whole.read_bytes()
    assert by_candidate(parts) == by_candidate(whole)
    assert is_complete(parts)
    assert [report.number for report in reports] == list(range(kept + 1, 13))
    assert not checkpoint_of(parts).exists()


def test_a_run_can_be_interrupted_again_and_again(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.safetensors", tmp_path / "parts.safetensors"
    settings = QUICK | {"patience": 2, "iterations": 6}
    train(small_set(), settings=settings, output=whole)
    interrupted(parts, 2, settings)
    while checkpoint_of(parts).exists():
        try:
            train(small_set(), settings=settings, output=parts, resume=True, report=Reports(2))
        except KeyboardInterrupt:
            continue
    assert parts.read_bytes() == whole.read_bytes()
    assert by_candidate(parts) == by_candidate(whole)
    assert is_complete(parts)


@pytest.mark.parametrize("point", ["log", "checkpoint", "heuristic"])
def test_a_crash_at_any_write_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    whole, parts = tmp_path / "whole.safetensors", tmp_path / "parts.safetensors"
    train(small_set(), settings=QUICK, output=whole)
    calls = 0

    def crash(original: Callable[..., None]) -> Callable[..., None]:
        def crashing(*arguments: Any) -> None:
            nonlocal calls
            calls += 1
            if calls == 2 or point == "heuristic":
                raise KeyboardInterrupt
            original(*arguments)

        return crashing

    owner: Any = {"log": Log, "checkpoint": Checkpoint, "heuristic": competition}[point]
    name = {"log": "write", "checkpoint": "save", "heuristic": "write_heuristic"}[point]
    monkeypatch.setattr(owner, name, crash(getattr(owner, name)))
    with pytest.raises(KeyboardInterrupt):
        train(small_set(), settings=QUICK, output=parts)
    monkeypatch.undo()
    train(small_set(), settings=QUICK, output=parts, resume=True)
    assert parts.read_bytes() == whole.read_bytes()
    assert by_candidate(parts) == by_candidate(whole)
    assert is_complete(parts)


@pytest.fixture(scope="module")
def long_run() -> LearnedHeuristic:
    """What the run that gets killed would have given."""
    return train(small_set(), settings=LONG)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
@pytest.mark.parametrize("after", [3, 50])
def test_a_killed_run_resumes_to_the_same_end(
    output: Path, after: int, long_run: LearnedHeuristic
) -> None:
    """Once in the first round and once in the second."""
    code = (
        "import sys, pathlib, tests.learning.small as small\n"
        "small.train_until_killed(pathlib.Path(sys.argv[1]), int(sys.argv[2]))"
    )
    killed = subprocess.run([sys.executable, "-c", code, output, str(after)], cwd=ROOT)
    assert killed.returncode == -signal.SIGKILL
    assert not output.exists()
    resumed = train(small_set(), settings=LONG, output=output, resume=True)
    assert_same(resumed, long_run)
    assert is_complete(output)
    assert len(lines(output)) == 4 * LONG["iterations"]


def test_an_error_of_one_candidate_ends_the_others() -> None:
    reports = Reports()

    def fail(iteration: Iteration) -> None:
        reports(iteration)
        if iteration.candidate == "candidate 2":
            raise InputError("the disk is full")

    with pytest.raises(InputError, match="the disk is full"):
        train(small_set(), settings=QUICK | {"iterations": 100}, report=fail)
    assert len(reports) < 50


def test_an_interrupted_run_is_not_thrown_away(output: Path) -> None:
    interrupted(output, 4)
    with pytest.raises(InputError, match="continue it with --resume"):
        train(small_set(), settings=QUICK, output=output)
    resumed = train(small_set(), settings=QUICK, output=output, resume=True)
    assert_same(resumed, train(small_set(), settings=QUICK))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"settings": QUICK | {"width": 9}}, "trained with width=8"),
        ({"preset": "paper"}, "trained with .*beta=0.6"),
        ({"seed": 1}, "its seed is 0, not 1"),
        (
            {"problems": replace(small_set(), train=grid_problems(4, seed=7))},
            "problems are different",
        ),
        ({"problems": replace(small_set(), validation=grid_problems(3))}, "are different"),
    ],
    ids=["settings", "preset", "seed", "train", "validation"],
)
def test_another_run_is_not_resumed(output: Path, change: dict[str, Any], said: str) -> None:
    interrupted(output, 2)
    given: dict[str, Any] = {"problems": small_set(), "settings": QUICK} | change
    with pytest.raises(InputError, match=said):
        train(**given, output=output, resume=True)
    assert checkpoint_of(output).exists()


def test_features_are_part_of_the_problems(output: Path) -> None:
    """Two graphs with the same distances are not the same problem."""
    problems = graph_problems(3)
    graphs = [problem.graph for problem in problems if isinstance(problem.graph, Graph)]
    moved = tuple(
        replace(problem, graph=Graph(graph.indptr, graph.indices, graph.features + 1))
        for problem, graph in zip(problems, graphs, strict=True)
    )
    with pytest.raises(KeyboardInterrupt):
        train(ProblemSet("g", problems, problems), settings=QUICK, output=output, report=Reports(2))
    with pytest.raises(InputError, match="problems are different"):
        train(ProblemSet("g", moved, moved), settings=QUICK, output=output, resume=True)


def test_nothing_to_resume(output: Path) -> None:
    with pytest.raises(InputError, match=r"nothing to resume: .*train without --resume"):
        train(small_set(), settings=QUICK, output=output, resume=True)
    with pytest.raises(InputError, match="needs the output file"):
        train(small_set(), settings=QUICK, resume=True)


def test_a_damaged_checkpoint_is_said(output: Path) -> None:
    interrupted(output, 4)
    for path in checkpoint_of(output).glob("candidate-1-*"):
        path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(InputError, match=r"cannot resume: .* damaged .*; delete the folder"):
        train(small_set(), settings=QUICK, output=output, resume=True)


@pytest.mark.parametrize("damaged", ["run.json", "candidate-1-*", "rollouts-0-*"])
@pytest.mark.parametrize("after", [3, 10])
def test_a_run_resumes_to_the_same_end_from_before_the_damage(
    tmp_path: Path, damaged: str, after: int
) -> None:
    """In the first round and in the second."""
    whole, parts = tmp_path / "whole.safetensors", tmp_path / "parts.safetensors"
    train(small_set(), settings=HARD, output=whole)
    interrupted(parts, after, HARD)
    last = max(checkpoint_of(parts).glob(damaged))
    last.write_bytes(last.read_bytes()[:-1] + b"\x77")
    with pytest.warns(UserWarning, match=f"{last.name} is missing or damaged"):
        train(small_set(), settings=HARD, output=parts, resume=True)
    assert parts.read_bytes() == whole.read_bytes()
    assert by_candidate(parts) == by_candidate(whole)
    assert is_complete(parts)


@pytest.fixture
def nothing_trained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Training, once it begins, fails."""

    def fail(*_: object) -> None:
        pytest.fail("training has begun")

    monkeypatch.setattr(competition, "Learner", fail)
    monkeypatch.setattr(plan, "with_oracle", fail)


@pytest.mark.usefixtures("nothing_trained")
def test_an_output_that_cannot_be_written_is_said_before_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="none does not exist; create it first"):
        train(small_set(), settings=QUICK, output=tmp_path / "none" / "mine.safetensors")
    with pytest.raises(InputError, match="is a folder; give the name of a file"):
        train(small_set(), settings=QUICK, output=tmp_path)

    def refuse(**_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(InputError, match="Read-only file system"):
        train(small_set(), settings=QUICK, output=tmp_path / "mine.safetensors")


@pytest.mark.usefixtures("nothing_trained")
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"preset": "bst"}, "did you mean 'best'"),
        ({"settings": {"widht": 8}}, "did you mean 'width'"),
        ({"settings": {"width": 0}}, "setting width=0"),
        ({"seed": -1}, "the seed must not be negative, but it is -1"),
    ],
)
def test_bad_arguments_are_said_before_training(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        train(small_set(), **given)


@pytest.mark.parametrize("preset", ["best", "paper"])
@pytest.mark.parametrize("edge_features", [0, 2])
def test_general_graphs_can_be_trained_on(output: Path, preset: str, edge_features: int) -> None:
    problems = ProblemSet(
        "rings",
        graph_problems(4, edge_features=edge_features),
        graph_problems(4, seed=1, edge_features=edge_features),
    )
    heuristic = train(problems, preset=preset, settings=QUICK, features="degree", output=output)
    names = ("feature_0", "feature_1", "feature_2", "degree")
    assert heuristic.metadata.feature_names == names
    assert heuristic.metadata.added_features == "degree"
    again = read_heuristic(output)
    for problem in graph_problems(2, seed=2, nodes=55, edge_features=edge_features):
        ends = problem.graph, problem.start, problem.goal
        found = search(*ends, heuristic)
        assert found.solved
        assert found.expansions == search(*ends, again).expansions


@pytest.mark.parametrize("method", ["phil", "sail", "supervised"])
def test_what_was_added_to_the_features_is_added_again_when_searching(
    output: Path, method: str
) -> None:
    problems = ProblemSet("rings", graph_problems(4), graph_problems(4, seed=1))
    quick = QUICK if method == "phil" else {"iterations": 1, "updates": 2}
    heuristic = train(problems, method=method, settings=quick, output=output)
    assert heuristic.metadata.added_features == "degree,neighbourhood"
    assert len(heuristic.metadata.feature_names) == 3 + 1 + 2 * 3
    again = read_any(output)
    for problem in problems.train:
        assert isinstance(problem.graph, Graph)
        richer = add_features(problem.graph, "degree,neighbourhood")
        for graph in (problem.graph, richer):
            found = search(graph, problem.start, problem.goal, again)
            known = search(graph, problem.start, problem.goal, heuristic)
            assert found.expansions == known.expansions
    grid = grid_problems(1)[0].graph
    with pytest.raises(InputError, match="trained with the features 'degree,neighbourhood'"):
        again.begin(grid, 0, 1)


@pytest.mark.parametrize("dead_ends", ["reverse", "leave_out"])
def test_directed_weighted_graphs_with_dead_ends_can_be_trained_on(dead_ends: str) -> None:
    random = np.random.default_rng(0)
    ring = [(node, (node + 1) % 30) for node in range(30)]
    dead = [(int(random.integers(30)), 30 + end) for end in range(10)]
    graph = Graph.from_edges(
        40,
        ring + dead,
        random.normal(size=(40, 2)),
        weights=random.uniform(50, 500, 40),
        directed=True,
    )
    problems = single_graph_set("one way", graph)
    settings = QUICK | {"dead_ends": dead_ends}
    heuristic = train(problems, settings=settings, features="")
    assert isinstance(heuristic, PhilHeuristic)
    lengths = [costs_to(graph, p.goal)[p.start] for p in problems.train]
    assert heuristic.metadata.scaling.distance == pytest.approx(np.mean(lengths))
    for problem in problems.test[:5]:
        assert search(graph, problem.start, problem.goal, heuristic).solved


def test_grids_and_general_graphs_are_not_mixed() -> None:
    grids, graphs = grid_problems(2), graph_problems(2)
    reports = Reports()
    for problems in (
        ProblemSet("mixed", grids + graphs, grids),
        ProblemSet("mixed", grids, graphs),
        ProblemSet("mixed", graphs, graphs + grids),
    ):
        with pytest.raises(InputError, match="train a separate heuristic for each kind"):
            train(problems, settings=QUICK, report=reports)
    assert reports == []


@pytest.mark.parametrize("convolution", CONVOLUTIONS)
def test_the_paper_preset_trains_with_every_convolution(convolution: str) -> None:
    problems = small_set()
    settings = {"iterations": 2, "steps": 2, "convolution": convolution}
    heuristic = train(problems, preset="paper", settings=settings)
    assert isinstance(heuristic, PhilHeuristic)
    network = heuristic.metadata.network
    assert (network.width, network.memory, network.convolution) == (128, 64, convolution)
    problem = problems.train[0]
    assert search(problem.graph, problem.start, problem.goal, heuristic).solved


def test_it_learns() -> None:
    """A few seconds of training, and it expands half of what classical searches do."""
    splits = {
        split: tuple(
            corner_problem(free)
            for free in generate_maps("alternating_gaps", count, 0, split, (31, 31))
        )
        for split, count in (("train", 16), ("validation", 8))
    }
    settings = {"iterations": 8, "rollouts": 8, "candidates": 1, "hard_candidates": 0, "tune": 0}
    validation = train(ProblemSet("gaps", **splits), settings=settings).metadata.validation
    assert validation["expansions"]["mean"] < 0.5 * validation["classical"]["mean"]


LINE = Graph.from_edges(30, [(node, node + 1) for node in range(29)])


@pytest.mark.parametrize(
    ("count", "train", "choosing"), [(600, MOST_TRAINING, MOST_VALIDATION), (12, 10, 2)]
)
def test_it_learns_and_chooses_by_train_problems(
    count: int, train: int, choosing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[ProblemSet, Any]] = []
    monkeypatch.setattr(
        "phil.learning.training.train", lambda problems, **given: asked.append((problems, given))
    )
    problems = single_graph_set("line", LINE, count=count)
    short_training(problems)
    [(seen, given)] = asked
    assert seen.train == problems.train[:train]
    assert seen.validation == problems.train[-choosing:]
    assert seen.test == ()
    assert given["settings"]["iterations"] == ITERATIONS
    assert given["settings"]["neighbors"] == 0


def test_one_problem_is_too_few() -> None:
    with pytest.raises(InputError, match="too few to learn from"):
        short_training(single_graph_set("line", LINE, count=1))


def test_a_set_that_is_read_when_used_gives_the_same_heuristic(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="Parquet files need the extra ray")
    given = small_set()
    write_set(tmp_path / "set.parquet", given)
    lazy = open_set(tmp_path / "set.parquet")
    assert isinstance(lazy.train, LazyProblems)
    lazy.train.store.graphs.most = 1
    loaded = ProblemSet(lazy.name, *(tuple(lazy.split(split)) for split in SPLITS))
    for name, problems in (("memory", loaded), ("lazy", lazy)):
        train(problems, settings=QUICK, output=tmp_path / f"{name}.safetensors")
    files = [(tmp_path / f"{name}.safetensors").read_bytes() for name in ("memory", "lazy")]
    assert files[0] == files[1]
