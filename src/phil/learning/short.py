"""A short training: enough to see whether learning pays on some problems."""

from __future__ import annotations

from pathlib import Path

from phil.errors import InputError
from phil.heuristics.file import LearnedHeuristic
from phil.learning.methods import train
from phil.learning.progress import Report
from phil.problems.problem import ProblemSet

ITERATIONS = 10
MOST = 200  # problems to learn from
CHOOSING = 6  # of so many train problems one is to choose by
MOST_CHOOSING = 30
# What costs something is a look at a node's neighbours: such a network looks at the node alone.
# (generated/shifting_gaps, validation: 388 calls and 1.3 ms a query; with neighbours 1,145 and 2.0)
ALONE = {"neighbors": 0, "walls": False}


def short_training(
    problems: ProblemSet,
    *,
    output: Path | None = None,
    report: Report | None = None,
) -> LearnedHeuristic:
    """Learn from the train problems alone, so that the validation problems stay unseen.

    The last of the train problems are those to choose by. Two networks that look at no neighbours
    are trained for a few iterations; all else is as the preset `best` has it.
    """
    given = problems.train
    choosing = min(MOST_CHOOSING, max(1, len(given) // CHOOSING))
    if len(given) <= choosing:
        raise InputError(
            f"{problems.name} has {len(given)} train problems, too few to learn from; draw more "
            "with --pairs random --count 100"
        )
    settings = {"iterations": ITERATIONS, "candidates": 2, "hard_candidates": 0, **ALONE}
    seen = ProblemSet(problems.name, train=given[:-choosing][:MOST], validation=given[-choosing:])
    return train(seen, settings=settings, output=output, report=report)
