"""Roll-outs: the mixture policy against a plain one in Python, and what is written down of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from itertools import pairwise

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from phil.graphs.distances import costs_to
from phil.heuristics.classical import oracle
from phil.heuristics.phil.batches import Gatherer
from phil.heuristics.phil.cache import ROWS
from phil.heuristics.phil.inputs import STATES
from phil.learning.mixture import RolloutSettings
from phil.learning.objective import Objective
from phil.learning.rollout import Roller, Rollout
from phil.learning.sampler import phil_sampler
from phil.problems.problem import Problem
from phil.search import Limits, search
from phil.search.guide import Expansion
from tests.learning.small import PlainTrail, Setup, graph_problems, grid_problems

WHOLE = RolloutSettings(
    roll_in=0,
    record_from=0,
    steps=10_000,
    oracle_share=0.0,
    stop_at_goal=True,
    event_rate=0.0,
    event_size=2,
)
BY_ORACLE = replace(WHOLE, oracle_share=1.0)


class Rolling(Setup):
    """A setup with a roller."""

    def __init__(
        self, problems: tuple[Problem, ...], preset: str, changes: Mapping[str, object]
    ) -> None:
        super().__init__(problems, preset, {"width": 8, "memory": 4, **changes}, seed=1)
        self.roller = Roller(self.oracle, self.settings, self.candidate())
        self.weights = self.heuristic.weights

    def roll(self, plan: RolloutSettings, problem: int = 0, seed: int = 0) -> Rollout:
        """One roll-out."""
        return self.roller.roll(self.weights, problem, plan, seed)


@pytest.fixture(scope="module", params=["best", "paper", "graph"])
def rolling(request: pytest.FixtureRequest) -> Rolling:
    """Networks with a trail, with a memory, and with both on another kind of graph."""
    if request.param == "graph":
        problems = graph_problems(3, edge_features=2)
        return Rolling(problems, "best", {"remember": True})
    grids = grid_problems(2) + grid_problems(1, side=31)
    return Rolling(grids, request.param, {})


@dataclass(frozen=True)
class Step:
    """One step of a plain roll-out: what was expanded and uncovered, and what is open then."""

    node: int
    new: list[int]
    depth: int  # of the new nodes
    open_nodes: list[int]  # in the order of entering OPEN
    best: int  # of the open nodes, to the oracle


def uniform_numbers(seed: int) -> Iterator[float]:
    """SplitMix64 in whole numbers."""
    low = 2**64 - 1
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & low
        value = ((seed ^ seed >> 30) * 0xBF58476D1CE4E5B9) & low
        value = ((value ^ value >> 27) * 0x94D049BB133111EB) & low
        yield ((value ^ value >> 31) >> 11) / 2**53


def plain_rollout(
    setup: Setup, plan: RolloutSettings, problem: int = 0, seed: int = 0
) -> list[Step]:
    """The mixture policy with a list in place of the two heaps."""
    task, distance = setup.oracle.problems[problem], setup.oracle.distances[problem]
    guide = setup.heuristic.begin(task.graph, task.start, task.goal)
    random = uniform_numbers(seed)
    value, depth, open_nodes = {task.start: 0.0}, {task.start: 0}, [task.start]
    steps: list[Step] = []
    while open_nodes and len(steps) < plan.steps:
        by_oracle = len(steps) >= plan.roll_in and next(random) < plan.oracle_share
        # The first of the least: equal nodes leave OPEN in the order in which they entered it.
        node = min(open_nodes, key=lambda n: distance[n] if by_oracle else value[n])
        open_nodes.remove(node)
        if node == task.goal and plan.stop_at_goal:
            break
        new = [n for n in dict.fromkeys(task.graph.neighbors(node).tolist()) if n not in depth]
        depth |= dict.fromkeys(new, depth[node] + 1)
        scores = guide.score(
            Expansion(
                node,
                np.array(new, np.int32),
                np.zeros(len(new)),
                np.full(len(new), depth[node] + 1, np.int32),
                len(steps) + 1,
            )
        )
        value |= dict(zip(new, scores.tolist(), strict=True))
        open_nodes += new
        best = min(open_nodes, key=lambda n: distance[n], default=-1)
        steps.append(Step(node, new, depth[node] + 1, list(open_nodes), best))
        if plan.event_rate > 0:
            next(random)
    return steps


@pytest.mark.parametrize("name", ["wastar(2)", "astar"])
@pytest.mark.parametrize("kind", ["grid", "graph"])
def test_the_learner_alone_searches_by_the_key_that_it_is_trained_for(name: str, kind: str) -> None:
    problems = grid_problems(3) if kind == "grid" else graph_problems(3)
    rolling = Rolling(problems, "best", {"search": name})
    key = replace(Objective(name).key, reopen=False, ties_to_goal=False)
    for number, task in enumerate(problems):
        found = search(task.graph, task.start, task.goal, rolling.heuristic, key=key)
        greedy = search(task.graph, task.start, task.goal, rolling.heuristic)
        rollout = rolling.roll(WHOLE, number)
        assert rollout.steps == found.expansions - 1
        assert rollout.nodes.size == found.generated - 1
        assert found.expansions != greedy.expansions or kind == "graph"
        mixed = rolling.roll(replace(WHOLE, oracle_share=0.5, event_rate=1.0), number)
        assert mixed.reached


def steps_of(rollout: Rollout) -> list[list[int]]:
    return [part.tolist() for part in np.split(rollout.nodes, rollout.first[1:-1])]


def same(left: Rollout, right: Rollout) -> bool:
    return all(
        np.array_equal(getattr(left, field.name), getattr(right, field.name))
        for field in fields(Rollout)
    )


@pytest.mark.parametrize("problem", [0, 1, 2])
def test_the_oracle_alone_walks_a_shortest_path(rolling: Rolling, problem: int) -> None:
    task, distance = rolling.oracle.problems[problem], rolling.oracle.distances[problem]
    rollout = rolling.roll(BY_ORACLE, problem)
    assert rollout.reached
    assert rollout.steps == distance[task.start]  # the goal, which ends it, uncovers nothing
    found = search(task.graph, task.start, task.goal, oracle, trace=True)
    assert found.expansions == rollout.steps + 1
    assert found.trace is not None
    known = {task.start}
    for node, new in zip(found.trace.tolist(), steps_of(rollout), strict=False):
        fresh = dict.fromkeys(task.graph.neighbors(node).tolist())
        assert new == [n for n in fresh if n not in known]
        known.update(new)


@pytest.mark.parametrize("problem", [0, 1, 2])
def test_the_learner_alone_is_a_greedy_search(rolling: Rolling, problem: int) -> None:
    task = rolling.oracle.problems[problem]
    rollout = rolling.roll(WHOLE, problem)
    found = search(task.graph, task.start, task.goal, rolling.heuristic, trace=True)
    steps = plain_rollout(rolling, WHOLE, problem)
    assert found.trace is not None
    assert found.trace.tolist() == [step.node for step in steps] + [task.goal]
    assert steps_of(rollout) == [step.new for step in steps]
    # The start is known before, and the rest is recorded once.
    assert found.generated == rollout.nodes.size + 1 == np.unique(rollout.nodes).size + 1


@pytest.mark.parametrize("share", [0.0, 0.2, 0.7, 1.0])
@pytest.mark.parametrize("roll_in", [0, 15])
def test_the_mixture_is_the_plain_one(rolling: Rolling, share: float, roll_in: int) -> None:
    plan = replace(WHOLE, roll_in=roll_in, oracle_share=share)
    for seed in range(3):
        rollout = rolling.roll(plan, 1, seed)
        assert steps_of(rollout) == [step.new for step in plain_rollout(rolling, plan, 1, seed)]


def test_distances_are_the_oracles(rolling: Rolling) -> None:
    before = [distance.copy() for distance in rolling.oracle.distances]
    for problem in (2, 0, 1):
        rollout = rolling.oracle.label(rolling.roll(replace(WHOLE, oracle_share=0.5), problem))
        assert np.array_equal(rollout.distance, before[problem][rollout.nodes])
        assert rollout.problem == problem
    for distance, kept in zip(rolling.oracle.distances, before, strict=True):
        assert np.array_equal(distance, kept)


def test_the_seed_decides(rolling: Rolling) -> None:
    plan = replace(WHOLE, oracle_share=0.5, event_rate=0.3, event_size=4)
    first, again = rolling.roll(plan, seed=7), rolling.roll(plan, seed=7)
    assert same(first, again)
    assert any(not same(first, rolling.roll(plan, seed=seed)) for seed in range(5))


def test_one_problem_does_not_touch_the_next(rolling: Rolling) -> None:
    fresh = rolling.roll(WHOLE, 1)
    rolling.roll(replace(WHOLE, stop_at_goal=False), 2)
    rolling.roll(BY_ORACLE, 0)
    assert same(rolling.roll(WHOLE, 1), fresh)


def test_rows_that_are_kept_leave_room_for_new_ones() -> None:
    """Nothing in compiled code would stop a roll-out that needs more rows than there are."""
    [problem] = grid_problems(1, side=31)
    starts = problem.graph.node_ids[:: problem.graph.num_nodes // 12].tolist()
    problems = tuple(replace(problem, start=start) for start in starts if start != problem.goal)
    changes = {"horizon": 6, "neighbors": 0, "walls": False}
    rolling = Rolling(problems, "best", changes)
    for number in range(len(rolling.oracle.problems)):
        rollout = rolling.roll(replace(WHOLE, steps=6), number)
        cache = rolling.roller._cache
        assert cache is not None
        assert 0 < cache.counters[ROWS] <= cache.ready.size < problem.graph.size
        alone = Roller(rolling.oracle, rolling.settings, rolling.candidate())
        again = alone.roll(rolling.weights, number, replace(WHOLE, steps=6), 0)
        assert np.array_equal(again.nodes, rollout.nodes)


def test_the_oracle_takes_over_after_a_roll_in(rolling: Rolling) -> None:
    task, distance = rolling.oracle.problems[1], rolling.oracle.distances[1]
    alone = plain_rollout(rolling, WHOLE, 1)
    roll_in = len(alone) // 2
    rollout = rolling.roll(replace(BY_ORACLE, roll_in=roll_in), 1)
    assert steps_of(rollout)[:roll_in] == [step.new for step in alone[:roll_in]]
    # From its best open node the oracle goes straight to the goal.
    assert rollout.steps == roll_in + distance[alone[roll_in - 1].best]
    assert rollout.steps > distance[task.start]


@pytest.mark.parametrize("roll_in", [1, 10])
def test_what_the_roll_in_uncovers_is_not_written_down(rolling: Rolling, roll_in: int) -> None:
    plan = replace(WHOLE, steps=roll_in + 8)
    whole = rolling.roll(plan)
    part = rolling.roll(replace(plan, roll_in=roll_in, record_from=roll_in))
    assert part.steps == whole.steps - roll_in == 8
    assert steps_of(part) == steps_of(whole)[roll_in:]
    assert np.array_equal(part.trail, whole.trail[whole.first[roll_in] :])
    assert np.array_equal(part.memory, whole.memory[roll_in:])


def test_a_search_that_ends_in_the_roll_in_leaves_nothing(rolling: Rolling) -> None:
    rollout = rolling.roll(replace(WHOLE, roll_in=5000, record_from=5000))
    assert (rollout.steps, rollout.nodes.size, rollout.reached) == (0, 0, True)


def test_the_memory_is_that_of_a_search_run_so_far(rolling: Rolling) -> None:
    """Before each step the memory is what the network made of all V_new before."""
    rollout = rolling.roll(replace(WHOLE, stop_at_goal=False))
    if not rolling.network_settings.remember:
        assert rollout.memory.shape[0] == 0
        return
    gatherer = Gatherer(rolling.oracle.problems, rolling.network_settings, rolling.scaling)
    memory = torch.zeros(rolling.network_settings.memory)
    assert any(np.diff(rollout.first) == 0), "some steps must uncover nothing"
    for step in range(rollout.steps):
        assert rollout.memory[step] == pytest.approx(memory.numpy(), rel=1e-4, abs=1e-5)
        place = slice(rollout.first[step], rollout.first[step + 1])
        batch = gatherer.gather(
            [(0, rollout.nodes[place], rollout.inputs(np.arange(rollout.nodes.size)[place]))]
        )
        with torch.no_grad():
            _, memory = rolling.network(batch, memory)
    assert np.abs(rollout.memory[-1]).max() > 0.01


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_the_trail_says_how_the_search_came_to_a_node(rolling: Rolling, share: float) -> None:
    plan = replace(WHOLE, oracle_share=share)
    rollout = rolling.roll(plan, 1)
    if not rolling.network_settings.trail:
        assert rollout.trail.shape == (rollout.nodes.size, 0)
        return
    plain = PlainTrail(rolling, rolling.oracle.problems[1])
    rows = [plain.follow(s.node, s.new, s.depth) for s in plain_rollout(rolling, plan, 1)]
    assert rollout.trail == pytest.approx(np.concatenate(rows), rel=1e-4, abs=1e-5)


def test_on_a_grid_steps_are_counted_in_cells() -> None:
    rolling = Rolling(grid_problems(1), "best", {})
    rollout = rolling.roll(WHOLE)
    assert set(np.unique(rollout.trail[:, 1:3])) == {-1.0, 0.0, 1.0}


def test_going_on_past_the_goal_explores_everything(rolling: Rolling) -> None:
    task, distance = rolling.oracle.problems[0], rolling.oracle.distances[0]
    rollout = rolling.roll(replace(WHOLE, oracle_share=0.3, stop_at_goal=False))
    everything = set(np.flatnonzero(np.isfinite(distance)).tolist())
    assert rollout.reached
    assert set(rollout.nodes.tolist()) == everything - {task.start}
    assert rollout.nodes.size == len(everything) - 1
    assert rollout.steps == len(everything)


def test_going_on_past_the_goal_is_the_plain_search(rolling: Rolling) -> None:
    plan = replace(WHOLE, stop_at_goal=False)
    assert steps_of(rolling.roll(plan)) == [s.new for s in plain_rollout(rolling, plan)]


def test_the_number_of_steps_is_limited(rolling: Rolling) -> None:
    plan = replace(WHOLE, steps=4)
    rollout = rolling.roll(plan)
    assert rollout.steps == 4
    assert not rollout.reached
    task = rolling.oracle.problems[0]
    found = search(task.graph, task.start, task.goal, rolling.heuristic, limits=Limits(4))
    assert found.generated == rollout.nodes.size + 1


def nodes_of(rollout: Rollout, event: NDArray[np.int32]) -> list[int]:
    return [int(node) for node in rollout.nodes[event[event >= 0]]]


@pytest.mark.parametrize("share", [0.0, 1.0])
@pytest.mark.parametrize("size", [2, 6, 600])
def test_events_hold_open_nodes_the_oracles_best_first(
    rolling: Rolling, share: float, size: int
) -> None:
    plan = replace(WHOLE, oracle_share=share, event_rate=1.0, event_size=size)
    rollout = rolling.roll(plan, 1)
    steps = [step for step in plain_rollout(rolling, plan, 1) if len(step.open_nodes) >= 2]
    assert len(rollout.events) == len(steps) > 0
    for event, step in zip(rollout.events, steps, strict=True):
        nodes = nodes_of(rollout, event)
        assert nodes[0] == step.best
        assert len(nodes) == len(set(nodes)) >= 2
        assert set(nodes) <= set(step.open_nodes)
        assert (event[len(nodes) :] == -1).all()
        if len(step.open_nodes) <= size:
            assert set(nodes) == set(step.open_nodes)


def test_events_hold_what_the_paths_to_their_nodes_cost(rolling: Rolling) -> None:
    rollout = rolling.roll(replace(WHOLE, event_rate=1.0, event_size=6), 1)
    problem = rolling.oracle.problems[1]
    least = costs_to(problem.graph, problem.start)  # undirected
    assert rollout.spent.shape == rollout.events.shape
    for event, spent in zip(rollout.events, rollout.spent, strict=True):
        there = event >= 0
        assert (spent[there] > least[rollout.nodes[event[there]]] - 1e-4).all()
    first = rollout.events[0][rollout.events[0] >= 0]
    direct = least[rollout.nodes[first]]  # no way is shorter than an edge here
    np.testing.assert_allclose(rollout.spent[0, : first.size], direct, rtol=1e-6)


@pytest.mark.parametrize(("name", "share"), [("greedy", 0.0), ("astar", 1.0), ("wastar(4)", 0.25)])
def test_nodes_are_ranked_by_the_key_of_the_search(name: str, share: float) -> None:
    rolling = Rolling(grid_problems(2), "best", {"search": name, "unit": "cost"})
    rollout = rolling.oracle.label(rolling.roll(replace(WHOLE, event_rate=1.0, event_size=64)))
    sampler = phil_sampler(rolling.candidate(), rolling.settings, rolling.oracle)
    examples = sampler.examples([rollout], np.random.default_rng(0))
    spent = examples.spent[0] * examples.scale[0]
    assert any(np.allclose(spent, share * event) for event in rollout.spent)
    assert spent.any() == (share > 0)


def test_events_hold_the_learners_best(rolling: Rolling) -> None:
    plan = replace(WHOLE, event_rate=1.0, event_size=4)
    rollout = rolling.roll(plan, 1)
    steps = plain_rollout(rolling, plan, 1)
    pairs = [pair for pair in pairwise(steps) if len(pair[0].open_nodes) >= 2]
    ranked = [
        (event, after.node)
        for event, (before, after) in zip(rollout.events, pairs, strict=False)
        if len(before.open_nodes) > 4
    ]
    assert ranked
    assert all(node in nodes_of(rollout, event)[:2] for event, node in ranked)


def test_events_under_a_mixture_hold_all_open_nodes_where_there_are_few(rolling: Rolling) -> None:
    plan = replace(WHOLE, oracle_share=0.5, event_rate=1.0, event_size=600)
    rollout = rolling.roll(plan, 1, seed=3)
    steps = [s for s in plain_rollout(rolling, plan, 1, seed=3) if len(s.open_nodes) >= 2]
    for event, step in zip(rollout.events, steps, strict=True):
        assert set(nodes_of(rollout, event)) == set(step.open_nodes)


def test_the_rate_of_events() -> None:
    rolling = Rolling(grid_problems(1, side=41), "best", {})
    plan = replace(WHOLE, stop_at_goal=False, event_rate=0.25, event_size=4)
    rollout = rolling.roll(plan)
    assert 0.15 < len(rollout.events) / rollout.steps < 0.35
    assert rolling.roll(WHOLE).events.shape[0] == 0


@pytest.fixture(scope="module")
def lazy() -> Rolling:
    """A network that knows cells and looks ahead lazily."""
    changes = {"neighbors": 0, "walls": False, "known": 2, "lazy": True}
    return Rolling(grid_problems(2), "best", changes)


def test_with_lazy_look_ahead_a_roll_out_is_the_search(lazy: Rolling) -> None:
    problem = lazy.oracle.problems[0]
    result = search(problem.graph, problem.start, problem.goal, lazy.heuristic, trace=True)
    rollout = lazy.roll(WHOLE)
    assert result.trace is not None
    # A step for each expansion, and every node as often as it was evaluated.
    assert rollout.steps == result.expansions
    assert rollout.nodes.size == result.evaluations
    counts = np.unique(rollout.nodes, return_counts=True)[1]
    assert counts.max() == 2
    again = int((counts == 2).sum())
    assert again == result.calls - 1  # all but the start


def test_inputs_of_a_roll_out_say_what_was_known(lazy: Rolling) -> None:
    rollout = lazy.roll(WHOLE)
    places = np.arange(rollout.nodes.size)
    inputs = rollout.inputs(places)
    network = lazy.network_settings
    assert inputs.shape == (rollout.nodes.size, network.trail_size)
    states = inputs[:, network.steps_size :].reshape(rollout.nodes.size, -1, STATES)
    assert set(np.unique(states.sum(axis=2))) <= {0.0, 1.0}
    # The first nodes were discovered from the start, which is next to them and expanded.
    assert states[: rollout.first[1], :, STATES - 1].sum(axis=1).tolist() == [1.0] * int(
        rollout.first[1]
    )
