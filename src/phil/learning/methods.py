"""Every way to learn a heuristic, by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from phil.errors import InputError, unknown_name
from phil.files import check_writable
from phil.graphs.features import canonical
from phil.heuristics.file import LearnedHeuristic
from phil.learning.baselines.baseline import (
    BaselineSettings,
    Begin,
    baseline_settings,
    train_baseline,
)
from phil.learning.baselines.cem import Cem, CemSettings
from phil.learning.baselines.neural_astar import NeuralAstar, NeuralAstarSettings
from phil.learning.baselines.q_learning import QLearning, QLearningSettings
from phil.learning.baselines.sail import Sail, SailSettings
from phil.learning.baselines.supervised import Supervised, SupervisedSettings
from phil.learning.defaults import usual_features
from phil.learning.progress import Report
from phil.learning.trainer import train_phil
from phil.problems.problem import ProblemSet

PHIL = "phil"
AUTO = "auto"
WORKERS = 2  # candidates of PHIL trained at a time; each uses one core


BASELINES: dict[str, tuple[type[BaselineSettings], Begin]] = {
    "sail": (SailSettings, Sail),
    "supervised": (SupervisedSettings, Supervised),
    "cem": (CemSettings, Cem),
    "q_learning": (QLearningSettings, QLearning),
    "neural_astar": (NeuralAstarSettings, NeuralAstar),
}
METHODS = (PHIL, *BASELINES)


def train(
    problems: ProblemSet,
    *,
    method: str = PHIL,
    preset: str = "best",
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    features: str = AUTO,
    output: Path | None = None,
    resume: bool = False,
    workers: int = WORKERS,
    report: Report | None = None,
) -> LearnedHeuristic:
    """Learn a heuristic from the train and validation problems of a set.

    `settings` changes single settings of the preset (see `phil.learning.settings`), or of a
    baseline (see `phil.learning.baselines`). `features` is a recipe of features that are added to
    those of general graphs (see `phil.graphs.features`); by default what pays for such graphs (see
    `phil.learning.defaults`), with "" none. With `output` the heuristic is written there, with a
    log of every iteration beside it; PHIL also keeps every iteration, so that `resume=True`
    continues a run that was cut off. `workers` candidates of PHIL are trained at a time.

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
    if method not in METHODS:
        raise unknown_name("method", method, METHODS)
    if seed < 0:
        raise InputError(f"the seed must not be negative: {seed}")
    if workers < 1:
        raise InputError(f"there must be at least one worker, not {workers}")
    if output is not None:
        check_writable(output)
    recipe = usual_features(problems) if features == AUTO else canonical(features)
    problems = problems.with_features(recipe)
    if method == PHIL:
        return train_phil(
            problems,
            preset=preset,
            seed=seed,
            settings=settings,
            features=recipe,
            output=output,
            resume=resume,
            workers=workers,
            report=report,
        )
    if preset != "best":
        raise InputError(f"{method} has no preset {preset}; presets are PHIL's alone")
    if resume:
        raise InputError(f"a training of {method} cannot be resumed; it is short: begin it again")
    kind, begin = BASELINES[method]
    chosen = baseline_settings(kind, method, settings or {})
    return train_baseline(
        problems,
        method,
        begin,
        chosen,
        features=recipe,
        seed=seed,
        output=output,
        report=report,
    )
