"""Every kind of search with heuristics that mislead it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf
from traceback import format_tb
from typing import Any

import numpy as np
from numpy.random import Generator

from phil.errors import InputError
from phil.heuristics.novelty import Novelty
from phil.search import (
    ASTAR,
    BFS,
    GREEDY,
    Key,
    Limits,
    Outcome,
    Result,
    anytime,
    search,
    search_mha,
)
from phil.search.guide import Expansion, Heuristic
from tests.campaign.adversaries import ADMISSIBLE, ADVERSARIES, Adversary
from tests.campaign.drawn import Drawn, drawn
from tests.campaign.part import Budget, Part, Report
from tests.campaign.verdict import CLOSE, faults
from tests.guides import PythonHeuristic, facts

BOUNDS = (1.0, 1.05, 1.5, 3.0, inf)
KEYS = {
    "greedy": GREEDY,
    "A*": ASTAR,
    "weighted A*": Key(g=1.0, h=3.0),
    "breadth-first": BFS,
    "deep": Key(g=0.5, h=2.0, depth=-0.25),
    "backwards": Key(g=-1.0, h=-1.0, depth=1.0),
    "A* without reopening": Key(g=1.0, h=1.0, reopen=False),
}
LARGEST = 200  # nodes
ENOUGH = 100_000  # expansions that A* with values that are not consistent may take
MOST_FAULTS = 20
FEWEST = 100  # graphs, however long it takes to compile for them
ANYTIME = "anytime"


@dataclass(frozen=True)
class Attack:
    """A search with its adversaries, and what it promises all the same."""

    row: str
    text: str
    run: Callable[..., Result]  # takes the heuristics, and limits
    adversaries: Sequence[Adversary]
    bound: float = inf
    most: float = inf  # expansions of a node


def attacks(attempt: Drawn, start: int, goal: int, random: Generator) -> Iterator[Attack]:
    """One attack of each kind."""
    ends = attempt.graph, start, goal
    costs = attempt.truth.reversed().costs_from(goal)
    names = random.choice(ADVERSARIES, 3).tolist()
    several = [Adversary(name, costs, int(random.integers(1000))) for name in names]
    one = several[:1]
    how, key = [*KEYS.items()][random.integers(len(KEYS))]
    bound = float(random.choice(BOUNDS))
    w1, w2 = random.choice(BOUNDS[:-1], 2).tolist()
    fair = names[0] in ADMISSIBLE and key.g == 1 and key.reopen
    # The searches that decide on the order by values alone expand no node again without a reason.
    again = inf if key.g else 2

    def first(heuristic: Heuristic, **options: Any) -> Result:
        return search(*ends, heuristic, key=key, trace=True, **options)

    def within(heuristic: Heuristic, **options: Any) -> Result:
        return search(*ends, heuristic, key=key, bound=bound, trace=True, **options)

    def until(heuristic: Heuristic, **options: Any) -> Result:
        return _last(*ends, heuristic, key=key, bound=bound, trace=True, **options)

    def in_turn(*heuristics: Heuristic, **options: Any) -> Result:
        return search_mha(*ends, heuristics, trace=True, **options)

    def anchored(*heuristics: Heuristic, **options: Any) -> Result:
        return search_mha(*ends, heuristics, w1=w1, w2=w2, trace=True, **options)

    def novel(heuristic: Heuristic, **options: Any) -> Result:
        return search(*ends, Novelty(heuristic), trace=True, **options)

    weight = max(1.0, key.h) if fair else inf
    once = inf if key.g and key.reopen else 1
    yield Attack("best-first search", how, first, one, weight, once)
    yield Attack("within a bound", f"{how} within {bound}", within, one, bound, again)
    yield Attack(ANYTIME, f"anytime {how} until {bound}", until, one, bound, again)
    yield Attack("MHA* in turn", "MHA* in turn", in_turn, several, most=1)
    anchors = f"MHA* within {w1} * {w2}"
    yield Attack("MHA* within a bound", anchors, anchored, several, w1 * w2, 2)
    if "novelty needs values below" not in _refusal(lambda: novel(*one)):
        yield Attack("BFWS", "BFWS", novel, one, most=1)


def _last(*ends: Any, **options: Any) -> Result:
    """The last result of an anytime search, if each is better than the one before."""
    results: list[Result] = [*anytime(*ends, **options)]
    costs = [result.cost for result in results]
    proven = [result.proven for result in results]
    counts = [result.expansions for result in results]
    assert costs == sorted(costs, reverse=True), f"costs {costs}"
    assert proven == sorted(proven, reverse=True), f"proven {proven}"
    assert counts == sorted(set(counts)), f"expansions {counts}"
    return results[-1]


def _refusal(run: Callable[[], Result]) -> str:
    try:
        run()
    except InputError as error:
        return str(error)
    return ""


def verdict(
    attempt: Drawn, start: int, goal: int, attack: Attack, random: Generator
) -> Iterator[str]:
    """What is wrong with an attacked search: whole, again but compiled, and up to a limit."""
    whole = attack.run(*attack.adversaries, limits=Limits(expansions=ENOUGH))
    if whole.outcome is Outcome.LIMIT:
        if attack.most < inf:
            yield f"did not end after {ENOUGH} expansions"
        return
    goes_on = attack.row == ANYTIME
    yield from faults(whole, attempt.truth, start, goal, attack.bound, goes_on=goes_on)
    trace = np.asarray(whole.trace)
    often = np.bincount(trace[trace != goal], minlength=1).max()
    if often > attack.most:
        yield f"expanded a node {often} times"
    compiled = [adversary.compiled() for adversary in attack.adversaries]
    if facts(attack.run(*compiled)) != facts(whole):
        yield "does something else the second time"
    most = int(random.integers(whole.expansions + 2))
    cut = attack.run(*compiled, limits=Limits(expansions=most))
    if cut.trace is None or not np.array_equal(cut.trace, trace[:most]):
        yield f"with a limit of {most} expansions, expands {cut.trace}, not the first of {trace}"
    if not cut.lower_bound <= attempt.truth.costs_from(start)[goal] * (1 + CLOSE):
        yield f"with a limit of {most}, proves {cut.lower_bound}"


def case(seed: int, index: int) -> Iterator[tuple[str, list[str]]]:
    """The rows of the searches of a graph, and the faults of each."""
    random = np.random.default_rng([seed, index])
    attempt = drawn(random)
    if attempt.graph.size > LARGEST:
        return
    for start, goal in attempt.pairs(random):
        for attack in attacks(attempt, start, goal, random):
            what = f"{attack.text} from {start} to {goal} with {attack.adversaries}"
            where = f"{attempt.about}: {what}"
            try:
                found = [*islice(verdict(attempt, start, goal, attack, random), 3)]
            except Exception as error:
                found = [f"fails: {error!r} {format_tb(error.__traceback__)[-1]}"]
            yield attack.row, [f"{where} {fault}" for fault in found]
    yield "values that are not numbers", [*refused(attempt, random)]


def refused(attempt: Drawn, random: Generator) -> Iterator[str]:
    """Values that no search can use are an error that names the heuristic."""
    start, goal = attempt.pairs(random)[1]
    ends = attempt.graph, start, goal
    name = str(random.choice([*BAD_VALUES]))
    when = int(random.integers(1, 4))
    asked = 0

    def score(expansion: Expansion) -> Any:
        nonlocal asked
        if expansion.count < when or not expansion.new.size:
            return np.zeros(expansion.new.size)
        asked += 1
        return BAD_VALUES[name](expansion.new)

    heuristic = PythonHeuristic(score)
    for text, run in {
        "search": lambda: search(*ends, heuristic),
        "bounded search": lambda: search(*ends, heuristic, bound=1.0),
        "MHA*": lambda: search_mha(*ends, [heuristic] * 2),
        "bounded MHA*": lambda: search_mha(*ends, [heuristic], w1=2, w2=2),
        "BFWS": lambda: search(*ends, Novelty(heuristic)),
    }.items():
        asked = 0
        where = f"{attempt.about}: {text} from {start} to {goal} with {name}"
        try:
            told = _refusal(run)
        except Exception as error:
            yield f"{where} fails: {error!r}"
            continue
        if asked and "heuristic" not in told:
            yield f"{where} is not refused: {told}"


BAD_VALUES: dict[str, Callable[[Any], Any]] = {
    "NaN": lambda new: np.full(new.size, np.nan),
    "None": lambda new: [None] * new.size,
    "text": lambda new: ["far"] * new.size,
    "too few values": lambda new: np.zeros(new.size - 1),
    "too many values": lambda new: np.zeros(new.size + 1),
    "two columns": lambda new: np.zeros((new.size, 2)),
    "complex numbers": lambda new: np.full(new.size, 1j),
    "integers beyond floats": lambda new: [10**400] * new.size,
    "nothing": lambda new: None,
}


def run(budget: Budget) -> Report:
    """Attack on graph after graph."""
    report = Report()
    index = 0
    while (budget.left or index < FEWEST) and len(report.faults) < MOST_FAULTS:
        for row, found in case(budget.seed, index):
            report.counts[row] += 1
            report.faults += [f"seed {budget.seed}, graph {index}: {fault}" for fault in found]
        index += 1
    return report


PART = Part(
    name="adversarial",
    title="Heuristics that mislead",
    about=(
        "Searches of all kinds on random graphs with heuristics that mislead them: constant, "
        "negative, huge and infinite values, the distance reversed, values that are new every "
        "time, lead away from the goal or grow as it comes near. Every search must end with a real "
        "path, keep its bound and its limit, expand no node more often than documented, and do "
        "the same again. Values that are not numbers must be refused."
    ),
    unit="searches",
    run=run,
)
