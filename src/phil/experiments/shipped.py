"""The heuristics inside the package: of each family's trainings, the best on the validation maps.

    python -m phil.experiments.shipped [--families forest,mazes] [--seeds 3]

Trainings of `phil reproduce table1` that are there are taken; missing ones are made.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from phil.errors import InputError
from phil.experiments.table1.columns import COLUMNS
from phil.experiments.table1.study import Study, train_part
from phil.files import write_atomic
from phil.heuristics.catalog import SUFFIX, shipped_folder
from phil.heuristics.phil import read_heuristic
from phil.problems.generated import FAMILIES


def ship(study: Study, family: str, folder: Path) -> Path:
    """Put the best of a family's heuristics into a folder."""
    files = [train_part(study, COLUMNS["phil"], family, seed) for seed in range(study.seeds)]

    def expansions(path: Path) -> float:
        mean: float = read_heuristic(path).metadata.validation["expansions"]["mean"]
        return mean

    best = min(files, key=expansions)
    target = folder / (family + SUFFIX)
    write_atomic(target, best.read_bytes())
    return target


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m phil.experiments.shipped", description="Make the shipped heuristics."
    )
    parser.add_argument("--families", default=",".join(FAMILIES), help="names, comma-separated")
    parser.add_argument("--seeds", type=int, default=3, help="trainings to choose from")
    parser.add_argument("--data", type=Path, default=None, help="folder of the public maps")
    parser.add_argument("--heuristics", type=Path, default=Path("build"))
    chosen = parser.parse_args(arguments)
    study = Study(
        families=chosen.families.split(","),
        methods=("phil",),
        seeds=chosen.seeds,
        data=chosen.data,
        results=chosen.heuristics,
        heuristics=chosen.heuristics,
    )
    try:
        for family in study.families:
            print(ship(study, family, shipped_folder()), flush=True)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
