"""Training a heuristic by any method: make the plan, announce it, and carry it out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from phil.arguments import (
    FILE,
    FLAG,
    FUNCTION,
    MAPPING,
    NOTHING,
    TEXT,
    WHOLE,
    of_type,
    takes,
)
from phil.errors import InputError, shortened
from phil.files import check_writable
from phil.heuristics.file import OWN, LearnedHeuristic
from phil.heuristics.own import MakeNetwork
from phil.learning.plan import AUTO, Plan, make_plan
from phil.learning.progress import Report, RunOptions
from phil.learning.registry import METHODS, load_method
from phil.learning.threads import workers_on
from phil.problems.domain import Domain
from phil.problems.problem import PROBLEM_SET, ProblemSet, for_learning
from phil.workers import LOCAL, ON, Workers

DISPLAY = "phil.cli.display"  # in a higher layer: what the command shows
WORKERS = 2  # candidates of PHIL trained in parallel; each uses one core

# Of a short training run:
ITERATIONS = 10
MOST_TRAINING = 200  # training problems
ONE_IN = 6  # one of this many training problems is used for validation
MOST_VALIDATION = 30
# Look-ahead, which is what costs time, is off: the network sees only the node itself.
# (generated/shifting_gaps, validation problems: 388 neighbour calls and 1.3 ms per query; with
# look-ahead 1,145 and 2.0 ms)
NO_LOOKAHEAD = {"neighbors": 0, "walls": False}


@takes(
    problems=of_type("a Domain", Domain) | PROBLEM_SET,
    method=TEXT,
    preset=TEXT,
    seed=WHOLE,
    settings=MAPPING | NOTHING,
    features=TEXT,
    network=FUNCTION | NOTHING,
    output=FILE | NOTHING,
    resume=FLAG,
    workers=WHOLE,
    announce=FUNCTION | NOTHING,
    report=FUNCTION | NOTHING,
    progress=FLAG,
    on=ON,
)
def train(
    problems: ProblemSet | Domain[Any] | Any,
    *,
    method: str = "phil",
    preset: str = "best",
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    features: str = AUTO,
    network: MakeNetwork | None = None,
    output: str | Path | None = None,
    resume: bool = False,
    workers: int = WORKERS,
    announce: Callable[[Plan[Any]], None] | None = None,
    report: Report | None = None,
    progress: bool = True,
    on: str | Workers = LOCAL,
) -> LearnedHeuristic:
    """Train a heuristic on the training and validation problems of a set, or on a domain.

    Parameters
    ----------
    problems : ProblemSet or Domain
        The problem set, or what `phil.open_set` takes for one: a name, a file or folder, a graph,
        or a list of graphs or problems. Its test problems are not used. On a `phil.Domain`, PHIL is
        trained with the preset "best" and the features of its graph, and a run cannot be resumed.
    method : str, optional
        The learning method: "phil" or a baseline (see `phil.learning.METHODS`).
    preset : str, optional
        The base settings of PHIL: "best"; "paper", the published method; or "paper-printed", with
        its settings to the letter.
    seed : int, optional
        The random seed; the same seed gives the same heuristic.
    settings : mapping, optional
        Changes to single settings, by name (see `phil.learning.TrainingSettings`).
    features : str, optional
        Recipe of the features to add to those of the graphs (see `phil.graphs.features`). By
        default, those that suit the graphs; "" adds none.
    network : callable, optional
        A torch network of your own to train in place of PHIL's: a class, or a function, that makes
        a `torch.nn.Module` from the number of features of a node (docs/extend.md says what the
        network is given). Its runs cannot be resumed.
    output : str or Path, optional
        The file to write the heuristic to. A log of all iterations is written next to it, and
        until training is done also a checkpoint (PHIL only).
    resume : bool, optional
        Whether to continue an interrupted run from its checkpoint (PHIL only).
    workers : int, optional
        How many threads of this process train candidates; those without one make roll-outs for
        the others (PHIL only).
    announce : callable, optional
        Called with the plan before training starts; the plan has all settings after all defaults.
    report : callable, optional
        Called with each finished `phil.learning.Iteration`.
    progress : bool, optional
        Whether to show the progress of the run in a terminal or a notebook, unless there is a
        `report`. Nothing is shown elsewhere.
    on : str or Workers, optional
        Where to train: "local", in threads of this process; "processes" or "processes:N"; or "ray"
        (see `phil.open_workers`). Distances of the training problems, candidates, roll-outs and
        tuning are spread, for PHIL; of other methods, the distances. The heuristic is the same
        everywhere.

    Returns
    -------
    LearnedHeuristic
        The heuristic of the iteration that was best on the validation problems.

    Raises
    ------
    InputError
        If an argument is invalid, or nothing can be learned from the problems.

    Examples
    --------
    >>> import phil
    >>> from phil.problems.generated import generate_maps
    >>> maps = generate_maps("forest", 4, seed=0, shape=(31, 31))
    >>> grids = [phil.GridGraph(free) for free in maps]
    >>> some = tuple(phil.Problem(grid, grid.node(30, 0), grid.node(0, 30)) for grid in grids)
    >>> quick = {"iterations": 2, "hard_candidates": 0, "steps": 2, "rollouts": 2, "tune": 0}
    >>> heuristic = phil.train(phil.ProblemSet("mine", some, some), settings=quick)
    >>> phil.search(grids[0], (30, 0), (0, 30), heuristic).solved
    True
    """
    output = None if output is None else Path(output)
    if network is not None:
        method = _own_method(method, problems)
    learn = load_method(method)
    if workers < 1:
        raise InputError(f"workers must be at least 1, not {workers}")
    if resume and not learn.resumable:
        raise InputError(f"training runs of {method} cannot be resumed; start a new one")
    if resume and output is None:
        raise InputError("resume=True needs the output file of the interrupted run")
    if output is not None:
        check_writable(output)
    if isinstance(problems, Domain):
        from phil.learning.domain_plan import plan_for_domain
        from phil.learning.domain_training import train_on_domain

        if resume:
            raise InputError("training runs on a domain cannot be resumed; start a new one")
        on_domain = plan_for_domain(
            problems, method=method, preset=preset, seed=seed, settings=settings, features=features
        )
        if announce is not None:
            announce(on_domain)
        run = RunOptions(output, report=report, network=network)
        with _showing(run, progress) as shown:
            return train_on_domain(problems, on_domain, shown)
    problems = for_learning(problems, "training")
    with workers_on(on, workers) as opened:
        plan = make_plan(
            problems,
            method=method,
            preset=preset,
            seed=seed,
            settings=settings,
            features=features,
            workers=opened,
        )
        if announce is not None:
            announce(plan)
        run = RunOptions(output, resume, opened, report, network)
        with _showing(run, progress) as shown:
            return learn.train(plan, shown)


@contextmanager
def _showing(run: RunOptions, progress: bool) -> Iterator[RunOptions]:
    """The options with a report to a display, if there is a need for it and a place."""
    if not progress or run.report is not None:
        yield run
        return
    with import_module(DISPLAY).training_progress() as report:
        yield replace(run, report=report)


def _own_method(method: str, problems: ProblemSet | Domain[Any]) -> str:
    """The method that trains a network of the user's own."""
    if method not in (METHODS[0], OWN):
        raise InputError(
            f"network= is trained by PHIL's roll-outs, but method is {shortened(method)}, which "
            "has a network of its own; leave out one of them"
        )
    if isinstance(problems, Domain):
        raise InputError("on a domain, PHIL trains its own network; leave out network=")
    return OWN


