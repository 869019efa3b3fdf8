"""Searches on implicit graphs: the same as on the graph written out, and nothing asked twice."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import AnyGraph, Graph, GridGraph, ImplicitGraph, SearchedGraph
from phil.heuristics.classical import euclidean, manhattan, octile, oracle, zero
from phil.heuristics.novelty import Novelty
from phil.heuristics.phil.specification import NetworkSettings
from phil.heuristics.registry import load_heuristic
from phil.search import ASTAR, BFS, GREEDY, Key, Limits, Outcome, Result, search, search_mha
from phil.search.guide import Expansion, Heuristic, WithoutLoop
from tests.guides import PythonGuide, PythonHeuristic, table
from tests.implicit import NAMES, Mirror, own_facts, simplified
from tests.networks import AHEAD, networks, random_heuristic, scaling_for
from tests.strategies import node_ids, problems, voxel_grids

KEYS = {"greedy": GREEDY, "astar": ASTAR, "bfs": BFS, "mixed": Key(g=0.5, h=2.0, depth=0.25)}
WIDE = 16  # more neighbours than any node has: none is left out, so ids do not matter

Problem = tuple[AnyGraph, int, int]


def simple_problems() -> st.SearchStrategy[Problem]:
    return problems().map(lambda problem: (simplified(problem[0]), *problem[1:]))


def check_mirrored(mirror: Mirror, start: int, goal: int, heuristic: Heuristic, key: Key) -> None:
    """The search is the same on both graphs, and asks for each node at most once."""
    name = mirror.name
    written = search(mirror.explicit, start, goal, heuristic, key=key, trace=True)
    met = search(mirror.graph, name(start), name(goal), heuristic, key=key, trace=True)
    assert own_facts(met) == mirror.named(written)
    assert met.calls == mirror.neighbors.total()
    assert set(mirror.neighbors.values()) <= {1}
    assert set(mirror.features.values()) <= {1}


@given(simple_problems(), st.sampled_from(list(KEYS)), st.sampled_from(list(NAMES)))
@pytest.mark.parametrize("heuristic", [euclidean, manhattan, zero], ids=lambda h: h.name)
def test_the_same_search_as_on_the_graph_written_out(
    heuristic: Heuristic, problem: Problem, key: str, names: str
) -> None:
    graph, start, goal = problem
    for guided in (heuristic, WithoutLoop(heuristic)):
        check_mirrored(Mirror(graph, NAMES[names]), start, goal, guided, KEYS[key])


@given(simple_problems(), st.data(), st.sampled_from(list(KEYS)), st.sampled_from(list(NAMES)))
@settings(max_examples=60)
def test_the_same_search_with_any_network(
    problem: Problem, data: st.DataObject, key: str, names: str
) -> None:
    graph, start, goal = problem
    network = data.draw(networks(graph))
    wide = 0 if network.lazy else data.draw(st.sampled_from([0, WIDE]))  # lazily, or at all
    network = network.model_copy(update={"neighbors": wide})
    heuristic = random_heuristic(network, scaling_for(graph))
    for guided in (heuristic, WithoutLoop(heuristic)):
        check_mirrored(Mirror(graph, NAMES[names]), start, goal, guided, KEYS[key])


@pytest.mark.parametrize("kind", ["map", "graph"])
def test_the_same_neighbors_are_drawn(kind: str) -> None:
    """Tokens stand for nodes: numbers for themselves, cells for their ids on a `GridGraph`."""
    graph: AnyGraph = random_grid(15, 15)
    if kind == "graph":
        random = np.random.default_rng(8)
        edges = random.integers(0, 40, (300, 2))
        graph = simplified(Graph.from_edges(40, edges, random.random((40, 2)), directed=True))
    network = NetworkSettings(
        edge_features=graph.arrays.edge_features.shape[1], width=8, neighbors=2, memory=4
    )
    start, goal = (graph.node(14, 0), 14) if isinstance(graph, GridGraph) else (0, 39)
    for seed in range(5):
        heuristic = random_heuristic(network, scaling_for(graph), seed)
        for guided in (heuristic, WithoutLoop(heuristic)):
            check_mirrored(Mirror(graph), start, goal, guided, GREEDY)


@given(simple_problems(), st.integers(0, 2**32))
@settings(max_examples=200)
def test_nodes_expanded_again_are_not_asked_for_again(problem: Problem, seed: int) -> None:
    graph, start, goal = problem
    # By feature: the ids of the two searches differ. Such values are far from consistent.
    h = {
        tuple(row): value
        for row, value in zip(
            graph.features.tolist(), np.random.default_rng(seed).random(graph.size), strict=True
        )
    }

    class ByFeature:
        name = "by feature"

        def begin(self, graph: SearchedGraph, start: int, goal: int) -> PythonGuide:
            def score(expansion: Expansion) -> NDArray[np.float64]:
                rows = graph.features[expansion.new].tolist()
                return np.array([20 * h[tuple(row)] for row in rows])

            return PythonGuide(score)

    check_mirrored(Mirror(graph), start, goal, ByFeature(), ASTAR)


@given(voxel_grids(), st.data(), st.sampled_from(list(KEYS)), st.sampled_from([0, 4]))
@settings(max_examples=60)
def test_the_same_search_in_space(
    grid: GridGraph, data: st.DataObject, key: str, neighbors: int
) -> None:
    """Also the neighbours that a network draws, and the walls that it sees, are the same."""
    start, goal = (data.draw(st.sampled_from(node_ids(grid))) for _ in range(2))
    drawn = data.draw(networks(grid))
    changes = {"neighbors": neighbors, "lazy": drawn.lazy and neighbors == 0}
    network = drawn.model_copy(update=changes)
    for heuristic in (random_heuristic(network), Novelty(euclidean)):
        for guided in (heuristic, WithoutLoop(heuristic)):
            check_mirrored(Mirror(grid), start, goal, guided, KEYS[key])


def searches_by_a_lower_bound(graph: Any, start: Any, goal: Any) -> list[Result[Any]]:
    both = [euclidean, manhattan]
    return [
        search(graph, start, goal, octile, key=ASTAR, trace=True),
        search(graph, start, goal, zero, key=GREEDY, bound=1.2, trace=True),
        search_mha(graph, start, goal, both, w1=1.5, w2=2.0, trace=True),
    ]


@given(voxel_grids(), st.data())
@settings(max_examples=60)
def test_the_same_searches_by_a_lower_bound_in_space(grid: GridGraph, data: st.DataObject) -> None:
    ends = (grid.cell(data.draw(st.sampled_from(node_ids(grid)))) for _ in range(2))
    mirror, (start, goal) = Mirror(grid), ends
    met = searches_by_a_lower_bound(mirror.graph, start, goal)
    written = searches_by_a_lower_bound(grid, start, goal)
    assert list(map(own_facts, met)) == list(map(mirror.named, written))


def random_space(connectivity: int, seed: int = 4) -> GridGraph:
    free = np.random.default_rng(seed).random((14, 12, 9)) < 0.75
    free[0, 0, 0] = free[-1, -1, -1] = True
    return GridGraph(free, connectivity=connectivity)


@pytest.mark.parametrize("connectivity", [6, 18, 26])
@pytest.mark.parametrize("neighbors", [0, 4])
def test_a_space_that_outgrows_the_first_arrays(connectivity: int, neighbors: int) -> None:
    grid = random_space(connectivity)
    network = NetworkSettings(
        features=3,
        edge_features=3,
        width=8,
        neighbors=neighbors,
        memory=4,
        walls=6 if connectivity == 6 else 0,
        trail=True,
    )
    for heuristic in (random_heuristic(network), euclidean):
        check_mirrored(Mirror(grid), 0, grid.size - 1, heuristic, ASTAR)


def random_grid(rows: int, columns: int, seed: int = 2) -> GridGraph:
    free = np.random.default_rng(seed).random((rows, columns)) < 0.8
    free[-1, 0] = free[0, -1] = True
    return GridGraph(free)


def test_reopened_nodes_are_counted_once() -> None:
    grid = random_grid(12, 12)
    h = np.random.default_rng(0).random(grid.size) * 30
    cells = dict(zip(map(grid.cell, range(grid.size)), h, strict=True))

    class ByCell:
        name = "by cell"

        def begin(self, graph: SearchedGraph, start: int, goal: int) -> PythonGuide:
            assert not isinstance(graph, Graph | GridGraph)
            return PythonGuide(lambda e: np.array([cells[graph.nodes[k]] for k in e.new]))

    mirror = Mirror(grid)
    met = search(mirror.graph, (11, 0), (0, 11), ByCell(), key=ASTAR, trace=True)
    assert own_facts(met) == mirror.named(
        search(grid, (11, 0), (0, 11), table(h), key=ASTAR, trace=True)
    )
    assert met.reopened > 0
    assert met.trace is not None
    assert met.neighbor_calls == len(set(met.trace)) - 1 == mirror.neighbors.total()


@pytest.mark.parametrize("name", ["phil:forest", "phil:mazes", "euclidean", "zero"])
@pytest.mark.parametrize("key", ["greedy", "astar"])
def test_a_map_that_outgrows_the_first_arrays(name: str, key: str) -> None:
    grid = random_grid(70, 50)
    mirror = Mirror(grid)
    start, goal = grid.node(69, 0), grid.node(0, 49)
    check_mirrored(mirror, start, goal, load_heuristic(name), KEYS[key])


def test_a_node_with_more_neighbors_than_any_before() -> None:
    spokes = 1000

    def neighbors(node: int) -> list[int]:
        if node == 2:
            return list(range(3, 3 + spokes))
        return [node + 1 if node < 2 else node + spokes] if node < 3 + spokes else []

    graph = ImplicitGraph(neighbors, lambda node: [node / 100, node % 7], 2)
    written = graph.explored(0, most=10_000)
    assert written.size == 3 + 2 * spokes
    network = NetworkSettings(features=2, edge_features=0, width=4, neighbors=spokes, memory=3)
    for heuristic in (zero, euclidean, random_heuristic(network, scaling_for(written))):
        met = search(graph, 0, 2 + 2 * spokes, heuristic, key=ASTAR)
        mirror = Mirror(written)
        result = search(written, 0, 2 + 2 * spokes, heuristic, key=ASTAR)
        assert own_facts(met) == mirror.named(result)


def test_looking_ahead_is_counted_apart() -> None:
    grid = random_grid(30, 30)
    start, goal = grid.node(29, 0), grid.node(0, 29)
    for heuristic, ahead in ((random_heuristic(AHEAD), True), (euclidean, False)):
        result = search(grid, start, goal, heuristic)
        assert (result.lookahead_calls > 0) == ahead
        assert result.calls == (result.evaluations + 1 if ahead else result.expansions - 1)
        for end in (start, goal):
            alone = search(grid, end, end, heuristic)
            assert (alone.neighbor_calls, alone.lookahead_calls) == (0, 0)


@given(simple_problems())
def test_the_goal_is_never_asked_for_its_neighbors(problem: Problem) -> None:
    graph, start, goal = problem
    mirror = Mirror(graph)
    result = search(mirror.graph, mirror.name(start), mirror.name(goal), euclidean, key=ASTAR)
    assert result.solved <= (mirror.neighbors[mirror.name(goal)] == 0)


@pytest.mark.parametrize("heuristic", [euclidean, load_heuristic("phil:forest")])
def test_limits(heuristic: Heuristic) -> None:
    grid = random_grid(20, 20)
    ends = (19, 0), (0, 19)
    for limits in (Limits(0), Limits(7), Limits(7, seconds=1e9)):
        mirror = Mirror(grid)
        met = search(mirror.graph, *ends, heuristic, limits=limits, trace=True)
        written = search(grid, *ends, heuristic, limits=limits, trace=True)
        assert own_facts(met) == mirror.named(written)
        assert met.outcome is Outcome.LIMIT
    # A call may cost any time: none is begun when it is late.
    mirror = Mirror(grid)
    late = search(mirror.graph, *ends, heuristic, limits=Limits(seconds=0.0))
    assert (late.outcome, mirror.neighbors.total()) == (Outcome.LIMIT, 0)
    ample = search(mirror.graph, *ends, heuristic, limits=Limits(seconds=1e9))
    assert own_facts(ample) == own_facts(search(mirror.graph, *ends, heuristic))


class Unlucky:
    """A map whose tenth question fails."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.fails = True
        self.inner = Mirror(random_grid(15, 15))

    def neighbors(self, cell: tuple[int, int]) -> list[tuple[int, int]]:
        self.asked.append(cell)
        if self.fails and len(self.asked) == 10:
            raise ConnectionError("the robot is asleep")
        return self.inner._cells(cell)


