"""What training on a domain learns from: explored nodes, known paths, and its own solutions."""

from __future__ import annotations

from collections import deque
from typing import Generic

import numpy as np

from phil.errors import InputError
from phil.graphs import Graph
from phil.graphs.callbacks import N
from phil.graphs.region import Region
from phil.learning.oracle import OracleProblems, with_oracle
from phil.learning.settings import TrainingSettings
from phil.memory import check_memory
from phil.problems.domain import Domain
from phil.problems.problem import Problem
from phil.search.best_first import search
from phil.search.guide import Heuristic
from phil.search.result import Limits, Outcome

LARGEST = 500_000  # nodes in all regions; beyond it, only the paths of solutions are added
# Memory per explored node and per feature of it, of which there are twice as many with their
# neighbours, in the region and while a graph is made of it.
NODE_BYTES, NUMBER_BYTES = 1500, 50
KEPT = 5  # rounds whose problems are learned from
DRAWS = 100  # of a problem whose start is not its goal
TRIAL = 10  # problems after which the difficulty is adapted
FEWEST = 0.25  # share of them that must be solved, or the next ones are easier


class Lessons(Generic[N]):
    """The training problems of a domain, and the regions of the graph that they are in.

    Distances are exact within the explored part of a region. Beyond it they are those of the best
    path known so far, which are upper bounds.
    """

    def __init__(self, domain: Domain[N], settings: TrainingSettings) -> None:
        self._domain = domain
        self._settings = settings
        self._regions: dict[N, Region[N]] = {}
        # The goal and the id of the start of each problem, by round.
        self._recent: deque[list[tuple[N, int]]] = deque(maxlen=KEPT)
        self._unsolved: list[tuple[N, N]] = []  # in the last round
        self._difficulty = 1.0  # of the hardest problems to solve

    def draw(self, random: np.random.Generator, difficulty: float = 1.0) -> tuple[N, N]:
        """A problem whose start is not its goal."""
        for _ in range(DRAWS):
            start, goal = self._domain.draw(random, difficulty)
            if start != goal:
                return start, goal
        raise InputError(
            f"problems returned {DRAWS} problems of difficulty {difficulty:.2g} whose start is "
            "their goal; let it return others"
        )

    def prepare(self, random: np.random.Generator, first: Heuristic) -> None:
        """Take the demonstrations and explore around the goals, or solve easy problems."""
        domain, settings = self._domain, self._settings
        found = [(path[-1], self._region(path[-1]).follow(path)) for path in domain.demonstrations]
        goals = list(dict.fromkeys(self.draw(random)[1] for _ in range(settings.attempts)))
        need = settings.explore * (NODE_BYTES + NUMBER_BYTES * domain.graph.dim)
        check_memory(need, f"exploring {settings.explore:,} nodes (the setting explore)")
        for number, goal in enumerate(goals if settings.explore else ()):
            explored = self._region(goal).explore(max(1, settings.explore // len(goals)))
            count = len(range(number, settings.attempts, len(goals)))
            if explored:
                found += [(goal, start) for start in random.choice(explored, count).tolist()]
        self._recent.append(found)
        if not found:
            self.solve(random, first)

    def solve(self, random: np.random.Generator, heuristic: Heuristic) -> int:
        """Search for the paths of problems; returns how many were found.

        They are random, but problems that were not solved in the round before are tried again. If
        few can be solved, the following ones are easier, and harder again in the next round.
        """
        settings = self._settings
        found: list[tuple[N, int]] = []
        again, self._unsolved = self._unsolved[: settings.attempts // 2], []
        self._difficulty = min(1.0, 2 * self._difficulty)
        solved = 0
        for start, goal in again:
            self._try(start, goal, heuristic, found)
        for number in range(1, settings.attempts - len(again) + 1):
            difficulty = self._difficulty * float(np.sqrt(random.random()))
            start, goal = self.draw(random, difficulty)
            solved += self._try(start, goal, heuristic, found)
            if number % TRIAL == 0:
                if solved < FEWEST * TRIAL:
                    self._difficulty /= 2
                solved = 0
        self._recent.append(found)
        return len(found)

    def _try(self, start: N, goal: N, heuristic: Heuristic, found: list[tuple[N, int]]) -> bool:
        """Whether a search solves a problem, which is then added to those found."""
        settings = self._settings
        limits = Limits(expansions=settings.attempt_limit)
        key = settings.cost.key
        result = search(
            self._domain.graph, start, goal, heuristic, key=key, limits=limits, trace=True
        )
        if result.solved:
            # All that was expanded, since what leads astray is to be learned too.
            known = sum(len(region.nodes) for region in self._regions.values())
            seen = result.trace if known < LARGEST else result.path
            assert seen is not None
            found.append((goal, self._region(goal).add(seen)[0]))
        elif result.outcome is Outcome.LIMIT:
            self._unsolved.append((start, goal))
        return result.solved

    def oracle(self) -> OracleProblems:
        """The problems of the last rounds, with distances by what is known of the graph."""
        problems = [one for found in self._recent for one in found]
        if not problems:
            raise InputError(
                f"none of {self._settings.attempts} problems was solved within "
                f"{self._settings.attempt_limit} expansions; let problems return easier ones at "
                "lower difficulties, or give the domain predecessors or demonstrations"
            )
        graphs: dict[N, Graph] = {}
        self._regions = {goal: self._regions[goal] for goal, _ in problems}  # forget the others
        for goal, region in self._regions.items():
            graphs[goal] = region.graph()
        return with_oracle(
            [Problem(graphs[goal], start, 0) for goal, start in problems],
            "train",
            self._settings.unit,
            self._settings.dead_ends,
        )

    def _region(self, goal: N) -> Region[N]:
        if goal not in self._regions:
            self._regions[goal] = self._domain.region(goal)
        return self._regions[goal]
