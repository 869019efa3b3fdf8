"""What every heuristic must do: one battery of checks, run over all of them."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.heuristics.classical import euclidean
from phil.problems.problem import Problem
from phil.search import GREEDY, Limits, search
from phil.search.guide import CompiledGuide, Expansion, Heuristic, WithoutLoop, close, guided
from tests.guides import PythonHeuristic, facts
from tests.implicit import Mirror, own_facts

SHAPES = ((1, 1), (1, 2), (1, 40), (40, 1), (2, 2), (7, 9), (30, 12), (25, 25))
SPACES = ((1, 1, 1), (1, 9, 4), (7, 6, 5), (3, 2, 12), (6, 5, 7), (9, 4, 3))
SHORT = 60  # expansions in which two engines do not part ways


def maps() -> Iterator[Problem]:
    """Maps of all rectangular shapes, from corner to corner: with walls, and one without a path."""
    random = np.random.default_rng(11)
    for rows, columns in SHAPES:
        free = random.random((rows, columns)) < (1.0 if min(rows, columns) == 1 else 0.8)
        free[-1, 0] = free[0, -1] = True
        grid = GridGraph(free)
        yield Problem(grid, grid.node(rows - 1, 0), grid.node(0, columns - 1))
    split = np.ones((6, 6), bool)
    split[:, 3] = False
    yield Problem(GridGraph(split), 30, 5)


def voxels() -> Iterator[Problem]:
    """3D maps from corner to corner, with every connectivity."""
    random = np.random.default_rng(12)
    for shape, connectivity in zip(SPACES, (6, 18, 26, 26, 6, 6), strict=True):
        free = random.random(shape) < 0.8
        free[0, 0, 0] = free[-1, -1, -1] = True
        grid = GridGraph(free, connectivity=connectivity, corners="both_free")
        yield Problem(grid, 0, grid.size - 1)


PROBLEMS = tuple(maps())
ALL_PROBLEMS = (*voxels(), *PROBLEMS)


def problems_for(heuristic: Heuristic) -> list[Problem]:
    """The maps that a heuristic takes: all, or those with the axes and moves it was made for."""
    taken, refused = [], []
    for problem in ALL_PROBLEMS:
        try:
            with guided(heuristic, problem.graph, problem.start, problem.goal):
                pass
        except InputError as refusal:
            assert any(why in str(refusal) for why in ("2D", "3D", "-connected"))  # noqa: PT017
            refused.append(problem)
        else:
            taken.append(problem)
    assert taken
    assert not {_kind(problem) for problem in taken} & {_kind(problem) for problem in refused}
    return taken


def _kind(problem: Problem) -> tuple[int, int]:
    """Axes and moves."""
    assert isinstance(problem.graph, GridGraph)
    return problem.graph.free.ndim, problem.graph.connectivity


Step = tuple[Expansion, NDArray[np.float64]]


def steps(heuristic: Heuristic, problem: Problem) -> list[Step]:
    """What a search asks of a guide, and what the guide says."""
    ends = problem.graph, problem.start, problem.goal
    told: list[Step] = []
    with guided(heuristic, *ends) as guide:

        def score(expansion: Expansion) -> NDArray[np.float64]:
            values = guide.score(expansion)
            told.append((expansion, values.copy()))
            return values

        search(*ends, PythonHeuristic(score), limits=Limits(SHORT))
    return told


def values_of(told: list[Step]) -> list[list[float]]:
    return [values.tolist() for _, values in told]


def has_a_name(heuristic: Heuristic) -> None:
    assert heuristic.name
    assert heuristic.name.isprintable()


def gives_one_number_per_node(heuristic: Heuristic) -> None:
    for problem in problems_for(heuristic):
        solvable = search(problem.graph, problem.start, problem.goal, heuristic).solved
        for expansion, values in steps(heuristic, problem):
            assert values.shape == expansion.new.shape
            assert values.dtype == np.float64
            assert not np.isnan(values).any()
            # Nodes from which the goal cannot be reached may be infinitely far from it.
            assert np.isfinite(values).all() or not solvable


def is_deterministic(heuristic: Heuristic) -> None:
    for problem in problems_for(heuristic):
        assert values_of(steps(heuristic, problem)) == values_of(steps(heuristic, problem))


def guides_are_independent(heuristic: Heuristic) -> None:
    """Two searches at once, step by step in turn, say what each says alone."""
    *_, two, one, _ = problems_for(heuristic)
    alone = [steps(heuristic, problem) for problem in (one, two)]
    with (
        guided(heuristic, one.graph, one.start, one.goal) as first,
        guided(heuristic, two.graph, two.start, two.goal) as second,
    ):
        for number in range(max(map(len, alone))):
            for told, guide in zip(alone, (first, second), strict=True):
                if number < len(told):
                    expansion, values = told[number]
                    assert guide.score(expansion).tolist() == values.tolist()


def begins_anew(heuristic: Heuristic) -> None:
    """A guide begun on a problem knows nothing of those begun before on the same or another."""
    problems = problems_for(heuristic)
    first = [values_of(steps(heuristic, problem)) for problem in problems]
    for problem, before in reversed([*zip(problems, first, strict=True)]):
        assert values_of(steps(heuristic, problem)) == before


def guides_can_be_closed_twice(heuristic: Heuristic) -> None:
    """A workspace returned twice would be lent to two searches at once."""
    problem = problems_for(heuristic)[-2]
    guide = heuristic.begin(problem.graph, problem.start, problem.goal)
    close(guide)
    close(guide)
    guides_are_independent(heuristic)


def changes_nothing_it_is_shown(heuristic: Heuristic) -> None:
    problem = problems_for(heuristic)[-2]
    with guided(heuristic, problem.graph, problem.start, problem.goal) as guide:
        for expansion, _ in steps(euclidean, problem):
            shown = replace(expansion, new=expansion.new.copy(), g=expansion.g.copy())
            guide.score(shown)
            assert np.array_equal(shown.new, expansion.new)
            assert np.array_equal(shown.g, expansion.g)


def both_loops_agree(heuristic: Heuristic) -> None:
    """A compiled loop expands what its values, asked for one by one, would."""
    for problem in problems_for(heuristic):
        ends = problem.graph, problem.start, problem.goal
        with guided(heuristic, *ends) as guide:
            if not isinstance(guide, CompiledGuide):
                continue
        compiled, python = (
            facts(search(*ends, guided, key=GREEDY, limits=Limits(SHORT), trace=True))
            for guided in (heuristic, WithoutLoop(heuristic))
        )
        assert compiled == python


def a_loop_can_pause(heuristic: Heuristic) -> None:
    """A search in pieces, as a trace or a limit of seconds has it, is the same search."""
    problem = problems_for(heuristic)[-2]
    ends = problem.graph, problem.start, problem.goal
    whole = search(*ends, heuristic)
    pieces = search(*ends, heuristic, limits=Limits(seconds=1e9))
    assert facts(pieces) == facts(whole)


def maps_can_be_met_on_the_way(heuristic: Heuristic) -> None:
    """On an implicit graph of the same map the search is the same, or is refused with a reason."""
    for problem in problems_for(heuristic):
        mirror = Mirror(problem.graph)
        ends = mirror.name(problem.start), mirror.name(problem.goal)
        written = search(problem.graph, problem.start, problem.goal, heuristic, trace=True)
        try:
            met = search(mirror.graph, *ends, heuristic, trace=True)
        except InputError as refusal:
            assert "known in full" in str(refusal)  # noqa: PT017
            continue
        assert own_facts(met) == mirror.named(written)
        assert met.calls == mirror.neighbors.total()


def can_be_sent_to_another_process(heuristic: Heuristic) -> None:
    """Also after a search, whose workspace stays behind; the problem is sent along."""
    problem = problems_for(heuristic)[-2]
    here = search(problem.graph, problem.start, problem.goal, heuristic, limits=Limits(SHORT))
    sent, received = pickle.loads(pickle.dumps((problem, heuristic)))
    assert received.name == heuristic.name
    there = search(sent.graph, sent.start, sent.goal, received, limits=Limits(SHORT))
    assert facts(there) == facts(here)


CHECKS: tuple[Callable[[Heuristic], None], ...] = (
    has_a_name,
    gives_one_number_per_node,
    is_deterministic,
    guides_are_independent,
    guides_can_be_closed_twice,
    begins_anew,
    changes_nothing_it_is_shown,
    both_loops_agree,
    a_loop_can_pause,
    maps_can_be_met_on_the_way,
    can_be_sent_to_another_process,
)


def check_heuristic(heuristic: Heuristic) -> None:
    """All checks."""
    for check in CHECKS:
        check(heuristic)
