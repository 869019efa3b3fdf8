"""A folder of graphs or maps that is larger than memory: its files are read when they are used.

Its problems are those that `phil.problems.folder` makes of a folder that fits: the same names, the
same starts and goals, in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.graphs.formats import read_graph
from phil.problems.folder_files import kind_of, names_digest, split_files
from phil.problems.lazy import Store
from phil.problems.pairs import Pair, graph_pairs, pairs_per_graph, problem_name
from phil.problems.problem import SPLITS, Problem


@dataclass(frozen=True)
class FolderRecipe:
    """All that the problems of a folder depend on, but the files themselves."""

    folder: str  # as it was named
    place: str
    digest: str  # of the names of its files: others would be other problems
    kind: str  # of all its graphs
    pairs: str
    seed: int
    counts: tuple[int | None, ...]  # of problems, by split
    weight: str | None

    def open(self) -> FolderStore:
        """Open the folder, in whatever process."""
        place = Path(self.place)
        splits = split_files(place)
        if names_digest(splits, place) != self.digest:
            raise InputError(f"{self.folder} has other files than where it was opened first")
        names = [
            [file.relative_to(place).as_posix() for file in splits.get(split, ())]
            for split in SPLITS
        ]
        return FolderStore(self, names)


class FolderStore(Store):
    """The problems of a folder with files of these names, by split."""

    def __init__(self, recipe: FolderRecipe, names: Sequence[Sequence[str]]) -> None:
        self._recipe = recipe
        parts = list(zip(names, recipe.counts, strict=True))
        self._turns = [
            pairs_per_graph(recipe.folder, len(files), recipe.pairs, count)
            for files, count in parts
        ]
        # As many graphs take turns in a split.
        self._used = [files if count is None else files[:count] for files, count in parts]
        counts = [
            len(used) if count is None else min(count, turns * len(used))
            for used, turns, (_, count) in zip(self._used, self._turns, parts, strict=True)
        ]
        super().__init__(recipe.folder, recipe, counts)
        self._pairs: dict[tuple[int, int], list[Pair]] = {}  # by split and graph, once drawn

    def problem(self, number: int) -> Problem:
        """The problem with a number, on a graph that is read if need be."""
        split, turn, place = self._place(number)
        recipe, name = self._recipe, self._used[split][place]
        graph = self.graphs.get(name, lambda: self._read(name))
        pairs = self._pairs.get((split, place))
        if pairs is None:
            pairs = graph_pairs(
                graph, recipe.folder, name, recipe.pairs, recipe.seed, self._turns[split]
            )
            self._pairs[split, place] = pairs
        named = problem_name(recipe.folder, name, turn, recipe.counts[split])
        return Problem(graph, *pairs[turn], named)

    def graph_of(self, number: int) -> int:
        """The number of a problem's graph."""
        split, _, place = self._place(number)
        return place * len(SPLITS) + split

    def _place(self, number: int) -> tuple[int, int, int]:
        """The split of a problem, and the turn and the place of its graph there."""
        split = next(k for k, end in enumerate(self.ends[1:]) if number < end)
        turn, place = divmod(number - self.ends[split], len(self._used[split]))
        return split, turn, place

    def _read(self, name: str) -> AnyGraph:
        recipe = self._recipe
        graph = read_graph(Path(recipe.place) / name, weight=recipe.weight)
        if kind_of(graph) != recipe.kind:
            raise InputError(
                f"{recipe.folder} holds {recipe.kind} and {kind_of(graph)} ({name}); keep one kind "
                "in a folder"
            )
        return graph