@pytest.mark.parametrize("heuristic", [euclidean, load_heuristic("phil:forest")])
def test_a_callback_that_fails_is_reported_with_its_node(heuristic: Heuristic) -> None:
    unlucky = Unlucky()
    graph = ImplicitGraph.on_grid(unlucky.neighbors, (15, 15))
    for guided in (heuristic, WithoutLoop(heuristic)):
        unlucky.asked.clear()
        with pytest.raises(InputError) as caught:
            search(graph, (14, 0), (0, 14), guided)
        node = unlucky.asked[-1]
        said = f"neighbors({node!r}) raised ConnectionError: the robot is asleep"
        assert str(caught.value) == said
        assert isinstance(caught.value.__cause__, ConnectionError)
    # Both can be used at once again.
    unlucky.fails = False
    grid = unlucky.inner.explicit
    again = search(graph, (14, 0), (0, 14), heuristic, trace=True)
    written = search(grid, (14, 0), (0, 14), heuristic, trace=True)
    assert own_facts(again) == unlucky.inner.named(written)


def test_an_interruption_is_not_dressed_up() -> None:
    def neighbors(node: int) -> list[int]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search(ImplicitGraph(neighbors), 0, 1, zero)


def test_the_world_may_change_between_searches() -> None:
    doors = {"hall": ["kitchen"], "kitchen": ["garden"], "garden": []}
    graph = ImplicitGraph(doors.__getitem__)
    assert search(graph, "hall", "garden", zero).path == ("hall", "kitchen", "garden")
    doors["hall"].append("garden")
    assert search(graph, "hall", "garden", zero).path == ("hall", "garden")


