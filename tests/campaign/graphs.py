"""All searches with all heuristics on random graphs of all kinds, against scipy's Dijkstra."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from math import inf
from traceback import format_tb
from typing import Any

import numpy as np
from numpy.random import Generator

from phil.errors import InputError
from phil.evaluation.methods import parse_method
from phil.graphs.distances import costs_from, costs_to, hops_from, hops_to
from phil.heuristics.landmarks import landmarks
from phil.heuristics.registry import heuristics
from phil.problems.problem import Problem
from phil.search import ASTAR, BFS, GREEDY, Key, Limits, Outcome, search, search_many
from phil.search.bidirectional import BidirectionalMethod
from phil.search.guide import traits_of
from phil.search.hedge import HedgedMethod
from phil.search.method import Method, NamedSearch, Solver
from phil.search.registry import searches
from tests.campaign.drawn import Drawn, drawn
from tests.campaign.other_graphs import by_functions, in_networkx, with_learned_heuristics
from tests.campaign.part import Budget, Part, Report
from tests.campaign.verdict import CLOSE, faults
from tests.guides import facts

THREADS = 4
NUMBERS = ("1", "1.05", "1.5", "3")
KEYS = (GREEDY, ASTAR, BFS, Key(g=1.0, h=2.0, reopen=False), Key(g=0.3, h=1.0, depth=-0.1))
MOST_FAULTS = 20
FEWEST = 100  # graphs, however long it takes to compile for them
MOST_EACH = 3  # of one graph


def run(budget: Budget) -> Report:
    """Try graph after graph."""
    report = Report()
    index = 0
    while (budget.left or index < FEWEST) and len(report.faults) < MOST_FAULTS:
        where = f"seed {budget.seed}, graph {index}"
        try:
            row, found = case(budget.seed, index)
        except Exception as error:
            report.faults.append(f"{where}: {error!r} {format_tb(error.__traceback__)[-1]}")
        else:
            report.counts[row] += 1
            report.faults += [f"{where}: {fault}" for fault in found]
        index += 1
    return report


def case(seed: int, index: int) -> tuple[str, list[str]]:
    """The row of a graph, and the faults found on it."""
    random = np.random.default_rng([seed, index])
    attempt = drawn(random)
    others = OTHERS.get(index % 10)
    row, check = others or (attempt.kind, with_all_methods)
    found = [f"{attempt.about}: {fault}" for fault in islice(check(attempt, random), MOST_EACH)]
    return row, found


def with_all_methods(attempt: Drawn, random: Generator) -> Iterator[str]:
    """Every search with every heuristic that takes the graph, and what they are built on."""
    pairs = attempt.pairs(random)
    taken = []
    for name, heuristic in heuristics().items():
        refusal = _refusal(attempt, name)
        if refusal is None:
            taken.append(name)
        elif not traits_of(heuristic).needs_grid or (attempt.graph.is_grid and "2D" not in refusal):
            yield f"{name} is refused: {refusal}"
    for method in _methods(taken, random):
        for start, goal in pairs:
            yield from _searched(attempt, method, start, goal)
    yield from _many(attempt, pairs, taken, random)
    yield from _distances(attempt, pairs[-1])
    yield from _better_and_better(attempt, *pairs[1], random.choice(taken))


def at_once(attempt: Drawn, random: Generator) -> Iterator[str]:
    """Several threads search a graph that none has searched, and a copy was searched by one."""
    graph = copy.deepcopy(attempt.graph)  # without what searches have cached
    taken = [name for name in heuristics() if _refusal(attempt, name) is None]
    pairs = attempt.pairs(random)
    jobs = [(method, *pair) for method in _methods(taken, random) for pair in pairs]

    def found(method: Solver, start: int, goal: int) -> dict[str, object] | str:
        try:
            return facts(method.search(Problem(graph, start, goal), trace=True))
        except InputError as error:
            return str(error)

    with ThreadPoolExecutor(THREADS) as pool:
        together = [*pool.map(lambda job: found(*job), jobs)]
    graph = attempt.graph
    for job, result in zip(jobs, together, strict=True):
        if found(*job) != result:
            yield f"{job[0].text} from {job[1]} to {job[2]} differs in {THREADS} threads at once"


def _methods(taken: list[str], random: Generator) -> Iterator[Solver]:
    """Every search with every heuristic of those taken."""
    for named in searches().values():
        for name in taken if named.most else taken[:1]:
            yield parse_method(_text(named, name, taken, random))


def _refusal(attempt: Drawn, name: str) -> str | None:
    node = int(attempt.nodes[0])
    try:
        heuristics()[name].begin(attempt.graph, node, node)
    except InputError as error:
        return str(error)
    return None


def _text(named: NamedSearch, name: str, taken: list[str], random: Generator) -> str:
    """A method with this heuristic, and others if the search takes several."""
    if named.most == 0:
        return named.name
    more = [] if named.most == 1 else random.choice(taken, random.integers(3)).tolist()
    numbers = random.choice(NUMBERS, random.choice(named.numbers)).tolist()
    return f"{named.name}({', '.join([name, *more, *numbers])})"


def _searched(attempt: Drawn, method: Solver, start: int, goal: int) -> Iterator[str]:
    graph = attempt.graph
    where = f"{method.text} from {start} to {goal}"
    try:
        result = method.search(Problem(graph, start, goal), trace=True)
    except InputError as error:
        if "novelty needs values below" not in str(error):
            yield f"{where} is refused: {error}"
        return
    # Features are float32, and differences of costs to landmarks lose what sums do: both may
    # exceed the least cost by a little.
    promise = method.promise([graph]) * (1 + 1e-6)
    if promise < inf and landmarks in method.heuristics and attempt.truth.spread > 1e6:
        promise = inf
    both_ends = isinstance(method, BidirectionalMethod)
    for fault in faults(result, attempt.truth, start, goal, promise, both_ends=both_ends):
        yield f"{where} {fault}"
    evaluated = result.generated - 1
    every = len(method.heuristics) * evaluated
    # The two sides of a hedged search each evaluate what they discover themselves.
    least = evaluated if isinstance(method, HedgedMethod) else every
    if isinstance(method, Method) and method.bound is not None:
        least = 0  # a proof evaluates no nodes
    if not both_ends and not least <= result.evaluations <= every:
        yield f"{where} evaluated {result.evaluations} times, {result.generated} nodes"
    if result.lookahead_calls:
        yield f"{where} looked ahead"


def _many(
    attempt: Drawn, pairs: list[tuple[int, int]], taken: list[str], random: Generator
) -> Iterator[str]:
    """In one thread, in two and one by one, whole and up to a limit."""
    name, key = str(random.choice(taken)), KEYS[random.integers(len(KEYS))]
    heuristic = heuristics()[name]
    how: dict[str, Any] = {"key": key, "bound": (None, None, 1.5)[random.integers(3)]}
    limits = Limits(expansions=int(random.integers(12)))
    graph = attempt.graph
    whole = [search(graph, *pair, heuristic, **how) for pair in pairs]
    cut = [search(graph, *pair, heuristic, limits=limits, **how) for pair in pairs]
    for threads, limit, alone in ((1, None, whole), (2, None, whole), (1, limits, cut)):
        many = search_many(graph, pairs, heuristic, threads=threads, limits=limit, **how)
        if [*map(facts, many)] != [*map(facts, alone)]:
            yield f"search_many with {name}, {how}, {limit} in {threads} threads differs: {pairs}"
    for before, after in zip(whole, cut, strict=True):
        most = limits.expansions or 0
        ended = after.outcome is Outcome.LIMIT
        if ended != (before.expansions > most) or after.expansions > most:
            yield f"{name} with {how} and {limits}: {after} instead of {before}"


def _distances(attempt: Drawn, ends: tuple[int, int]) -> Iterator[str]:
    start, goal = ends
    graph, truth = attempt.graph, attempt.truth
    back = truth.reversed()
    for compute, node, true in (
        (costs_from, start, truth.costs_from(start)),
        (hops_from, start, truth.moves_from(start)),
        (costs_to, goal, back.costs_from(goal)),
        (hops_to, goal, back.moves_from(goal)),
    ):
        if not np.allclose(compute(graph, node), true, rtol=CLOSE, atol=0):
            yield f"{compute.__name__} {node} differs"


def _better_and_better(attempt: Drawn, start: int, goal: int, name: str) -> Iterator[str]:
    method = Method(f"anytime {name}", GREEDY, heuristics()[name])
    least = float(attempt.truth.costs_from(start)[goal])
    cost, expansions = inf, 0
    result = None
    for result in method.anytime(Problem(attempt.graph, start, goal), trace=True):
        for fault in faults(result, attempt.truth, start, goal, goes_on=True):
            yield f"{method.text} from {start} to {goal} {fault}"
        if result.cost > cost or result.expansions <= expansions:
            yield f"{method.text} from {start} to {goal} becomes worse: {result}"
        cost, expansions = result.cost, result.expansions
    if result is None or (result.solved and not result.cost <= least * (1 + CLOSE)):
        yield f"{method.text} from {start} to {goal} ends with {result}, not {least!r}"
    if result and result.solved and not result.proven <= 1 + CLOSE:
        yield f"{method.text} from {start} to {goal} ends without a proof: {result.proven}"


OTHERS: dict[int, tuple[str, Callable[[Drawn, Generator], Iterator[str]]]] = {
    6: ("in several threads at once", at_once),
    7: ("described by functions", by_functions),
    8: ("networkx graphs", in_networkx),
    9: ("with learned heuristics", with_learned_heuristics),
}

PART = Part(
    name="graphs",
    title="Random graphs",
    about=(
        "Every search with every heuristic on random graphs of all kinds: directed or not, with "
        "parallel edges, loops and isolated nodes, with weights from 0 to 1e100, maps in 2D and "
        "3D with all rules, places on the globe; described by arrays, by functions or by networkx. "
        "Outcomes, paths, costs and proven bounds must be those of scipy's Dijkstra, counts must "
        "agree with each other, and one thread with several."
    ),
    unit="graphs",
    run=run,
)
