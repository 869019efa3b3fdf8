"""Searches on 3D maps as self-contained interactive views in the browser."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.arguments import TEXT, of_type, takes
from phil.errors import InputError
from phil.graphs import GridGraph
from phil.view.markup import escape
from phil.view.picture import HALO, PATH, gradient
from phil.view.report import Shot, count_text, legend_html

LEVELS = 64  # colours of expanded nodes, written as one letter each
FIRST_LETTER = ord("?")  # of the 64 letters from here on, all but one need no escaping in JSON
MOST_SIDE = 128  # a view of a few hundred pixels cannot show finer obstacles
MOST_RECTANGLES = 40_000  # of obstacles; with more, rotation is no longer smooth
MOST_NODES = 60_000  # expanded nodes drawn in a view

# (axis, side) of the faces drawn. Views are from above, so faces that point down are never seen.
DIRECTIONS = ((0, 1), (0, -1), (1, 1), (1, -1), (2, 1))

HINT = (
    "Drag to rotate, pinch (or click and scroll) to zoom, double-click to reset; or use the arrow "
    "keys, + and -, and 0."
)


@dataclass(frozen=True)
class Scene:
    """Searches of one or more methods on one 3D map.

    Parameters
    ----------
    name : str
        The heading.
    graph : GridGraph
        The 3D map.
    goal : int
        The goal node.
    shots : sequence of Shot
        The searches, each run with `trace=True`.
    """

    name: str
    graph: GridGraph
    goal: int
    shots: Sequence[Shot]


@takes(scene=of_type("a Scene", Scene), focus=TEXT)
def scene_html(scene: Scene, focus: str = "") -> str:
    """Draw a scene as a section of an HTML page (see `page_html`), with one view per search.

    Obstacles are grey, expanded nodes go from blue (first) to yellow (last), and the path is a red
    line from the ring (start) to the disc (goal). Large maps are drawn with coarser obstacles, and
    large searches with only some of their nodes; the page says so.

    Parameters
    ----------
    scene : Scene
        The searches to draw.
    focus : str, optional
        The method to emphasise.

    Returns
    -------
    str

    Raises
    ------
    InputError
        If the map is 2D, or a search has no trace.

    Examples
    --------
    >>> import phil
    >>> grid = phil.GridGraph(np.ones((5, 4, 3), bool), connectivity=6)
    >>> goal = grid.node(4, 3, 2)
    >>> result = phil.search(grid, (0, 0, 0), goal, phil.load("euclidean"), trace=True)
    >>> html = scene_html(Scene("room", grid, goal, [Shot("euclidean", result)]))
    >>> html.count("<canvas"), "10 expansions" in html
    (1, True)
    """
    document = scene_json(scene)
    block = document["block"]
    notes = [HINT]
    if block > 1:
        notes.append(f"Obstacles are drawn in blocks of {block} x {block} x {block} cells.")
    figures = "\n".join(
        _figure(scene, shot, kept["every"], shot.method == focus)
        for shot, kept in zip(scene.shots, document["shots"], strict=True)
    )
    text = json.dumps(document, separators=(",", ":")).replace("<", "\\u003c")
    return (
        f"<section><h3>{escape(scene.name)}</h3>\n"
        f'<p class="quiet">{escape(" ".join(notes))}</p>\n{legend_html("var(--solid)")}\n'
        f'<div class="scenes">\n{figures}\n</div>\n'
        "<noscript><p>The views need JavaScript: allow this page to run its script.</p>"
        "</noscript>\n"
        f'<script type="application/json">{text}</script>\n'
        f"<script>{_script()}</script></section>"
    )


def scene_json(scene: Scene) -> dict[str, Any]:
    """The data for the script: numbers and short strings only.

    The nodes of a shot are `runs` of ids (how many to skip, how many are consecutive), with one
    letter of `levels` per node that gives its index in `colors`.
    """
    if scene.graph.free.ndim != 3:
        raise InputError("an interactive view needs a 3D map; draw a 2D map as a picture")
    block, rectangles = _surface(~scene.graph.free)
    colors = gradient(np.linspace(0, 1, LEVELS))
    return {
        "shape": list(scene.graph.shape),
        "block": block,
        "faces": [rows.ravel().tolist() for rows in rectangles],
        "colors": ["#" + bytes(color.tolist()).hex() for color in colors],
        "path": f"rgb{PATH}",
        "halo": f"rgb{HALO}",
        "first": FIRST_LETTER,
        "goal": scene.goal,
        "shots": [_shot_json(shot) for shot in scene.shots],
    }


def _surface(blocked: NDArray[np.bool_]) -> tuple[int, list[NDArray[np.int64]]]:
    """The side of the blocks that obstacles are drawn in, and the rectangles of their surface."""
    block = 1
    while max(blocked.shape) > MOST_SIDE * block:
        block *= 2
    while True:
        rectangles = mesh(blocked if block == 1 else coarser(blocked, block))
        if sum(map(len, rectangles)) <= MOST_RECTANGLES:
            return block, rectangles
        block *= 2


def _shot_json(shot: Shot) -> dict[str, Any]:
    trace = shot.result.trace
    if trace is None:
        raise InputError(
            f"the view of {shot.method} needs the order of expansions; search again with "
            "search(..., trace=True)"
        )
    nodes, first = np.unique(trace, return_index=True)
    every = -(-nodes.size // MOST_NODES)
    if every > 1:
        kept = np.sort(np.argsort(first)[::every])
        nodes, first = nodes[kept], first[kept]
    levels = (first / max(1, trace.size - 1) * (LEVELS - 1)).round().astype(np.uint8)
    return {
        "runs": _runs(nodes),
        "levels": (levels + FIRST_LETTER).tobytes().decode("ascii"),
        "path": shot.result.path.tolist(),
        "start": trace[:1].tolist(),
        "every": max(1, every),
    }


def _runs(nodes: NDArray[np.int64]) -> list[int]:
    """Ascending ids as pairs: how many ids to skip, how many are consecutive.

    >>> _runs(np.array([3, 4, 5, 9]))
    [3, 3, 3, 1]
    """
    begins = np.flatnonzero(np.diff(nodes, prepend=-2) > 1)
    lengths = np.diff(np.append(begins, nodes.size))
    ends = nodes[begins] + lengths
    gaps = nodes[begins] - np.concatenate([[0], ends[:-1]])[: begins.size]
    pairs: list[int] = np.stack([gaps, lengths], axis=1).ravel().tolist()
    return pairs


def _figure(scene: Scene, shot: Shot, every: int, focus: bool) -> str:
    count = count_text(shot.result)
    if every > 1:
        count += f", one in {every} drawn"
    label = escape(f"{shot.method} in {scene.name}: {count}. 3D view; the arrow keys rotate it.")
    kind = "focus" if focus else "plain"
    return (
        f'<figure class="{kind}"><canvas role="img" tabindex="0" aria-label="{label}"></canvas>'
        f"<figcaption><b>{escape(shot.method)}</b><span>{count}</span></figcaption></figure>"
    )


def _script() -> str:
    return (files("phil.view") / "scene.js").read_text(encoding="utf-8")


def mesh(blocked: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
    """The non-overlapping rectangles that make up the surface, for each of `DIRECTIONS`.

    A row is (plane, first a, first b, length along a, length along b), where a and b are the other
    two axes in order. A face is between a blocked cell and one that is free or outside the map.

    >>> [len(rectangles) for rectangles in mesh(np.ones((2, 3, 4), bool))]
    [1, 1, 1, 1, 1]
    >>> mesh(np.ones((2, 3, 4), bool))[4]
    array([[4, 0, 0, 2, 3]])
    """
    return [_rectangles(exposed(blocked, axis, side), side) for axis, side in DIRECTIONS]


def exposed(blocked: NDArray[np.bool_], axis: int, side: int) -> NDArray[np.bool_]:
    """Which blocked cells have no blocked neighbour on that side, with the axis moved first."""
    cells = np.moveaxis(blocked, axis, 0)
    beside = np.zeros_like(cells)
    if side > 0:
        beside[:-1] = cells[1:]
    else:
        beside[1:] = cells[:-1]
    return cells & ~beside


def coarser(blocked: NDArray[np.bool_], factor: int) -> NDArray[np.bool_]:
    """The map in blocks of cells; a block is blocked if at least half of its cells are.

    >>> coarser(np.ones((5, 4, 3), bool), 2).shape
    (3, 2, 2)
    """
    whole = np.pad(blocked, [(0, -side % factor) for side in blocked.shape], mode="edge")
    split = [part for side in whole.shape for part in (side // factor, factor)]
    return np.asarray(whole.reshape(split).mean(axis=(1, 3, 5)) >= 0.5)


def _rectangles(faces: NDArray[np.bool_], side: int) -> NDArray[np.int64]:
    """Runs along the last axis; equal runs in adjacent rows become one rectangle."""
    edges = np.diff(np.pad(faces, ((0, 0), (0, 0), (1, 1))).astype(np.int8), axis=2)
    layer, row, first = np.nonzero(edges == 1)
    last = np.nonzero(edges == -1)[2]
    order = np.lexsort((row, last, first, layer))
    layer, row, first, last = (column[order] for column in (layer, row, first, last))
    joined = (
        (np.diff(layer) == 0) & (np.diff(first) == 0) & (np.diff(last) == 0) & (np.diff(row) == 1)
    )
    begins = np.flatnonzero(np.concatenate([np.ones(min(1, row.size), bool), ~joined]))
    rows = np.diff(np.append(begins, row.size))
    columns = (layer + (side > 0), row, first)
    return np.stack([*(column[begins] for column in columns), rows, (last - first)[begins]], axis=1)
