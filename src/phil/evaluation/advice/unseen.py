"""The problems to measure on: never the test problems, nor any that a heuristic learned from."""

from __future__ import annotations

from phil.errors import InputError
from phil.problems.problem import Problem, ProblemSet


def unseen_problems(problems: ProblemSet, most: int, *, learned: bool) -> tuple[Problem, ...]:
    """The first validation problems; more from the train problems if nothing learned is measured.

    With random pairs on a small graph a train problem may come again in another split: where
    something learned is measured, such a problem is left out.
    """
    if most < 1:
        raise InputError(f"--problems must be at least 1, not {most}")
    if not learned:
        found = problems.validation + problems.train
    else:
        seen = {_identity(problem) for problem in problems.train}
        found = tuple(each for each in problems.validation if _identity(each) not in seen)
    if not found:
        unseen = " that are not train problems too" if learned else ""
        raise InputError(
            f"{problems.name} has no validation problems{unseen}; draw some with --pairs random "
            "--count 500"
        )
    return found[:most]


def _identity(problem: Problem) -> tuple[int, int, int]:
    return id(problem.graph), problem.start, problem.goal
