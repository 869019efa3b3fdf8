"""The table of peers: one query, asked of PHIL and of the libraries that users would take instead.

A peer is a function that builds a library's own form of a map; `peer` puts it into `PEERS` with
what must be known about it. Libraries are imported only when they are built.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import phil
from reproduction.speed.common import RenewableGrid
from reproduction.speed.queries import KING, OCTILE, STRICT, Query, Rule, edges


class Built(NamedTuple):
    """A library's own form of a map: `ask` is timed, `cells` reads what it returned."""

    ask: Callable[[], Any]
    cells: Callable[[Any], NDArray[np.int64]]
    forget: Callable[[], None] | None = None  # so that a second query is like the first


@dataclass(frozen=True)
class Peer:
    """One way to ask one library."""

    name: str
    package: str  # its name on the package index
    module: str
    heuristic: str
    build: Callable[[Query], Built]
    rules: tuple[Rule, ...] = (KING, OCTILE, STRICT)
    optimal: bool = True  # whether its path must cost what the best one costs
    most_cells: int | None = None  # larger maps take too long, or too much memory
    note: str = ""


PEERS: list[Peer] = []


def peer(
    name: str, module: str, heuristic: str, *, package: str = "", **traits: Any
) -> Callable[[Callable[[Query], Built]], Callable[[Query], Built]]:
    """Put the function that follows into the table."""

    def register(build: Callable[[Query], Built]) -> Callable[[Query], Built]:
        PEERS.append(
            Peer(name, package or module.split(".")[0], module, heuristic, build, **traits)
        )
        return build

    return register


# PHIL's own searches.

ASTAR = "phil A* (octile)"
GREEDY = "phil greedy (euclidean)"
LENGTHS = (OCTILE, STRICT)  # rules under which the straight line is a lower bound
NOT_LEAST = "greedy, so its paths are not the cheapest"

LEARNED = "learned"  # on maps of a family, the heuristic that is shipped for it


def _search(query: Query, heuristic: str, key: phil.Key) -> Built:
    map_ = RenewableGrid(query.grid())
    guide = phil.load(query.learned if heuristic == LEARNED else heuristic)
    return Built(
        ask=lambda: phil.search(map_.grid, query.start, query.goal, guide, key=key),
        cells=lambda result: query.cells(result.path),
        forget=map_.renew if heuristic == LEARNED else None,
    )


_OURS: tuple[tuple[str, str, phil.Key, dict[str, Any]], ...] = (
    (ASTAR, "octile", phil.ASTAR, {}),
    ("phil A* (euclidean)", "euclidean", phil.ASTAR, {"rules": LENGTHS}),
    (GREEDY, "euclidean", phil.GREEDY, {"optimal": False, "note": NOT_LEAST}),
    ("phil PHIL", LEARNED, phil.GREEDY, {"rules": LENGTHS, "optimal": False, "note": NOT_LEAST}),
)
for _name, _heuristic, _key, _traits in _OURS:
    peer(_name, "phil", _heuristic, package="phil-search", **_traits)(
        partial(_search, heuristic=_heuristic, key=_key)
    )


# Libraries that search arrays.


@peer(
    "pyastar2d",
    "pyastar2d",
    "octile",
    rules=(KING,),
    note="its diagonal moves cost 1; its heuristic is the Chebyshev distance, octile there",
)
def _pyastar2d(query: Query) -> Built:
    import pyastar2d

    weights = np.where(query.free, 1.0, np.inf).astype(np.float32)
    return Built(
        ask=lambda: pyastar2d.astar_path(weights, query.start, query.goal, allow_diagonal=True),
        cells=lambda path: path.astype(np.int64),
    )


# tcod's costs are whole numbers; 99 / 70 is the square root of 2 up to 5e-5.
STRAIGHT, DIAGONAL = 70, 99


@peer("tcod Pathfinder", "tcod.path", "octile")
def _tcod_pathfinder(query: Query) -> Built:
    import tcod.path

    finder = tcod.path.Pathfinder(_tcod_graph(query))

    def ask() -> Any:
        finder.clear()
        finder.add_root(query.start)
        return finder.path_to(query.goal)

    return Built(ask, cells=lambda path: path.astype(np.int64))


def _tcod_graph(query: Query) -> Any:
    import tcod.path

    cost = query.free.astype(np.int8)
    straight, diagonal = (1, 1) if query.rule == KING else (STRAIGHT, DIAGONAL)
    if query.rule.corners == "allow":
        return tcod.path.SimpleGraph(cost=cost, cardinal=straight, diagonal=diagonal)
    graph = tcod.path.CustomGraph(query.shape)
    graph.add_edges(
        edge_map=[[0, straight, 0], [straight, 0, straight], [0, straight, 0]], cost=cost
    )
    for down in (-1, 1):
        for right in (-1, 1):
            both = _shifted(query.free, down, 0) & _shifted(query.free, 0, right)
            graph.add_edge((down, right), diagonal, cost=cost, condition=both.astype(np.int8))
    graph.set_heuristic(cardinal=straight, diagonal=diagonal)
    return graph


def _shifted(free: NDArray[np.bool_], down: int, right: int) -> NDArray[np.bool_]:
    """Whether the cell one step away is free, by cell."""
    padded = np.pad(free, 1)
    rows, columns = free.shape
    return padded[1 + down : 1 + down + rows, 1 + right : 1 + right + columns]


@peer(
    "tcod AStar",
    "tcod.path",
    "euclidean",
    rules=(OCTILE,),
    optimal=False,
    note="stops as soon as it sees the goal, so its paths are not always the cheapest",
)
def _tcod_astar(query: Query) -> Built:
    import tcod.path

    finder = tcod.path.AStar(query.free.astype(np.int8), diagonal=query.rule.diagonal)
    return Built(
        ask=lambda: finder.get_path(*query.start, *query.goal),
        cells=lambda path: np.array([query.start, *path]),
    )


