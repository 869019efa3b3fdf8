"""Races that play without a server: the frames that a server would have sent."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from phil.errors import InputError
from phil.graphs.distances import costs_to
from phil.play.desk import Desk, first_state
from phil.play.frames import pack
from phil.play.methods import page_method
from phil.play.pictures import problem_frame
from phil.play.protocol import PANES, VERSION
from phil.play.runs import COLUMNS, Order, Run, finite
from phil.play.scenes import Scene
from phil.search import Limits
from phil.search.guide import Heuristic
from phil.search.method import Solver


def record(
    scene: Scene, methods: Sequence[str | Solver], own: Mapping[str, Heuristic] | None = None
) -> dict[str, Any]:
    """Race methods on a problem, and record what a page needs to show it.

    Parameters
    ----------
    scene
        The problem.
    methods
        What to race, one to four.
    own : optional
        Heuristics that the methods may name besides those that have a name anywhere.

    Returns
    -------
    dict
        A recording, as `phil.play.protocol` describes it.

    Raises
    ------
    InputError
        If there is no such method, or it cannot search the problem.
    """
    runs = race(scene, methods, own)
    problem = scene.problem
    distance = costs_to(problem.graph, problem.goal)
    least = float(distance[problem.start])
    ends = {"start": problem.start, "goal": problem.goal}
    state = first_state(scene.source, tuple(run.order.method.text for run in runs))
    state = state.model_copy(update=ends)
    frames = [
        pack(Desk(state=state).welcome()),
        problem_frame(scene),
        pack({"type": "least", **ends, "cost": finite(least)}),
        pack({"type": "distances", "request": 0}, {"distance": distance}),
    ]
    for pane, run in enumerate(runs):
        frames += [run.begin(), *run.details(COLUMNS, pane), run.done(least), run.discovered(pane)]
    return {
        "phil": "recording",
        "version": VERSION,
        "frames": [base64.b64encode(frame).decode() for frame in frames],
    }


def race(
    scene: Scene, methods: Sequence[str | Solver], own: Mapping[str, Heuristic] | None = None
) -> list[Run]:
    """Search a problem with one to four methods (see `record`)."""
    if not 1 <= len(methods) <= PANES:
        raise InputError(f"a race has one to {PANES} methods, not {len(methods)}")
    runs = []
    for pane, each in enumerate(methods):
        solver = page_method(each, own) if isinstance(each, str) else each
        solver.search(scene.problem, Limits(expansions=2))  # so that its time is the search's
        run = Run(Order(scene, pane, pane, solver), lambda frame: None)
        run.run()
        runs.append(run)
    return runs
