"""The problems that a page can open: presets, random maps, drawn maps, and files."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError, unknown_name
from phil.evaluation.methods import default_method
from phil.graphs import AnyGraph, GridGraph
from phil.play.ends import far_apart
from phil.play.presets import preset
from phil.play.protocol import (
    AnyProblem,
    FileProblem,
    GeneratedProblem,
    GivenProblem,
    MapProblem,
    PresetProblem,
)
from phil.problems.generated import FAMILIES, generate_maps, worlds
from phil.problems.generated.spaces import generate_world
from phil.problems.problem import Problem

MOST_CELLS = 1024 * 1024
MOST_NODES = 1_000_000
MOST_EDGES = 4_000_000
SHAPE = (101, 101)  # of a random map, if none is given
SPACE = "space"  # the family of 3D worlds
# Random maps of other kinds than the families, by name.
KINDS: dict[str, Callable[[int, int, np.random.Generator], NDArray[np.bool_]]] = {
    each.__name__: each for each in worlds.KINDS
}


@dataclass(frozen=True)
class Scene:
    """What a page shows: a problem, how the page can ask for it again, and what to race on it."""

    problem: Problem
    source: AnyProblem
    name: str
    text: str = ""
    methods: tuple[str, ...] = ()

    @property
    def graph(self) -> AnyGraph:
        """The graph of the problem."""
        return self.problem.graph

    @property
    def kind(self) -> str:
        """`graph`, `grid2d` or `grid3d`."""
        return kind_of(self.graph)

    def between(self, start: int, goal: int) -> Scene:
        """The same with other ends; raises `InputError` if they are no nodes."""
        return replace(self, problem=Problem(self.graph, start, goal, name=self.name))

    def edited(
        self,
        cells: NDArray[np.int32],
        free: NDArray[np.uint8],
        connectivity: int | None,
        corners: str | None,
    ) -> Scene:
        """The same map with some cells changed, and other rules if any are given."""
        graph = self.graph
        if not graph.is_grid:
            raise InputError("only maps can be drawn on; this is a graph")
        if cells.size != free.size:
            raise InputError(f"{cells.size} cells, but {free.size} values")
        if cells.size and not (cells.min() >= 0 and cells.max() < graph.size):
            raise InputError(f"a cell is off the map, which has {graph.size} cells")
        changed = graph.free.copy()
        changed.reshape(-1)[cells] = free != 0
        grid = with_rules(graph, changed, connectivity, corners)
        source = MapProblem(source="map", shape=list(grid.shape))
        problem = Problem(grid, self.problem.start, self.problem.goal, name=self.name)
        return replace(self, problem=problem, source=source)


@dataclass
class Library:
    """What can be opened here: everybody's problems, those of the command line, dropped files."""

    given: Sequence[Problem] = ()
    given_name: str = ""
    files: dict[str, tuple[str, AnyGraph]] = field(default_factory=dict)  # by id

    def open(
        self,
        source: AnyProblem,
        start: int | None = None,
        goal: int | None = None,
        free: NDArray[np.uint8] | None = None,
    ) -> Scene:
        """Open a problem.

        Parameters
        ----------
        source
            Which one.
        start, goal : optional
            Its ends; by default it has its own.
        free : optional
            The cells of a drawn map, if the source does not have them.

        Raises
        ------
        InputError
            If there is no such problem, or it is too large.
        """
        scene = self._opened(source, free)
        check_size(scene.graph)
        scene = _ruled(scene, source)
        if start is not None or goal is not None:
            old = scene.problem
            scene = scene.between(
                old.start if start is None else start, old.goal if goal is None else goal
            )
        return scene if scene.methods else replace(scene, methods=methods_for(scene.problem))

    def _opened(self, source: AnyProblem, free: NDArray[np.uint8] | None) -> Scene:
        if isinstance(source, PresetProblem):
            chosen = preset(source.name)
            return Scene(chosen.problem(), source, chosen.title, chosen.text, chosen.methods)
        if isinstance(source, GeneratedProblem):
            name = f"{source.family}, seed {source.seed}"
            return _scene(generated_map(source), source, name)
        if isinstance(source, MapProblem):
            return _scene(GridGraph(_cells(source, free)), source, "drawn map")
        if isinstance(source, FileProblem):
            if source.id not in self.files:
                raise InputError("this file is no longer open; drop it onto the page again")
            name, graph = self.files[source.id]
            return _scene(graph, source, name)
        assert isinstance(source, GivenProblem)
        if not source.index < len(self.given):
            raise InputError(
                f"there is no problem {source.index}: {len(self.given)} were given to phil play"
            )
        problem = self.given[source.index]
        return Scene(problem, source, problem.name or self.given_name)

    def keep(self, name: str, graph: AnyGraph) -> FileProblem:
        """Remember a dropped graph; only the last few are kept."""
        check_size(graph)
        number = 1 + max((int(each) for each in self.files), default=0)
        self.files[str(number)] = name, graph
        while len(self.files) > KEPT:
            del self.files[next(iter(self.files))]
        return FileProblem(source="file", id=str(number))


KEPT = 4  # dropped files


def kind_of(graph: AnyGraph) -> str:
    """`graph`, `grid2d` or `grid3d`.

    >>> kind_of(GridGraph([[True]]))
    'grid2d'
    """
    return f"grid{graph.axes}d" if graph.is_grid else "graph"


