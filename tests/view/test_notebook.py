"""What notebooks show: facts that are true, pictures that are small, and no foreign HTML."""

from __future__ import annotations

import base64
import io
import re

import numpy as np
import pytest
from PIL import Image

import phil
from phil.problems.problem import Problem, ProblemSet


def images(html: str) -> list[Image.Image]:
    """The pictures in a text of HTML."""
    found = re.findall(r'src="data:image/png;base64,([^"]+)"', html)
    return [Image.open(io.BytesIO(base64.b64decode(each))) for each in found]


def test_a_result_is_drawn_with_its_numbers() -> None:
    grid = phil.GridGraph(np.ones((40, 60), bool))
    result = phil.search(grid, (39, 0), (0, 59), "astar", trace=True)
    html = result._repr_html_()
    [drawn] = images(html)
    assert max(drawn.size) == 240
    for fact in ("solved", f"{result.expansions:,}", f"{result.cost:.5g}", "ms"):
        assert fact in html


def test_a_result_without_a_trace_or_a_path_has_facts_only() -> None:
    html = phil.search([[True, False, True]], (0, 0), (0, 2), "bfs")._repr_html_()
    assert images(html) == []
    assert "unreachable" in html
    assert "cost" not in html


def test_a_bounded_result_says_what_is_proven() -> None:
    html = phil.search([[True] * 5] * 5, (4, 0), (0, 4), "euclidean", bound=1.5)._repr_html_()
    assert "at most 1 times the optimum" in html


@pytest.mark.parametrize("shape", [(5, 9), (700, 300), (9, 5, 3)])
def test_a_map_of_any_size_has_a_small_picture(shape: tuple[int, ...]) -> None:
    html = phil.GridGraph(np.ones(shape, bool))._repr_html_()
    [drawn] = images(html)
    assert 100 <= max(drawn.size) <= 350
    assert " x ".join(map(str, shape)) in html


def test_walls_are_drawn() -> None:
    free = np.ones((10, 10), bool)
    free[:, :5] = False
    [drawn] = images(phil.GridGraph(free)._repr_html_())
    pixels = np.asarray(drawn.convert("L")).astype(int)
    assert pixels[:, :100].mean() < pixels[:, 140:].mean()


def test_a_set_shows_its_splits_and_first_maps() -> None:
    html = phil.open_set("generated/forest", pairs="random", count=20)._repr_html_()
    assert len(images(html)) == 4
    assert html.count("20 problems") == 2


def test_a_set_of_graphs_has_no_picture_and_an_empty_one_is_no_error() -> None:
    graph = phil.Graph.from_edges(3, [(0, 1), (1, 2)])
    html = ProblemSet("mine", test=(Problem(graph, 0, 2),))._repr_html_()
    assert images(html) == []
    assert "Graph(nodes=3" in html
    assert "0 problems" in ProblemSet("none")._repr_html_()


def test_a_heuristic_says_where_it_is_from() -> None:
    html = phil.load("phil:forest")._repr_html_()  # type: ignore[attr-defined]
    assert "grids/forest" in html
    assert "expansions in validation" in html


def test_names_from_files_are_only_text() -> None:
    graph = phil.Graph.from_edges(2, [(0, 1)])
    html = ProblemSet("<script>alert(1)</script>", test=(Problem(graph, 0, 1),))._repr_html_()
    assert "<script" not in html
