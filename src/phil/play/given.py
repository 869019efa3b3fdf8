"""What `phil play` was asked to show: a map, a graph, a problem set, or a saved state."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from phil.errors import InputError
from phil.evaluation import parse_method
from phil.graphs.formats import read_graph
from phil.heuristics.registry import PREFIX, heuristics, load_heuristic
from phil.play.desk import Desk, first_state
from phil.play.dropped import STATE_BYTES, parse_state
from phil.play.ends import far_apart
from phil.play.protocol import PANES, GivenProblem, PaneState
from phil.play.scenes import Library, Scene
from phil.problems.problem import SPLITS, Problem, ProblemSet
from phil.problems.registry import open_set
from phil.search.guide import Heuristic

MOST_PROBLEMS = 100  # of a set


def open_desk(
    name: str | None,
    methods: Sequence[str] = (),
    *,
    weight: str | None = None,
    load: Callable[[str], Heuristic] = load_heuristic,
) -> tuple[Desk, Scene]:
    """What a playground shows, and its first scene.

    Parameters
    ----------
    name : str, optional
        A file of a map, a graph or a state; or a problem set. By default, the first preset.
    methods
        What to race; by default, methods that suit the problem.
    weight : str, optional
        The edge attribute of a graph file to use as weight.
    load : callable, optional
        What gives the heuristics that methods name; by default `phil.load`.

    Raises
    ------
    InputError
        If there is no such file or set, or no such method.
    """
    if len(methods) > PANES:
        raise InputError(f"the playground races up to {PANES} methods, not {len(methods)}")
    own = _heuristics_of(methods, load)
    problems: Sequence[Problem] = ()
    state, is_file = None, False
    if name is None:
        state = first_state()
    else:
        path = Path(name)
        document = _json(path) if path.is_file() else None
        is_file = document is None and path.is_file()
        if document is not None:
            state = parse_state(document, name)
        elif is_file:
            graph = read_graph(path, weight=weight)
            problems = (Problem(graph, *far_apart(graph), name=path.name),)
        else:
            problems = _problems(open_set(name, weight=weight))
    if state is None:
        state = first_state(GivenProblem(source="given"))
    library = Library(problems, name or "")
    scene = library.open(state.problem, state.start, state.goal)
    if methods or len(problems):
        chosen = [PaneState(method=each) for each in methods or scene.methods]
        state = state.model_copy(update={"panes": chosen})
    return Desk(problems, name or "", is_file, state, own), scene


def _heuristics_of(
    methods: Sequence[str], load: Callable[[str], Heuristic]
) -> dict[str, Heuristic]:
    """The heuristics that the methods name, by those names: pages may use these, too."""
    found: dict[str, Heuristic] = {}

    def keep(name: str) -> Heuristic:
        heuristic = load(name)
        if name not in heuristics() and not name.startswith(PREFIX):
            found[name] = heuristic
        return heuristic

    for method in methods:
        parse_method(method, load=keep)
    return found


def _problems(opened: ProblemSet) -> Sequence[Problem]:
    """The first problems of a set: those for tests, if there are any."""
    for split in reversed(SPLITS):
        problems = opened.split(split)
        if len(problems):
            return problems[:MOST_PROBLEMS]  # which may be read only when they are opened
    raise InputError(f"{opened.name} has no problems")


def _json(path: Path) -> Any | None:
    """The document in a file, if it is a state of a playground."""
    if path.suffix.lower() != ".json" or path.stat().st_size > STATE_BYTES:
        return None
    try:
        document = json.loads(path.read_bytes())
    except (ValueError, RecursionError, OSError):
        return None
    is_state = isinstance(document, dict) and document.get("phil") == "playground"
    return document if is_state else None