def families() -> list[dict[str, Any]]:
    """The families of random maps, for the page."""
    flat = [*FAMILIES, *KINDS]
    listed = [{"name": name, "title": name.replace("_", " "), "axes": 2} for name in flat]
    return [*listed, {"name": SPACE, "title": "boxes and walls in 3D", "axes": 3}]


def generated_map(source: GeneratedProblem) -> GridGraph:
    """A random map of a family; the same for the same seed and shape.

    >>> kind = GeneratedProblem(source="generated", family="caves", seed=3, shape=[40, 50])
    >>> generated_map(kind).shape
    (40, 50)
    """
    family = source.family
    if family == SPACE:
        return GridGraph(generate_world(np.random.default_rng(source.seed), (24, 40)))
    shape = tuple(source.shape or SHAPE)
    if len(shape) != 2:
        raise InputError(f"maps of the family {family} have two axes, not {len(shape)}")
    _check_cells(shape)
    if family in KINDS:
        if min(shape) < 20:
            raise InputError(f"a random map needs at least 20 rows and columns, not {shape}")
        free = KINDS[family](*shape, np.random.default_rng(source.seed))
        if not free.any():
            raise InputError(f"{family}, seed {source.seed}: this map has no free cell")
        return GridGraph(free)
    if family not in FAMILIES:
        raise unknown_name("family", family, [*FAMILIES, *KINDS, SPACE])
    return GridGraph(generate_maps(family, 1, source.seed, "train", (shape[0], shape[1]))[0])


def with_rules(
    grid: GridGraph, free: NDArray[np.bool_], connectivity: int | None, corners: str | None
) -> GridGraph:
    """A map with the rules of another, but for those that are given."""
    rule: Any = grid.corners if corners is None else corners
    moves = grid.connectivity if connectivity is None else connectivity
    cost = grid.diagonal_cost if grid.axes == 2 else None
    return GridGraph(free, connectivity=moves, corners=rule, diagonal_cost=cost)


def methods_for(problem: Problem) -> tuple[str, ...]:
    """Methods that are good to race on a problem."""
    graph = problem.graph
    if graph.is_grid:
        best = "astar(octile)" if graph.axes == 2 else "astar(euclidean)"
        return default_method(problem), "greedy(euclidean)", best
    if graph.feature_names:
        return "greedy(euclidean)", "astar(landmarks)", "bidijkstra"
    return "bibfs", "astar(landmarks)", "bfs"


def check_size(graph: AnyGraph) -> None:
    """Refuse what a page cannot show."""
    if graph.is_grid:
        _check_cells(graph.shape)
    elif graph.num_nodes > MOST_NODES or graph.num_edges > MOST_EDGES:
        raise InputError(
            f"the graph has {graph.num_nodes:,} nodes and {graph.num_edges:,} edges; the playground"
            f" shows up to {MOST_NODES:,} and {MOST_EDGES:,}"
        )


def encode_cells(free: NDArray[np.bool_]) -> str:
    """The cells of a map as a text, for states.

    >>> encode_cells(np.ones((2, 4), bool))
    '-w8A'
    """
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(np.packbits(free).tobytes()) + packer.flush()
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def decode_cells(text: str, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """The cells that a text stands for; raises `InputError` if they do not fit the shape.

    >>> decode_cells("-w8A", (2, 4)).all()
    np.True_
    """
    count = prod(shape)
    size = -(-count // 8)
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
        bits = zlib.decompressobj(wbits=-15).decompress(packed, size + 1)
    except (binascii.Error, zlib.error, ValueError) as error:
        raise InputError("the cells of the map are damaged") from error
    if len(bits) != size:
        raise InputError(f"the cells of the map do not fit its shape, {shape}")
    return np.unpackbits(np.frombuffer(bits, np.uint8), count=count).astype(bool).reshape(shape)


def _cells(source: MapProblem, free: NDArray[np.uint8] | None) -> NDArray[np.bool_]:
    shape = tuple(source.shape)
    _check_cells(shape)
    if source.cells is not None:
        return decode_cells(source.cells, shape)
    if free is None:
        raise InputError("a map without cells")
    if free.size != prod(shape):
        raise InputError(f"the cells of the map do not fit its shape, {shape}")
    return np.asarray(free != 0).reshape(shape)


def _check_cells(shape: Sequence[int]) -> None:
    if prod(shape) > MOST_CELLS:
        raise InputError(
            f"a map of {' x '.join(map(str, shape))} cells; the playground shows up to "
            f"{MOST_CELLS:,}, as 1024 x 1024"
        )


def _scene(graph: AnyGraph, source: AnyProblem, name: str) -> Scene:
    return Scene(Problem(graph, *far_apart(graph), name=name), source, name)


def _ruled(scene: Scene, source: AnyProblem) -> Scene:
    """The scene with the rules that its source asks for, if it is a map."""
    graph = scene.graph
    if not graph.is_grid or (source.connectivity, source.corners) == (None, None):
        return scene
    grid = with_rules(graph, graph.free, source.connectivity, source.corners)
    old = scene.problem
    return replace(scene, problem=Problem(grid, old.start, old.goal, name=scene.name))


def spec(source: AnyProblem) -> Mapping[str, Any]:
    """A source as the page writes it."""
    return source.model_dump(exclude_none=True)