@takes(
    problems=PROBLEM_SET,
    output=FILE | NOTHING,
    report=FUNCTION | NOTHING,
    on=ON,
)
def short_training(
    problems: ProblemSet,
    *,
    output: str | Path | None = None,
    report: Report | None = None,
    on: str | Workers = LOCAL,
) -> LearnedHeuristic:
    """Train briefly: enough to see whether learning pays off on some problems.

    Two networks without look-ahead are trained for a few iterations, otherwise with the preset
    `best`. Only the training problems are used, the last of them for validation, so that the
    validation problems of the set stay unseen.

    Parameters
    ----------
    problems : ProblemSet
        The problem set; only its training problems are used.
    output : Path, optional
        The file to write the heuristic to.
    report : callable, optional
        Called with each finished `phil.learning.Iteration`.
    on : str or Workers, optional
        Where to train, as for `phil.train`.

    Returns
    -------
    LearnedHeuristic

    Raises
    ------
    InputError
        If there are too few training problems, or the file cannot be written.
    """
    given = problems.train
    held_out = min(MOST_VALIDATION, max(1, len(given) // ONE_IN))
    if len(given) <= held_out:
        raise InputError(
            f"{problems.name} has only {len(given)} training problems, too few to learn from; draw "
            "more with --pairs random --count 100"
        )
    settings = {
        "iterations": ITERATIONS,
        "candidates": 2,
        "plain": 0,
        "hard_candidates": 0,
        "tune": 0,
    }
    settings |= NO_LOOKAHEAD
    seen = ProblemSet(
        problems.name, train=given[:-held_out][:MOST_TRAINING], validation=given[-held_out:]
    )
    return train(seen, settings=settings, output=output, report=report, progress=False, on=on)
