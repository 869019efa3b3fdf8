"""Problems that show what each method is good and bad at; all are made when they are opened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from phil.errors import unknown_name
from phil.graphs import AnyGraph, Graph, GridGraph
from phil.play.cities import generate_city
from phil.play.ends import far_apart
from phil.problems.generated import generate_maps, worlds
from phil.problems.generated.spaces import generate_world
from phil.problems.problem import Problem

SIDE = 121


@dataclass(frozen=True)
class Preset:
    """A problem by name, and methods whose race on it tells something.

    Attributes
    ----------
    name, title, text
        Its name in states, its title, and what it shows.
    kind
        `graph`, `grid2d` or `grid3d`.
    methods
        What to race, at most four.
    make
        Makes its graph.
    """

    name: str
    title: str
    text: str
    kind: str
    methods: tuple[str, ...]
    make: Callable[[], AnyGraph]

    def problem(self) -> Problem:
        """Its graph, between two ends far apart."""
        graph = _made(self.make)
        return Problem(graph, *far_apart(graph), name=self.title)


@cache
def _made(make: Callable[[], AnyGraph]) -> AnyGraph:
    return make()


def preset(name: str) -> Preset:
    """A preset by name.

    >>> preset("city").problem().graph.is_drawable
    True
    """
    known = {each.name: each for each in PRESETS}
    if name not in known:
        raise unknown_name("preset", name, known)
    return known[name]


def _family(family: str, seed: int) -> Callable[[], GridGraph]:
    return lambda: GridGraph(generate_maps(family, 1, seed, "test", (SIDE, SIDE))[0])


def _space() -> GridGraph:
    return GridGraph(generate_world(np.random.default_rng(1), (30, 40)))


def _trap() -> GridGraph:
    """A hall that opens towards the start, so that the way to the goal leads back out of it."""
    free = np.ones((SIDE, SIDE), bool)
    far, near = SIDE // 5, 4 * SIDE // 5
    free[far, far:near] = False
    free[far:near, near] = False
    free[far : far + 2, far : far + SIDE // 3] = False
    return GridGraph(free)


def _open() -> GridGraph:
    return GridGraph(np.ones((SIDE, SIDE), bool))


def _maze() -> GridGraph:
    return GridGraph(_world(worlds.maze, SIDE, 10))


def _caves() -> GridGraph:
    return GridGraph(_world(worlds.caves, 512, 11))


def _rooms() -> GridGraph:
    return GridGraph(_world(worlds.rooms, SIDE, 7), connectivity=4)


def _world(
    kind: Callable[[int, int, np.random.Generator], NDArray[np.bool_]], side: int, seed: int
) -> NDArray[np.bool_]:
    return kind(side, side, np.random.default_rng(seed))


def _acquaintances() -> Graph:
    """A ring of people who know those next to them, and a few who know somebody far away."""
    people, known, far = 600, 4, 0.03
    random = np.random.default_rng(2)
    ring = [(one, (one + step) % people) for one in range(people) for step in range(1, known + 1)]
    edges = np.array(ring)
    moved = random.random(len(edges)) < far
    edges[moved, 1] = random.integers(people, size=int(moved.sum()))
    edges = np.unique(np.sort(edges[edges[:, 0] != edges[:, 1]]), axis=0)
    return Graph.from_edges(people, edges)


PRESETS: tuple[Preset, ...] = (
    Preset(
        "city",
        "City",
        "A fast ring road and three bridges: greedy search finds a slow way at once, A* a fast one "
        "after most of the city, and landmarks show A* the way.",
        "graph",
        ("greedy(euclidean)", "astar(landmarks)", "astar(euclidean)", "dijkstra"),
        generate_city,
    ),
    Preset(
        "space",
        "Space",
        "Boxes and walls with gaps, in three dimensions: the learned heuristic walks around what "
        "greedy search has to fill.",
        "grid3d",
        ("phil:voxels", "greedy(euclidean)", "astar(euclidean)"),
        _space,
    ),
    Preset(
        "gaps",
        "Gaps",
        "The best case of a learned heuristic: it has seen such walls, and looks for their gaps at "
        "once. Greedy search fills what lies in front of them, and A* more.",
        "grid2d",
        ("phil:gaps_and_forest", "greedy(euclidean)", "astar(octile)", "dijkstra"),
        _family("gaps_and_forest", 0),
    ),
    Preset(
        "trap",
        "Trap",
        "The worst case of greedy search: it fills the hall in front of the goal before it turns "
        "back. A hedged heuristic limits the loss.",
        "grid2d",
        ("greedy(euclidean)", "phil:map", "hedge(phil:map)", "astar(octile)"),
        _trap,
    ),
    Preset(
        "forest",
        "Forest",
        "The best case of greedy search: small obstacles. A* expands several times as many nodes "
        "for a path that is hardly cheaper.",
        "grid2d",
        ("greedy(euclidean)", "wastar(octile, 2)", "bounded(euclidean, 1.02)", "astar(octile)"),
        _family("forest", 0),
    ),
    Preset(
        "foreign",
        "Foreign land",
        "The worst case of a learned heuristic: it was trained on walls with gaps, and looks for "
        "them where there are none. Hedged, it loses less; one for any map loses nothing.",
        "grid2d",
        (
            "phil:alternating_gaps",
            "hedge(phil:alternating_gaps)",
            "phil:map",
            "greedy(euclidean)",
        ),
        _family("single_bugtrap", 1),
    ),
    Preset(
        "maze",
        "Maze",
        "The worst case of A*: in a maze, straight lines say little, and it expands nearly what "
        "Dijkstra's algorithm does.",
        "grid2d",
        ("astar(octile)", "dijkstra", "bidijkstra", "greedy(euclidean)"),
        _maze,
    ),
    Preset(
        "open",
        "Open field",
        "The best case of A*: nothing is in the way. The worst of breadth-first search and "
        "Dijkstra's algorithm, which look in all directions.",
        "grid2d",
        ("astar(octile)", "bfs", "dijkstra", "bidijkstra"),
        _open,
    ),
    Preset(
        "bounds",
        "Bounds",
        "What a guarantee costs: the first path is found quickly; proving that it is at most 1.5, "
        "1.1 or 1.0 times as long as the shortest takes the rest.",
        "grid2d",
        (
            "phil:bugtrap_forest",
            "bounded(phil:bugtrap_forest, 1.5)",
            "bounded(phil:bugtrap_forest, 1.1)",
            "astar(octile)",
        ),
        _family("bugtrap_forest", 0),
    ),
    Preset(
        "acquaintances",
        "Acquaintances",
        "A graph without coordinates: who knows whom. The best case of searching from both ends.",
        "graph",
        ("bibfs", "bfs", "astar(landmarks)"),
        _acquaintances,
    ),
    Preset(
        "rooms",
        "Rooms",
        "Rooms and doors, with moves along the axes only: several heuristics in turn get through "
        "doors that one alone runs past.",
        "grid2d",
        ("mha(euclidean, manhattan, obstacles)", "greedy(manhattan)", "bfws(euclidean)", "bibfs"),
        _rooms,
    ),
    Preset(
        "caves",
        "Caves",
        "A quarter of a million cells: how searches grow with the map.",
        "grid2d",
        ("hedge(phil:map)", "greedy(euclidean)", "biastar(octile)", "astar(octile)"),
        _caves,
    ),
)