@peer(
    "scikit-image MCP",
    "skimage.graph",
    "none",
    package="scikit-image",
    rules=(KING, OCTILE),
    note="MCP_Geometric; MCP where a diagonal move costs 1",
)
def _skimage(query: Query) -> Built:
    from skimage.graph import MCP, MCP_Geometric

    kind = MCP if query.rule == KING else MCP_Geometric
    paths = kind(np.where(query.free, 1.0, -1.0), fully_connected=True)

    def ask() -> Any:
        paths.find_costs([query.start], [query.goal])
        return paths.traceback(query.goal)

    return Built(ask, cells=np.array)


# Libraries that search graphs whose nodes are numbers.


@peer(
    "scipy Dijkstra",
    "scipy.sparse.csgraph",
    "none",
    note="has no goal: it finds the paths to all nodes",
)
def _scipy(query: Query) -> Built:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    pairs, costs = edges(query)
    both = np.concatenate([pairs, pairs[:, ::-1]])
    size = query.free.size
    matrix = csr_array((np.tile(costs, 2), (both[:, 0], both[:, 1])), shape=(size, size))
    start, goal = query.nodes

    def cells(found: tuple[NDArray[np.float64], NDArray[np.int32]]) -> NDArray[np.int64]:
        path = [goal]
        while path[-1] != start:
            path.append(int(found[1][path[-1]]))
        return query.cells(path[::-1])

    return Built(ask=lambda: dijkstra(matrix, indices=start, return_predecessors=True), cells=cells)


def _triples(query: Query) -> list[tuple[int, int, float]]:
    pairs, costs = edges(query)
    return list(zip(pairs[:, 0].tolist(), pairs[:, 1].tolist(), costs.tolist(), strict=True))


def _igraph(query: Query) -> Any:
    import igraph

    pairs, costs = edges(query)
    graph = igraph.Graph(n=query.free.size, edges=pairs)
    graph.es["weight"] = costs
    return graph


# igraph 1.0.0 crashes where a sum is rounded so that an estimate falls by more than a move costs.
BELOW = 1 - 1e-6


@peer("igraph A*", "igraph", "octile")
def _igraph_astar(query: Query) -> Built:
    graph, estimate = _igraph(query), query.estimate()

    def below(_graph: Any, node: int, _goal: int) -> float:
        return BELOW * estimate(node)

    return Built(
        ask=lambda: graph.get_shortest_path_astar(*query.nodes, below, weights="weight"),
        cells=query.cells,
    )


@peer("igraph Dijkstra", "igraph", "none")
def _igraph_dijkstra(query: Query) -> Built:
    graph = _igraph(query)
    ask = partial(graph.get_shortest_path, *query.nodes, weights="weight", algorithm="dijkstra")
    return Built(ask, query.cells)


def _rustworkx(query: Query) -> Any:
    import rustworkx

    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(query.free.size))
    graph.add_edges_from(_triples(query))
    return graph


@peer("rustworkx A*", "rustworkx", "octile")
def _rustworkx_astar(query: Query) -> Built:
    import rustworkx

    start, goal = query.nodes
    search = partial(rustworkx.astar_shortest_path, _rustworkx(query), start)
    return Built(partial(search, goal.__eq__, float, query.estimate()), query.cells)


@peer("rustworkx Dijkstra", "rustworkx", "none")
def _rustworkx_dijkstra(query: Query) -> Built:
    import rustworkx

    start, goal = query.nodes
    graph = _rustworkx(query)
    return Built(
        ask=lambda: rustworkx.dijkstra_shortest_paths(graph, start, goal, weight_fn=float),
        cells=lambda paths: query.cells(paths[goal]),
    )


# Libraries in Python. Their graphs of a million cells would need gigabytes.

MOST_CELLS = 300_000


def _networkx(query: Query) -> Any:
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(query.nodes)  # no edge names a cell between obstacles
    graph.add_weighted_edges_from(_triples(query))
    return graph


@peer("networkx A*", "networkx", "octile", most_cells=MOST_CELLS)
def _networkx_astar(query: Query) -> Built:
    import networkx

    graph, estimate = _networkx(query), query.estimate()
    return Built(
        ask=lambda: networkx.astar_path(graph, *query.nodes, lambda node, _: estimate(node)),
        cells=query.cells,
    )


@peer("networkx bidirectional Dijkstra", "networkx", "none", most_cells=MOST_CELLS)
def _networkx_bidirectional(query: Query) -> Built:
    import networkx

    graph = _networkx(query)
    return Built(
        ask=lambda: networkx.bidirectional_dijkstra(graph, *query.nodes),
        cells=lambda found: query.cells(found[1]),
    )


@peer("pathfinding A*", "pathfinding", "octile", rules=LENGTHS, most_cells=MOST_CELLS)
def _pathfinding(query: Query) -> Built:
    from pathfinding.core.diagonal_movement import DiagonalMovement
    from pathfinding.core.grid import Grid
    from pathfinding.finder.a_star import AStarFinder

    strict = query.rule == STRICT
    moves = DiagonalMovement.only_when_no_obstacle if strict else DiagonalMovement.always
    finder = AStarFinder(diagonal_movement=moves)
    grid = Grid(matrix=query.free.astype(int).tolist())
    start, goal = (grid.node(column, row) for row, column in (query.start, query.goal))
    return Built(
        ask=lambda: finder.find_path(start, goal, grid),
        cells=lambda found: np.array([(node.y, node.x) for node in found[0]]),
    )
