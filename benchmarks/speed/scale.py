"""How much is measured: everything, or a minute's worth on small maps."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from phil.graphs import GridGraph
from phil.problems import Problem, ProblemSet, open_set
from phil.problems.generated import FAMILIES, generate_maps

QUICK_FAMILIES = ("forest", "mazes")
QUICK_SIDE = 61
QUICK_MAPS = {"train": 12, "validation": 6, "test": 4}
QUICK_TRAINING = {"iterations": 2, "hard_candidates": 0, "steps": 4, "rollouts": 3, "horizon": 300}


@dataclass(frozen=True)
class Scale:
    """What to measure on, and where what is trained for it is kept."""

    quick: bool
    data: Path | None  # the folder of the public maps; None: PHIL_DATA, or the user's cache
    build: Path

    @property
    def families(self) -> tuple[str, ...]:
        """The grid families to measure."""
        return QUICK_FAMILIES if self.quick else FAMILIES

    @property
    def training(self) -> dict[str, int]:
        """What is changed of the default preset where something is trained."""
        return QUICK_TRAINING if self.quick else {}

    def problems(self, family: str) -> ProblemSet:
        """The maps of a family: the public ones, or a few small generated ones."""
        if not self.quick:
            return open_set(f"grids/{family}", data=self.data)
        return ProblemSet(f"generated/{family}", *(_small(family, split) for split in QUICK_MAPS))


def _small(family: str, split: str) -> tuple[Problem, ...]:
    last = QUICK_SIDE - 1
    shape = (QUICK_SIDE, QUICK_SIDE)
    maps = generate_maps(family, QUICK_MAPS[split], seed=0, split=split, shape=shape)
    grids = [GridGraph(free) for free in maps]
    return tuple(
        Problem(grid, grid.node(last, 0), grid.node(0, last), f"{family}/{split}/{number}")
        for number, grid in enumerate(grids)
    )