def test_answers_may_come_one_by_one() -> None:
    def neighbors(node: int) -> Iterator[int]:
        yield node + 1
        if node == 3:
            raise RuntimeError("no further")

    with pytest.raises(InputError, match=r"^neighbors\(3\) raised RuntimeError: no further$"):
        search(ImplicitGraph(neighbors), 0, 9, zero)
    assert search(ImplicitGraph(neighbors), 0, 3, zero).path == (0, 1, 2, 3)


def test_nan_is_reported_with_the_node() -> None:
    graph = ImplicitGraph(lambda text: [text + letter for letter in "ab"])

    def score(expansion: Expansion) -> NDArray[np.float64]:
        return np.full(expansion.new.size, np.nan if expansion.count == 2 else 1.0)

    with pytest.raises(InputError, match=r"NaN for node 'ab' at expansion 2 \(node 'a'\)"):
        search(graph, "", "bb", PythonHeuristic(score))


def test_start_is_goal() -> None:
    mirror = Mirror(random_grid(5, 5))
    result = search(mirror.graph, (4, 0), (4, 0), euclidean, trace=True)
    assert (result.path, result.trace, result.expansions) == (((4, 0),), ((4, 0),), 1)
    assert mirror.neighbors.total() == 0


def test_the_oracle_explains_itself() -> None:
    mirror = Mirror(random_grid(5, 5))
    with pytest.raises(InputError, match=r"known in full.*graph\.explored\(start, most=\.\.\.\)"):
        search(mirror.graph, (4, 0), (0, 4), oracle)
    graph = mirror.graph.explored((4, 0), most=100)
    assert graph.labels is not None
    goal = graph.labels.index("(0, 4)")
    result = search(graph, 0, goal, oracle)
    assert result.expansions == result.length + 1


