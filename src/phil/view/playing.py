"""The playground in a notebook, which lies in a higher layer and is imported on first use."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any


def play(graph: Any, start: Any, goal: Any, methods: str | Sequence[Any] = ()) -> Any:
    """Race methods on a problem, and show the race in a notebook.

    It can be played, paused and scrubbed, and says of every node when and why it was expanded. The
    widget holds all it needs, so it also works in a notebook that is only viewed.

    Parameters
    ----------
    graph, start, goal
        As for `phil.search`; the graph must be known in full.
    methods : str or sequence, optional
        One to four methods, as for `phil.evaluate`; by default some that suit the problem.

    Returns
    -------
    anywidget.AnyWidget

    Raises
    ------
    InputError
        If the extra `play` is not installed, or a method cannot search the problem.

    Examples
    --------
    >>> import phil
    >>> free = [[True] * 9] * 9
    >>> widget = phil.view.play(free, (8, 0), (0, 8), ["astar", "greedy(euclidean)"])
    >>> sorted(widget.recording)
    ['frames', 'phil', 'version']
    """
    return import_module("phil.play.widget").playground(graph, start, goal, methods)
