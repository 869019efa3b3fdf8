"""Best-first search over any graph with any heuristic: greedy, A* and BFS are keys, not copies."""

from __future__ import annotations

from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.graphs.graph import Graph
from phil.graphs.lower_bound import NO_BOUND, lower_bound_of
from phil.search.guide import Heuristic
from phil.search.result import Limits, Result
from phil.search.running import RunningSearch
from phil.search.state import GREEDY, Key


def search(
    graph: AnyGraph,
    start: int | tuple[int, int],
    goal: int | tuple[int, int],
    heuristic: Heuristic,
    *,
    key: Key = GREEDY,
    bound: float | None = None,
    limits: Limits | None = None,
    trace: bool = False,
) -> Result:
    """Search a path from start to goal, expanding the node of least key first.

    Nodes are ids, or (row, column) on a grid. A node's value is asked for once, when it is
    uncovered, and never updated. With a key that counts path cost (A*), a better path to a known
    node re-orders or re-opens it.

    With a `bound`, the path costs at most that many times the least cost, whatever the heuristic
    says (focal search): of the nodes that such a path may lead through, the one of least key is
    expanded first, and `result.proven` says what was proven about the path. An infinite bound keeps
    the order of a search without one.

    >>> import phil
    >>> grid = phil.GridGraph([[True, True, True], [False, False, True], [True, True, True]])
    >>> result = phil.search(grid, (2, 0), (0, 0), phil.load("euclidean"))
    >>> result.outcome, result.expansions, [grid.cell(node) for node in result.path]
    (<Outcome.SOLVED: 'solved'>, 5, [(2, 0), (2, 1), (1, 2), (0, 1), (0, 0)])
    >>> phil.search(grid, (2, 0), (0, 0), phil.load("euclidean"), bound=1.5).proven
    1.0
    """
    source, target = check_ends(graph, start, goal)
    with RunningSearch(
        graph,
        source,
        target,
        heuristic,
        key=key,
        limits=limits or Limits(),
        trace=trace,
        bound=None if bound is None else check_bound(bound),
        lower=NO_BOUND if bound is None else lower_bound_of(graph, target),
    ) as running:
        return running.result(running.run())


def check_bound(bound: float) -> float:
    """The bound, or an error: no path costs less than the least cost."""
    if not bound >= 1:
        raise InputError(f"the bound on the path's cost must be at least 1 (optimal), not {bound}")
    return float(bound)


def check_ends(
    graph: AnyGraph, start: int | tuple[int, int], goal: int | tuple[int, int]
) -> tuple[int, int]:
    """The ids of start and goal, or an error that says which one is no node."""
    return (
        graph.check_node(_node(graph, start), "start"),
        graph.check_node(_node(graph, goal), "goal"),
    )


def _node(graph: AnyGraph, node: int | tuple[int, int]) -> int:
    if not isinstance(node, tuple):
        return int(node)
    if isinstance(graph, Graph):
        raise InputError(f"{node}: a (row, column) names a node of a grid only; give a node id")
    return graph.node(*node)
