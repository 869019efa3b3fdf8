"""Learning a heuristic by any method: the plan is made, announced, and carried out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from phil.errors import InputError
from phil.files import check_writable
from phil.heuristics.file import LearnedHeuristic
from phil.learning.plan import AUTO, Plan, make_plan
from phil.learning.progress import Report, Run
from phil.learning.registry import load_method
from phil.problems.problem import ProblemSet

WORKERS = 2  # candidates of PHIL trained at a time; each uses one core

ITERATIONS = 10
MOST = 200  # problems to learn from
CHOOSING = 6  # of so many train problems one is to choose by
MOST_CHOOSING = 30
# What costs something is a look at a node's neighbours: such a network looks at the node alone.
# (generated/shifting_gaps, validation: 388 calls and 1.3 ms a query; with neighbours 1,145 and 2.0)
ALONE = {"neighbors": 0, "walls": False}


def train(
    problems: ProblemSet,
    *,
    method: str = "phil",
    preset: str = "best",
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    features: str = AUTO,
    output: Path | None = None,
    resume: bool = False,
    workers: int = WORKERS,
    announce: Callable[[Plan[Any]], None] | None = None,
    report: Report | None = None,
) -> LearnedHeuristic:
    """Learn a heuristic from the train and validation problems of a set.

    Parameters
    ----------
    problems
        The problems to learn from (train) and to choose by (validation).
    method
        What learns: "phil", or a method that it is compared with (`phil.learning.METHODS`).
    preset
        PHIL's settings to begin with: "best", or "paper" for the published method.
    seed
        Seed of all random numbers; the same seed gives the same heuristic.
    settings
        Changes of single settings (`phil.learning.TrainingSettings`, or those of the method).
    features
        Recipe of features to add to those of general graphs (see `phil.graphs.features`). By
        default what pays on such graphs; "" adds none.
    output
        File to write the heuristic to. A log of all iterations is written beside it, and PHIL
        keeps a checkpoint there until it is done.
    resume
        Continue a run of PHIL that was interrupted, from its checkpoint.
    workers
        How many candidates of PHIL are trained at a time.
    announce
        Called with the plan before training begins: all settings after all defaults.
    report
        Called with every finished `Iteration`.

    Returns
    -------
    LearnedHeuristic
        The best heuristic on the validation problems, of all iterations.

    Raises
    ------
    InputError
        If an argument is wrong, or nothing can be learned from the problems.

    Examples
    --------
    >>> import phil
    >>> from phil.problems.generated import generate_maps
    >>> maps = generate_maps("forest", 4, seed=0, shape=(31, 31))
    >>> grids = [phil.GridGraph(free) for free in maps]
    >>> some = tuple(phil.Problem(grid, grid.node(30, 0), grid.node(0, 30)) for grid in grids)
    >>> quick = {"iterations": 2, "hard_candidates": 0, "steps": 2, "rollouts": 2}
    >>> heuristic = phil.train(phil.ProblemSet("mine", some, some), settings=quick)
    >>> phil.search(grids[0], (30, 0), (0, 30), heuristic).solved
    True
    """
    run = Run(output, resume, workers, report)
    learn = load_method(method)
    if workers < 1:
        raise InputError(f"there must be at least one worker, not {workers}")
    if resume and not learn.resumable:
        raise InputError(f"a training of {method} cannot be resumed; it is short: begin it again")
    if resume and output is None:
        raise InputError("resume=True needs the output file of the run to continue")
    if output is not None:
        check_writable(output)
    plan = make_plan(
        problems, method=method, preset=preset, seed=seed, settings=settings, features=features
    )
    if announce is not None:
        announce(plan)
    return learn.train(plan, run)


def short_training(
    problems: ProblemSet,
    *,
    output: Path | None = None,
    report: Report | None = None,
) -> LearnedHeuristic:
    """A short training: enough to see whether learning pays on some problems.

    It learns from the train problems alone, so that the validation problems stay unseen: the last
    of the train problems are those to choose by. Two networks that look at no neighbours are
    trained for a few iterations; all else is as the preset `best` has it.
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
