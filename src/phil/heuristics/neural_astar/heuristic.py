"""A heuristic learned by Neural A*, ready to guide searches on maps; needs no torch."""

from __future__ import annotations

import weakref
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from phil.graphs import GridGraph, SearchedGraph
from phil.heuristics.file import LearnedHeuristic, Metadata, Tensors
from phil.heuristics.neural_astar import kernel
from phil.heuristics.neural_astar.encoder import (
    EncoderSettings,
    block_of,
    encode,
    picture,
    scaled_down,
    tensor_shapes,
)
from phil.heuristics.obstacles import check_known_map
from phil.memory import check_memory
from phil.search.guide import Expansion, Traits
from phil.search.state import State

Guidance = NDArray[np.float32]  # cost of entering a block of cells


class NeuralAstarMetadata(Metadata):
    """What a heuristic learned by Neural A* is."""

    encoder: EncoderSettings
    block: int = Field(ge=1, le=64)  # side of the cells of a map that the encoder sees as one


class NeuralAstarGuide:
    """Guides one search by a map of guidance costs; every block of cells has one."""

    def __init__(
        self, guidance: Guidance, block: int, grid: GridGraph, start: int, goal: int
    ) -> None:
        self._guidance = guidance
        self._block = block
        self._grid = grid
        self._goal = goal
        self._work = kernel.allocate(grid.size, grid.max_degree, start)
        self._revised = 0

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The cost so far, in guidance costs, and the moves to the goal of each new node."""
        values = np.empty(expansion.new.size)
        self._revised = kernel.score(
            self._work,
            self._grid.arrays,
            self._guidance,
            self._block,
            self._goal,
            expansion.node,
            np.ascontiguousarray(expansion.new),
            values,
        )
        return values

    def revise(self) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """The nodes of OPEN that have a lower cost since the last expansion."""
        work = self._work
        return work.revised[: self._revised].copy(), work.values[: self._revised].copy()

    def run(self, state: State, budget: int) -> int:
        """The whole search, compiled."""
        return kernel.run(
            state,
            self._work,
            self._grid.arrays,
            self._guidance,
            self._block,
            self._goal,
            budget,
        )


class NeuralAstarHeuristic(LearnedHeuristic):
    """A heuristic learned by Neural A*: an encoder's tensors and what they are for.

    The encoder looks at the whole map, scaled down by the block size of its training, once for a
    start and a goal. All cells of a block have the guidance cost of the block (the nearest one,
    not one between blocks: walls are sharp).
    """

    methods = ("neural_astar",)
    metadata_type = NeuralAstarMetadata
    metadata: NeuralAstarMetadata
    KEPT = 4  # problems whose guidance costs are kept

    def __init__(
        self, metadata: NeuralAstarMetadata, tensors: Tensors, name: str | None = None
    ) -> None:
        super().__init__(metadata, tensors, name)
        self._known: list[tuple[weakref.ref[GridGraph], int, int, Guidance]] = []

    @classmethod
    def tensor_shapes(cls, metadata: NeuralAstarMetadata) -> dict[str, tuple[int, ...]]:
        """Name and shape of every tensor of the encoder."""
        return tensor_shapes(metadata.encoder)

    @classmethod
    def samples(cls) -> list[NeuralAstarMetadata]:
        """A small encoder whose costs vary enough for better paths to open nodes to be found."""
        encoder = EncoderSettings(channels=(2, 2), patch=1, most_cost=9.0)
        return [NeuralAstarMetadata(feature_names=("x", "y"), encoder=encoder, block=1)]

    @property
    def traits(self) -> Traits:
        """The encoder sees the whole map."""
        return replace(super().traits, needs_grid=True, needs_whole_graph=True)

    @property
    def summary(self) -> str:
        """The encoder's levels and blocks."""
        channels = ", ".join(map(str, self.metadata.encoder.channels))
        return f"encoder with levels of {channels} channels; blocks of {self.metadata.block} cells"

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> NeuralAstarGuide:
        """A guide for one search; raises `InputError` if the graph is not a map."""
        grid = check_known_map(graph, self.name)
        guidance = self.guidance(grid, start, goal)
        return NeuralAstarGuide(guidance, self.metadata.block, grid, start, goal)

    def guidance(self, grid: GridGraph, start: int, goal: int) -> Guidance:
        """The guidance cost of every block of cells of a map."""
        # One look at the list, so that other threads may replace it meanwhile.
        known = self._known
        for reference, known_start, known_goal, guidance in known:
            if reference() is grid and (known_start, known_goal) == (start, goal):
                return guidance
        metadata, block = self.metadata, self.metadata.block
        check_memory(self._bytes(grid), f"the encoder's view of a map of {grid.size:,} cells")
        seen = scaled_down(grid, block, start, goal)
        image = picture(seen, block_of(grid, block, start), block_of(grid, block, goal))
        guidance = encode(metadata.encoder, self.tensors, image)
        self._known = [(weakref.ref(grid), start, goal, guidance), *known[: self.KEPT - 1]]
        return guidance

    def _bytes(self, grid: GridGraph) -> int:
        """About what the encoder's largest images take."""
        encoder = self.metadata.encoder
        cells = grid.size // (self.metadata.block * encoder.patch) ** 2
        return 4 * cells * 6 * max(2 * encoder.patch**2, *encoder.channels[:2])
