"""The command and the Python lines that do what a pane does."""

from __future__ import annotations

import shlex

from phil.graphs import AnyGraph
from phil.play.protocol import GivenProblem
from phil.play.scenes import Scene


def file_name(scene: Scene) -> str:
    """The file that the page offers to save the map or graph to; it keeps the rules for moves."""
    return "map.npz" if scene.graph.is_grid else "graph.npz"


def equivalent(
    scene: Scene,
    given: str,
    method: str,
    bound: float | None = None,
    anytime: bool = False,
    limit: int | None = None,
) -> dict[str, object]:
    """The command and the Python lines.

    Parameters
    ----------
    scene
        The problem.
    given
        The file that the command line named, if the scene is from there.
    method, bound, anytime, limit
        How it is searched.

    Returns
    -------
    dict
        `command`, `python` and `needs`: the files that both read, and that must be saved first.
    """
    from_file = isinstance(scene.source, GivenProblem) and bool(given)
    path = given if from_file else file_name(scene)
    start, goal = (_named(scene.graph, end) for end in (scene.problem.start, scene.problem.goal))
    options = ["phil", "solve", path, "--start", start, "--goal", goal, "-m", method]
    if bound is not None:
        options += ["--bound", f"{bound:g}"]
    if anytime:
        options += ["--anytime"]
    if limit is not None:
        options += ["--limit", str(limit)]
    return {
        "command": shlex.join(options),
        "python": _python(scene, path, method, bound, anytime, limit),
        "needs": [] if from_file else [path],
    }


def _named(graph: AnyGraph, node: int) -> str:
    name = graph.node_name(node)
    return ",".join(map(str, name)) if isinstance(name, list) else str(name)


def _python(
    scene: Scene, path: str, method: str, bound: float | None, anytime: bool, limit: int | None
) -> str:
    problem = scene.problem
    ends = ", ".join(repr(scene.graph.user_node(end)) for end in (problem.start, problem.goal))
    limits = "" if limit is None else f"limits=phil.Limits(expansions={limit})"
    lines = ["import phil", "", f"graph = phil.read_graph({path!r})"]
    if anytime:
        bounded = "" if bound is None else f".with_bound({bound:g})"
        more = f", {limits}" if limits else ""
        return "\n".join(
            [
                "from phil.evaluation import parse_method",
                *lines,
                f"problem = phil.Problem(graph, {ends})",
                f"method = parse_method({method!r}){bounded}",
                f"for result in method.anytime(problem{more}):",
                "    print(result)",
            ]
        )
    options = [limits, "" if bound is None else f"bound={bound:g}", "trace=True"]
    more = ", ".join(option for option in options if option)
    return "\n".join(
        [*lines, f"result = phil.search(graph, {ends}, {method!r}, {more})", "print(result)"]
    )
