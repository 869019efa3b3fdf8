"""Training on one map: with features added to it, which a search computes again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phil.errors import InputError
from phil.evaluation import parse_method
from phil.graphs import GridGraph, ImplicitGraph
from phil.graphs.features import add_features
from phil.heuristics.phil import PhilHeuristic
from phil.heuristics.registry import read_any
from phil.learning import train
from phil.learning.plan import make_plan
from phil.problems import single_graph_set
from phil.problems.problem import ProblemSet
from phil.search import search, search_many

QUICK = {"iterations": 2, "rollouts": 4, "steps": 2, "candidates": 1}


def level(seed: int = 0, shape: tuple[int, ...] = (24, 30)) -> GridGraph:
    return GridGraph(np.random.default_rng(seed).random(shape) < 0.8)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> PhilHeuristic:
    """From its file, as users have it."""
    file = tmp_path_factory.mktemp("trained") / "level.safetensors"
    train(single_graph_set("level", level(), count=20), settings=QUICK, output=file)
    heuristic = read_any(file)
    assert isinstance(heuristic, PhilHeuristic)
    return heuristic


def test_it_reads_coordinates_and_landmarks_and_does_not_look_ahead(trained: PhilHeuristic) -> None:
    metadata = trained.metadata
    assert metadata.added_features == "landmarks:16"
    assert metadata.feature_names[:3] == ("x", "y", "to landmark 0")
    assert metadata.network.groups == (2, 16)
    grid = level()
    problem = single_graph_set("level", grid, count=20).test[0]
    found = search(grid, problem.start, problem.goal, trained)
    assert found.solved
    assert found.lookahead_calls == 0


def test_searches_add_the_features_themselves(trained: PhilHeuristic) -> None:
    grid = level()
    known = add_features(grid, "landmarks:16")
    pairs = [(p.start, p.goal) for p in single_graph_set("level", grid, count=20).test]
    for (start, goal), found in zip(pairs, search_many(grid, pairs, trained), strict=True):
        again = search(known, start, goal, trained)
        assert list(found.path) == list(again.path)
        assert found.expansions == again.expansions


def test_a_map_of_another_size_has_landmarks_of_its_own(trained: PhilHeuristic) -> None:
    other = level(5, (40, 21))
    for problem in single_graph_set("other", other, count=5).test:
        assert search(other, problem.start, problem.goal, trained).solved


def test_a_map_that_is_discovered_is_refused(trained: PhilHeuristic) -> None:
    hidden = ImplicitGraph.on_grid(lambda cell: [], shape=(24, 30))
    with pytest.raises(InputError, match="discovered by searching"):
        search(hidden, (0, 0), (5, 5), trained)


def test_maps_of_one_size_share_no_rows(trained: PhilHeuristic) -> None:
    one, other = level(1), level(2)
    shared = [node for node in one.node_ids.tolist() if other.free.flat[node]]
    fresh = PhilHeuristic(trained.metadata, trained.tensors)
    for grid, heuristic in ((one, trained), (other, trained)):
        goal = shared[100]
        found = [search(grid, start, goal, heuristic).expansions for start in shared[::50]]
    assert found == [search(other, start, goal, fresh).expansions for start in shared[::50]]


def test_three_axes() -> None:
    rooms = single_graph_set("room", level(0, (9, 9, 9)), count=20)
    heuristic = train(rooms, settings=QUICK)
    assert heuristic.metadata.feature_names[:4] == ("x", "y", "z", "to landmark 0")
    problem = rooms.test[0]
    assert search(problem.graph, problem.start, problem.goal, heuristic).solved


def test_classical_distances_are_those_of_the_cells() -> None:
    grid = level()
    more = add_features(grid, "landmarks:4,degree")
    for text in ("greedy(euclidean)", "greedy(manhattan)", "bfws(euclidean)", "astar(octile)"):
        method = parse_method(text)
        for problem in single_graph_set("level", grid, count=5).test:
            plain = method.search(problem)
            [again] = ProblemSet("x", (problem,)).with_features("landmarks:4,degree").train
            assert again.graph.feature_names == more.feature_names
            assert method.search(again).expansions == plain.expansions


def test_features_on_several_maps() -> None:
    sets = [single_graph_set(str(seed), level(seed), count=5) for seed in range(2)]
    both = ProblemSet("two", (*sets[0].train, *sets[1].train), sets[0].validation)
    plan = make_plan(both, features="landmarks:2")
    assert plan.settings.width == make_plan(sets[0]).settings.width
    assert plan.candidates[0].network.groups == (2, 2)
    heuristic = train(both, features="landmarks:2", settings=QUICK)
    for problem in (sets[0].test[0], sets[1].test[0]):
        assert search(problem.graph, problem.start, problem.goal, heuristic).solved


def test_baselines_and_the_paper_read_the_coordinates_alone(tmp_path: Path) -> None:
    problems = single_graph_set("level", level(), count=10)
    assert make_plan(problems, method="sail").features == ""
    assert make_plan(problems, preset="paper").features == ""
    assert make_plan(problems).features == "landmarks:16"
    assert make_plan(problems, features="").features == ""
    assert make_plan(problems, features="").settings.known


def test_a_baseline_can_be_given_features() -> None:
    problems = single_graph_set("level", level(), count=10)
    quick = {"iterations": 1, "pairs": 200, "updates": 2, "scheme": "pairs"}
    heuristic = train(problems, method="supervised", settings=quick, features="landmarks:2")
    problem = problems.test[0]
    assert search(problem.graph, problem.start, problem.goal, heuristic).solved