def test_searches_in_threads_do_not_disturb_each_other() -> None:
    grid = random_grid(40, 40)
    graph = Mirror(grid).graph
    heuristics = [load_heuristic("phil:forest"), euclidean, zero] * 4

    def run(heuristic: Heuristic) -> dict[str, object]:
        return own_facts(search(graph, (39, 0), (0, 39), heuristic, trace=True))

    alone = list(map(run, heuristics))
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(run, heuristics)) == alone


@pytest.mark.parametrize("heuristic", [random_heuristic(AHEAD)])
def test_a_heuristic_for_another_kind_of_graph_is_refused(heuristic: Heuristic) -> None:
    with pytest.raises(InputError, match="learned"):
        search(ImplicitGraph(lambda n: [n + 1], lambda n: [n, n], 2), 0, 3, heuristic)
    four = ImplicitGraph.on_grid(lambda cell: [], (5, 5), connectivity=4)
    with pytest.raises(InputError, match="8-connected"):
        search(four, (0, 0), (3, 3), heuristic)


def test_a_heuristic_for_other_axes_or_moves_is_refused() -> None:
    six, many = (
        ImplicitGraph.on_grid(lambda cell: [], (5, 5, 5), connectivity=moves) for moves in (6, 26)
    )
    ends = (0, 0, 0), (3, 3, 3)
    with pytest.raises(InputError, match="learned on 2D maps, this one is 3D"):
        search(six, *ends, load_heuristic("phil:forest"))
    network = NetworkSettings(features=3, edge_features=3, width=4, memory=4, walls=6)
    heuristic = random_heuristic(network)
    with pytest.raises(InputError, match="learned on 3D maps, this one is 2D"):
        search(ImplicitGraph.on_grid(lambda cell: [], (5, 5)), (0, 0), (3, 3), heuristic)
    with pytest.raises(InputError, match="6-connected grids; this one is 26-connected"):
        search(many, *ends, heuristic)
    assert search(six, *ends, heuristic).outcome is Outcome.UNREACHABLE
