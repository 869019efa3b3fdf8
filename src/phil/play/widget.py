"""The playground as a widget of notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from phil.errors import InputError
from phil.evaluation.methods import as_method
from phil.graphs import ImplicitGraph
from phil.play.bundle import page_script, page_style
from phil.play.protocol import GivenProblem, MapProblem
from phil.play.recording import record
from phil.play.scenes import Scene, check_size, encode_cells, methods_for
from phil.problems.problem import Problem

try:
    import anywidget
    import traitlets
except ImportError as error:
    raise InputError(
        'the playground in notebooks needs anywidget: pip install "phil-search[play]"'
    ) from error

RENDER = """
export default {
  render({ model, el }) {
    const root = document.createElement("div");
    root.className = "phil-play";
    el.append(root);
    return startPlayground(root, recordingTransport(model.get("recording")));
  },
};
"""


class Playground(anywidget.AnyWidget):
    """A recorded race; the page's own modules show it."""

    _esm = page_script() + RENDER
    _css = page_style()
    recording = traitlets.Dict().tag(sync=True)


def playground(graph: Any, start: Any, goal: Any, methods: str | Sequence[Any] = ()) -> Playground:
    """A widget with a race of methods (see `phil.view.play`)."""
    problem = Problem(graph, start, goal)
    if isinstance(problem.graph, ImplicitGraph):
        raise InputError("an ImplicitGraph is not known in full, so that it cannot be drawn")
    check_size(problem.graph)
    listed = [methods] if isinstance(methods, str) else list(methods)
    solvers = [as_method(each) for each in listed or methods_for(problem)]
    for given, solver in zip(listed, solvers, strict=False):
        if solver is NotImplemented:
            raise InputError(f"a method is a name such as 'astar', or a heuristic, not {given!r}")
    scene = Scene(problem, _source(problem), problem.name or "Race")
    return Playground(recording=record(scene, solvers))


def _source(problem: Problem) -> MapProblem | GivenProblem:
    """How another playground can open the problem: a map is told whole."""
    graph = problem.graph
    if not graph.is_grid:
        return GivenProblem(source="given")
    return MapProblem(
        source="map",
        shape=list(graph.shape),
        cells=encode_cells(graph.free),
        connectivity=graph.connectivity,
        corners=graph.corners,
    )
