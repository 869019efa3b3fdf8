"""The sets of drone rooms."""

from __future__ import annotations

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.graphs.distances import hops_to
from phil.problems import open_set
from phil.rooms.problems import NAMES, room_problem, rooms_info

pytest.importorskip("mujoco")


@pytest.mark.parametrize("name", NAMES)
def test_problems_are_solvable_random_flights(name: str) -> None:
    problems = open_set(f"rooms/{name}", count=10)
    assert [len(problems.split(split)) for split in ("train", "validation", "test")] == [10, 1, 10]
    for problem in problems.all:
        assert isinstance(problem.graph, GridGraph)
        assert problem.graph.shape == (50, 50, 25)
        assert problem.graph.connectivity == 6
        assert np.isfinite(hops_to(problem.graph, problem.goal)[problem.start])
    assert len({(p.start, p.goal) for p in problems.all}) == 21
    rooms = {p.graph.free.tobytes() for p in problems.all if isinstance(p.graph, GridGraph)}
    assert len(rooms) == 3 + 1 + 10  # four starts share a room in training


def test_in_training_four_starts_have_one_goal_and_one_graph() -> None:
    train = open_set("rooms/simple", count=6).train
    assert len({id(p.graph) for p in train}) == len({p.goal for p in train}) == 2
    assert len({p.start for p in train}) == 6
    assert [p.name.rsplit("/", 1)[1] for p in train] == [str(k) for k in range(6)]
    fifth = room_problem("simple", "train", 5).problem
    assert (fifth.start, fifth.goal, fifth.name) == (train[5].start, train[5].goal, train[5].name)


def test_fewer_problems_are_the_first_of_more_and_seeds_differ() -> None:
    few, more, other = (
        open_set("rooms/simple", count=count, seed=seed).test
        for count, seed in ((2, 0), (4, 0), (2, 1))
    )
    assert [(p.name, p.start, p.goal) for p in few] == [(p.name, p.start, p.goal) for p in more[:2]]
    assert few[0].name == other[0].name == "rooms/simple/test/0"
    assert few[0].start != other[0].start


def test_the_room_of_a_problem_is_known() -> None:
    [_, second] = open_set("rooms/adversarial", count=2).test
    found = room_problem("adversarial", "test", 1)
    assert (found.problem.start, found.problem.goal) == (second.start, second.goal)
    assert isinstance(second.graph, GridGraph)
    assert (found.room.free == second.graph.free).all()
    assert len(found.room.blocks) == 5


def test_what_is_told_of_the_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    info = rooms_info("simple", None)
    assert (info.found, info.shape, info.counts["test"]) == (True, (50, 50, 25), 100)
    monkeypatch.setattr("phil.rooms.problems.find_spec", lambda name: None)
    assert rooms_info("simple", None).where == "needs phil-search[rooms]"


def test_rooms_have_no_corners() -> None:
    with pytest.raises(InputError, match="no corners"):
        open_set("rooms/simple", pairs="corners")
