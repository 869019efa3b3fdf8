"""A scene shows exactly what the searches did, loads nothing, and runs no one's text."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from importlib.resources import files
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.typing import NDArray

from phil.errors import InputError
from phil.evaluation.methods import parse_method
from phil.graphs import GridGraph
from phil.problems.problem import Problem
from phil.search import Limits, Outcome, Result
from phil.view import Scene, Shot, scene_html
from phil.view.picture import GRADIENT
from phil.view.report import page_html
from phil.view.scene import DIRECTIONS, LEVELS, MOST_NODES, coarser, exposed, mesh, scene_json

maps = arrays(bool, array_shapes(min_dims=3, max_dims=3, min_side=1, max_side=6))
METHODS = ("euclidean", "astar", "wastar(euclidean,2)", "bfs")


def room() -> GridGraph:
    """50 x 50 x 25 cells with furniture on the floor, on the walls, and blocks in the air."""
    free = np.ones((50, 50, 25), bool)
    boxes = np.random.default_rng(0).integers((0, 0, 0), (40, 40, 12), (40, 3))
    for x, y, z in boxes:
        free[x : x + 9, y : y + 7, z * (z > 6) : z + 6] = False
    free[:6, :6] = free[-6:, -6:] = True
    return GridGraph(free, connectivity=6)


@pytest.fixture(scope="module")
def scene() -> Scene:
    graph = room()
    problem = Problem(graph, graph.node(1, 1, 1), graph.node(48, 48, 20))
    shots = [Shot(text, parse_method(text).search(problem, trace=True)) for text in METHODS]
    return Scene("a room", graph, problem.goal, shots)


def with_trace(trace: NDArray[np.int64], expansions: int = 0) -> Result:
    """A search that expanded these nodes and found nothing."""
    nothing = np.zeros(0, np.int64)
    return Result(Outcome.LIMIT, nothing, np.inf, expansions, 0, 0, 0, 0, 0, 0.0, trace)


def scene_of(trace: NDArray[np.int64], shape: tuple[int, int, int]) -> Scene:
    return Scene("s", GridGraph(np.ones(shape, bool)), 0, [Shot("m", with_trace(trace))])


def data_of(html: str) -> dict[str, Any]:
    """What the script of a section reads."""
    (text,) = re.findall(r'<script type="application/json">(.*?)</script>', html)
    document: dict[str, Any] = json.loads(text)
    return document


def levels_of(document: dict[str, Any], shot: int = 0) -> dict[int, int]:
    """The colour of each node of a shot, read as the script does."""
    kept = document["shots"][shot]
    nodes: list[int] = []
    last = 0
    for skipped, length in zip(kept["runs"][::2], kept["runs"][1::2], strict=True):
        nodes += range(last + skipped, last + skipped + length)
        last += skipped + length
    letters = [ord(letter) - document["first"] for letter in kept["levels"]]
    return dict(zip(nodes, letters, strict=True))


def test_it_loads_nothing(scene: Scene) -> None:
    html = page_html("t", [scene_html(scene)], {})
    for word in ("http", "://", "src=", "href", "@import", "url(", "fetch", "XMLHttpRequest"):
        assert word not in html


def test_four_views_are_a_small_page(scene: Scene) -> None:
    assert scene.shots[1].result.expansions > 20_000
    assert len(page_html("t", [scene_html(scene)], {})) < 250_000
    assert sum(map(len, scene_json(scene)["faces"])) < 5 * 3_000


def test_there_is_a_view_for_each_search(scene: Scene) -> None:
    html = scene_html(scene, focus="astar")
    figures = re.findall(r"<figure.*?</figure>", html)
    assert len(figures) == len(METHODS)
    for shot, figure in zip(scene.shots, figures, strict=True):
        assert f"<b>{shot.method}</b>" in figure
        assert f"{shot.result.expansions:,} expansions, " in figure
        assert f"{shot.result.calls:,} calls</span>" in figure
        assert f'tabindex="0" aria-label="{shot.method} in a room: ' in figure
        assert ('class="focus"' in figure) == (shot.method == "astar")


def test_the_script_gets_what_the_search_did(scene: Scene) -> None:
    document = data_of(scene_html(scene))
    assert document["shape"] == [50, 50, 25]
    assert (document["block"], document["goal"]) == (1, scene.goal)
    for number, shot in enumerate(scene.shots):
        trace = shot.result.trace
        assert trace is not None
        kept = document["shots"][number]
        assert set(levels_of(document, number)) == set(trace.tolist())
        assert kept["path"] == shot.result.path.tolist()
        assert kept["start"] == [trace[0]]
        assert kept["every"] == 1


@given(st.lists(st.integers(0, 59), min_size=1, max_size=90))
def test_colours_are_in_the_order_of_first_expansion(trace: list[int]) -> None:
    levels = levels_of(scene_json(scene_of(np.array(trace), (3, 4, 5))))
    firsts = list(dict.fromkeys(trace))
    assert set(levels) == set(firsts)
    in_order = [levels[node] for node in firsts]
    assert in_order == sorted(in_order)
    assert in_order[0] == 0
    if len(firsts) == len(trace) > 1:
        assert in_order[-1] == LEVELS - 1


def test_colours_are_those_of_pictures(scene: Scene) -> None:
    colors = data_of(scene_html(scene))["colors"]
    assert len(colors) == LEVELS
    for color, stop in ((colors[0], GRADIENT[0]), (colors[-1], GRADIENT[-1])):
        assert bytes.fromhex(color[1:]) == bytes(stop.astype(np.uint8))


def test_names_are_escaped(scene: Scene) -> None:
    evil = '</script><script>alert("1")</script>'
    html = scene_html(replace(scene, name=evil, shots=[Shot(evil, scene.shots[0].result)]), evil)
    assert "alert(&quot;1&quot;)" in html
    assert 'alert("1")' not in html
    assert html.count("</script>") == 2


def test_searches_without_a_path_or_an_expansion(scene: Scene) -> None:
    problem = Problem(scene.graph, 0, scene.goal)
    stopped = parse_method("bfs").search(problem, Limits(expansions=5), trace=True)
    shots = [Shot("bfs", stopped), Shot("none", with_trace(np.zeros(0, np.int64)))]
    html = scene_html(replace(scene, shots=shots))
    assert "5 expansions, 5 calls (limit)" in html
    first, second = data_of(html)["shots"]
    assert (first["path"], first["start"]) == ([], [0])
    assert (second["levels"], second["runs"], second["start"]) == ("", [], [])


def test_large_maps_and_searches_are_thinned_and_say_so() -> None:
    shape = (300, 20, 20)
    free = np.ones(shape, bool)
    free[100:140, :, :10] = False
    trace = np.arange(free.size)[free.ravel()]
    shots = [Shot("m", with_trace(trace, trace.size))]
    html = scene_html(Scene("s", GridGraph(free), 0, shots))
    document = data_of(html)
    assert document["block"] == 4
    assert "blocks of 4 x 4 x 4 cells" in html
    assert "one in 2 drawn" in html
    levels = levels_of(document)
    assert MOST_NODES / 2 < len(levels) <= MOST_NODES
    assert set(levels) < set(trace.tolist())
    assert len(html) < 1_000_000


def test_a_map_of_dust_is_drawn_in_blocks() -> None:
    free = np.random.default_rng(0).random((60, 60, 40)) < 0.5
    document = scene_json(Scene("s", GridGraph(free), 0, []))
    assert document["block"] == 2
    assert len(json.dumps(document)) < 1_000_000


def test_what_cannot_be_shown_is_refused(scene: Scene) -> None:
    result = replace(scene.shots[0].result, trace=None)
    with pytest.raises(InputError, match=r"the view of m needs .* trace=True"):
        scene_html(replace(scene, shots=[Shot("m", result)]))
    with pytest.raises(InputError, match="needs a 3D map"):
        scene_html(replace(scene, graph=GridGraph(np.ones((2, 3), bool))))


# A page with as much of a browser as the script asks for; prints what is filled, and how.
BROWSER = """
const [data, script] = JSON.parse(require("fs").readFileSync(0, "utf8"));
const filled = [];
const pen = new Proxy({}, {
  get: (state, name) => name in state ? state[name] : () => {
    if (name === "fill") filled.push([state.fillStyle, state.globalAlpha]);
  },
});
const canvas = {
  clientWidth: 400, clientHeight: 320, getContext: () => pen, addEventListener() {},
};
const section = {
  querySelector: () => ({ textContent: JSON.stringify(data) }), querySelectorAll: () => [canvas],
};
globalThis.document = { currentScript: { closest: () => section } };
globalThis.window = { devicePixelRatio: 1 };
globalThis.getComputedStyle = () => ({ getPropertyValue: () => "#808080" });
globalThis.matchMedia = () => ({ addEventListener() {} });
globalThis.IntersectionObserver = class { observe() {} };
globalThis.ResizeObserver = class { constructor(act) { this.observe = act; } };
globalThis.requestAnimationFrame = (act) => act();
eval(script);
console.log(JSON.stringify(filled));
"""


def filled_by_the_script(document: dict[str, Any]) -> list[tuple[str, float]]:
    """The colour and opacity of everything that the script fills, in order."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node to run the script with")
    script = (files("phil.view") / "scene.js").read_text(encoding="utf-8")
    done = subprocess.run(
        [node, "-e", BROWSER],
        input=json.dumps([document, script]),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [(color, opacity) for color, opacity in json.loads(done.stdout)]


def test_the_script_draws_every_face_that_is_seen() -> None:
    random = np.random.default_rng(0)
    kinds = random.integers(0, 3, (7, 6, 5))  # blocked, free, expanded
    grid = GridGraph(kinds > 0)
    trace = random.permutation(np.flatnonzero(kinds == 2))
    document = scene_json(Scene("s", grid, int(trace[-1]), [Shot("m", with_trace(trace))]))
    filled = filled_by_the_script(document)
    # At first +x, -y and +z look at the viewer.
    seen = [(0, 1), (1, -1), (2, 1)]
    faces = sum(int(exposed(kinds == 2, axis, side).sum()) for axis, side in seen)
    marks = 3 + 2  # of start and goal
    assert sum(opacity == 1 for _, opacity in filled) == faces + marks
    sides = [exposed(kinds == 0, axis, side) for axis, side in seen]
    along_x = np.diff(np.pad(sides[1], ((0, 0), (1, 0), (0, 0))).astype(int), axis=1) == 1
    floor = 1
    obstacles = int(sides[0].sum() + along_x.sum()) + len(document["faces"][4]) // 5
    assert sum(opacity < 1 for _, opacity in filled) == obstacles + floor


def test_the_script_draws_from_far_to_near() -> None:
    """Three expanded cells in a row away from the viewer, then three upwards."""
    for cells in ([(1, 2, 0), (1, 1, 0), (1, 0, 0)], [(1, 1, 0), (1, 1, 1), (1, 1, 2)]):
        grid = GridGraph(np.ones((3, 3, 3), bool))
        trace = np.array([grid.node(*cell) for cell in cells])
        document = scene_json(Scene("s", grid, 0, [Shot("m", with_trace(trace))]))
        shades = [color for color, opacity in filled_by_the_script(document) if opacity == 1][:-5]
        tones = [sum(map(int, re.findall(r"\d+", shade))) for shade in shades]
        assert len(tones) == 3 * 3 - 2  # each of two faces hidden by the next cell
        # From blue to yellow: the last cell's faces are the brightest, and drawn last.
        assert max(tones) == max(tones[-3:])
        assert min(tones) == min(tones[:3])


def faces_one_by_one(blocked: NDArray[np.bool_], axis: int, side: int) -> set[tuple[int, ...]]:
    """(plane, a, b) of every face, by looking at each cell's neighbour."""
    found = set()
    for place in np.argwhere(blocked):
        beside = place.copy()
        beside[axis] += side
        inside = ((beside >= 0) & (beside < blocked.shape)).all()
        if not (inside and blocked[tuple(beside)]):
            plane = place[axis] + (side > 0)
            found.add((int(plane), *(int(place[other]) for other in range(3) if other != axis)))
    return found


@given(maps)
def test_rectangles_cover_every_face_once(blocked: NDArray[np.bool_]) -> None:
    for (axis, side), rectangles in zip(DIRECTIONS, mesh(blocked), strict=True):
        covered = [
            (plane, i, j)
            for plane, a, b, rows, columns in rectangles.tolist()
            for i in range(a, a + rows)
            for j in range(b, b + columns)
        ]
        assert len(covered) == len(set(covered))
        assert set(covered) == faces_one_by_one(blocked, axis, side)


def test_boxes_are_few_rectangles() -> None:
    blocked = np.zeros((50, 50, 25), bool)
    blocked[10:30, 10:20, :8] = blocked[40:50, 5:45, :18] = blocked[3:8, 30:35, 12:17] = True
    assert [len(rectangles) for rectangles in mesh(blocked)] == [3] * 5
    assert not any(map(len, mesh(np.zeros((3, 4, 5), bool))))


@given(maps, st.integers(1, 4))
def test_coarser_blocks_are_blocked_by_majority(blocked: NDArray[np.bool_], factor: int) -> None:
    blocks = coarser(blocked, factor)
    assert blocks.shape == tuple(-(-side // factor) for side in blocked.shape)
    for place in np.ndindex(blocks.shape):
        cells = blocked[tuple(slice(k * factor, (k + 1) * factor) for k in place)]
        if cells.shape == (factor,) * 3:  # those at the far ends are filled up with their last cell
            assert blocks[place] == (2 * cells.sum() >= cells.size)
