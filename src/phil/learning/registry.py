"""The learning methods: one line each; the module declares everything else as `METHOD`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from phil.errors import unknown_name

if TYPE_CHECKING:
    from phil.heuristics.file import LearnedHeuristic
    from phil.learning.defaults import Default
    from phil.learning.oracle import OracleProblems, SolvableProblems
    from phil.learning.plan import Candidate, Plan
    from phil.learning.progress import RunOptions
    from phil.problems.problem import ProblemSet

_MODULES = {
    "phil": "phil.learning.competition",
    "sail": "phil.learning.baselines.sail",
    "supervised": "phil.learning.baselines.supervised",
    "cem": "phil.learning.baselines.cem",
    "q_learning": "phil.learning.baselines.q_learning",
    "neural_astar": "phil.learning.baselines.neural_astar",
}
METHODS = tuple(_MODULES)  # names; the first is the default
_UNLISTED = {"own": "phil.learning.own.training"}  # it needs a class of the user's


@dataclass(frozen=True)
class LearningMethod:
    """A method of learning heuristics."""

    title: str  # a short description
    settings: type[Any]  # a pydantic model whose fields have descriptions
    # From problems, preset, changes and the recipe of added features: all settings, and those
    # derived from the graphs.
    resolve: Callable[[ProblemSet, str, Mapping[str, Any], str], tuple[Any, tuple[Default, ...]]]
    train: Callable[[Plan[Any], RunOptions], LearnedHeuristic]
    # From settings, training and validation problems: the networks that compete.
    candidates: Callable[[Any, OracleProblems, SolvableProblems], tuple[Candidate, ...]] = (
        lambda *_: ()
    )
    resumable: bool = False


def load_method(name: str) -> LearningMethod:
    """A method by name; its module is imported on demand.

    >>> load_method("cem").title
    'the cross-entropy method'
    """
    modules = _MODULES | _UNLISTED
    if name not in modules:
        raise unknown_name("method", name, METHODS)
    method: LearningMethod = import_module(modules[name]).METHOD
    return method
