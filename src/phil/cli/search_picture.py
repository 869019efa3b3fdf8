"""The picture of a search as `phil solve` writes it: PNG, or of a 3D map a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from phil.errors import InputError
from phil.files import write_atomic

if TYPE_CHECKING:
    from phil.graphs import AnyGraph, GridGraph
    from phil.problems.problem import Problem
    from phil.search import Result

PICTURE, PAGE = ".png", ".html"


def check_ending(path: Path) -> None:
    """Refuse a name that is neither that of a picture nor of a page."""
    if path.suffix.lower() not in (PICTURE, PAGE):
        raise InputError(
            f"--picture {path}: pictures are PNG files; end the name in {PICTURE} (of a 3D map: "
            f"{PAGE})"
        )


def check_drawable(path: Path, graph: AnyGraph) -> None:
    """Refuse a graph without places to draw its nodes at, and a name that does not fit it."""
    if not graph.is_drawable:
        raise InputError(
            f"--picture {path}: pictures are of maps and of graphs whose nodes have coordinates"
        )
    page = path.suffix.lower() == PAGE
    if graph.axes == 3 and not page:
        raise InputError(
            f"--picture {path}: a 3D map is drawn as a page whose view can be turned; end the "
            f"name in {PAGE}"
        )
    if page and graph.axes != 3:
        raise InputError(
            f"--picture {path}: only 3D maps are drawn as a page; end the name in {PICTURE}"
        )


def draw(path: Path, graph_file: Path, problem: Problem, method: str, result: Result) -> None:
    """Write the picture of a search that was run with `trace=True`."""
    graph = problem.graph
    if graph.axes == 3:
        page = _page(graph_file, graph, problem, method, result)
        write_atomic(path, page.encode())
    elif graph.is_grid:
        from phil.view.picture import save_picture

        save_picture(path, graph, result, goal=problem.goal)
    else:
        from phil.view.graph_picture import save_graph_picture

        save_graph_picture(path, graph, result, goal=problem.goal)


def _page(graph_file: Path, graph: GridGraph, problem: Problem, method: str, result: Result) -> str:
    from phil.view.report import Shot, page_html
    from phil.view.scene import Scene, scene_html

    size = " x ".join(map(str, graph.shape))
    scene = Scene(f"{size} cells", graph, problem.goal, [Shot(method, result)])
    facts = {
        "map": str(graph_file),
        "start": ", ".join(map(str, graph.cell(problem.start))),
        "goal": ", ".join(map(str, graph.cell(problem.goal))),
        "method": method,
        "outcome": str(result.outcome),
    }
    if result.solved:
        facts["path"] = f"{result.length} moves, cost {result.cost:.2f}"
    return page_html(f"A search in {graph_file.name}", [scene_html(scene)], facts)
