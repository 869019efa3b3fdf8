"""Pictures show exactly what the search did: checked pixel by pixel."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from phil.errors import InputError
from phil.graphs import Graph, GridGraph
from phil.heuristics.classical import euclidean
from phil.search import ASTAR, Limits, Outcome, Result, search
from phil.view.picture import (
    BLOCKED,
    FREE,
    PATH,
    cell_colors,
    gradient,
    picture,
    png,
    save_picture,
    small_png,
)


def random_map(shape: tuple[int, int], seed: int) -> GridGraph:
    free = np.random.default_rng(seed).random(shape) < 0.75
    free[0, 0] = free[-1, -1] = True
    return GridGraph(free)


def corner_search(grid: GridGraph, *, trace: bool = True) -> Result:
    goal = (grid.shape[0] - 1, grid.shape[1] - 1)
    return search(grid, (0, 0), goal, euclidean, key=ASTAR, trace=trace)


def trace_of(result: Result) -> NDArray[np.int64]:
    assert result.trace is not None
    return result.trace


def pixels(image: Image.Image) -> NDArray[np.int64]:
    return np.asarray(image).astype(np.int64)


@pytest.mark.parametrize("shape", [(30, 30), (12, 50), (50, 12), (1, 9)])
@pytest.mark.parametrize("seed", range(3))
def test_cells_show_obstacles_and_every_expanded_node_once(
    shape: tuple[int, int], seed: int
) -> None:
    grid = random_map(shape, seed)
    trace = trace_of(corner_search(grid))
    colors = cell_colors(grid, trace)
    assert colors.shape == (*shape, 3)
    blocked = (colors == BLOCKED).all(axis=2)
    assert np.array_equal(blocked, ~grid.free)
    colored = ~blocked & ~(colors == FREE).all(axis=2)
    assert np.array_equal(np.flatnonzero(colored), np.unique(trace))


def test_a_reopened_cell_shows_its_first_expansion() -> None:
    grid = GridGraph(np.ones((1, 4), bool))
    colors = cell_colors(grid, np.array([0, 1, 2, 1, 3]))
    expected = gradient(np.array([0, 0.25, 0.5, 1.0]))
    assert np.array_equal(colors[0], expected)


def test_the_gradient_grows_lighter_and_is_never_mistaken_for_free_or_blocked() -> None:
    colors = gradient(np.linspace(0, 1, 200)).astype(float)
    lightness = colors @ (0.2126, 0.7152, 0.0722)
    assert (np.diff(lightness) > -0.5).all()
    assert lightness[-1] - lightness[0] > 100
    for other in (FREE, BLOCKED, PATH):
        assert np.abs(colors - other).sum(axis=1).min() > 40


@pytest.mark.parametrize(
    ("shape", "size"),
    [
        ((201, 201), (402, 402)),
        ((10, 20), (400, 200)),
        ((20, 10), (200, 400)),
        ((1, 1), (400, 400)),
        ((2, 500), (500, 2)),
    ],
)
def test_small_maps_are_enlarged(shape: tuple[int, int], size: tuple[int, int]) -> None:
    grid = GridGraph(np.ones(shape, bool))
    assert picture(grid, corner_search(grid)).size == size


def test_the_scale_can_be_chosen() -> None:
    grid = GridGraph(np.ones((3, 5), bool))
    assert picture(grid, corner_search(grid), scale=1).size == (5, 3)
    with pytest.raises(InputError, match="at least 1"):
        picture(grid, corner_search(grid), scale=0)


def test_enlarged_cells_keep_their_colours_beside_the_path() -> None:
    grid = random_map((20, 20), seed=4)
    result = corner_search(grid)
    assert result.solved
    image = pixels(picture(grid, result, scale=40))
    colors = cell_colors(grid, trace_of(result))
    corners = image[1::40, 1::40]  # the path runs through the middle of cells, or their corners
    same = (corners == colors).all(axis=2)
    near_path = np.zeros(grid.shape, bool)
    for node in result.path:
        row, column = grid.cell(node)
        near_path[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2] = True
    assert same[~near_path].all()


def test_the_path_is_a_line_through_its_cells() -> None:
    grid = random_map((20, 30), seed=5)
    result = corner_search(grid)
    image = pixels(picture(grid, result, scale=20))
    for node in result.path[2:-2]:
        row, column = grid.cell(node)
        assert np.abs(image[row * 20 + 10, column * 20 + 10] - PATH).max() <= 8


def red_share(image: NDArray[np.int64]) -> float:
    return float((np.abs(image - PATH).max(axis=2) <= 8).mean())


def test_start_is_a_ring_and_goal_is_a_disc() -> None:
    grid = GridGraph(np.ones((9, 9), bool))
    result = search(grid, (2, 2), (6, 6), euclidean, trace=True)
    image = pixels(picture(grid, result, scale=45))
    assert image[2 * 45 + 22, 2 * 45 + 22].tolist() == [255, 255, 255]
    assert np.abs(image[6 * 45 + 22, 6 * 45 + 22] - PATH).max() <= 8


def test_a_goal_that_was_not_reached_is_marked_if_given() -> None:
    free = np.ones((5, 9), bool)
    free[:, 4] = False
    grid = GridGraph(free)
    result = search(grid, (0, 0), (4, 8), euclidean, trace=True)
    assert result.outcome is Outcome.UNREACHABLE
    right = slice(5 * 45, None)
    assert red_share(pixels(picture(grid, result))[:, right]) == 0
    assert red_share(pixels(picture(grid, result, goal=grid.node(4, 8)))[:, right]) > 0


def test_a_map_of_one_cell() -> None:
    grid = GridGraph([[True]])
    result = search(grid, (0, 0), (0, 0), euclidean, trace=True)
    assert result.solved
    assert red_share(pixels(picture(grid, result))) > 0


def test_a_search_that_expanded_nothing() -> None:
    grid = GridGraph([[True, False, True]])
    result = search(grid, (0, 0), (0, 2), euclidean, limits=Limits(expansions=0), trace=True)
    image = pixels(picture(grid, result, scale=1))
    assert image[0].tolist() == [list(FREE), list(BLOCKED), list(FREE)]


def test_without_a_trace_the_error_says_what_to_do() -> None:
    grid = GridGraph([[True, True]])
    with pytest.raises(InputError, match="trace=True"):
        picture(grid, corner_search(grid, trace=False))


def test_saved_pictures_are_png_files(tmp_path: Path) -> None:
    grid = random_map((20, 30), seed=6)
    result = corner_search(grid)
    save_picture(tmp_path / "out.png", grid, result)
    with Image.open(tmp_path / "out.png") as image:
        assert image.format == "PNG"
        assert np.array_equal(pixels(image), pixels(picture(grid, result)))
    with pytest.raises(InputError, match="does not exist"):
        save_picture(tmp_path / "missing" / "out.png", grid, result)


def test_a_3d_map_is_refused() -> None:
    grid = GridGraph(np.ones((2, 3, 4), bool))
    result = search(grid, (0, 0, 0), (1, 2, 3), euclidean, trace=True)
    with pytest.raises(InputError, match=r"a picture needs a 2D map; .* \(2 x 3 x 4\)"):
        picture(grid, result)


def test_a_small_png_is_the_same_picture() -> None:
    shaded = np.random.default_rng(0).normal(128, 8, (64, 64, 3)).clip(0, 255).astype(np.uint8)
    whole, small = (write(Image.fromarray(shaded)) for write in (png, small_png))
    assert len(small) < 0.7 * len(whole)
    again = np.asarray(Image.open(io.BytesIO(small)).convert("RGB"), int)
    assert np.abs(again - shaded).mean() < 8


def test_a_map_may_be_given_as_an_array(tmp_path: Path) -> None:
    grid = random_map((9, 9), 0)
    result = corner_search(grid)
    assert (np.asarray(picture(grid.free, result)) == np.asarray(picture(grid, result))).all()
    save_picture(str(tmp_path / "map.png"), grid.free, result)
    assert (tmp_path / "map.png").stat().st_size
    with pytest.raises(InputError, match="a GridGraph or a 2D array"):
        picture(Graph.from_edges(2, [(0, 1)]), result)
