"""The eight grid families: PHIL with both presets against classical search, on the test maps.

    python -m phil.experiments.grids [--families forest,mazes] [--presets best,paper] [--seeds 3]

Every (preset, family, seed) is a part: trained on the public train and validation maps, run on the
test maps, and kept as a JSON file that is never made again. The table of all parts is written to
`benchmarks/results/grids.json` and `docs/grids.md`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from phil.errors import InputError, unknown_name
from phil.evaluation import Method, MethodScore, evaluate, parse_method
from phil.experiments.grids_page import DEPTH_CONTROL, markdown
from phil.files import write_atomic
from phil.graphs import GridGraph
from phil.heuristics.geometric import Euclidean
from phil.heuristics.phil import read_heuristic
from phil.learning import train
from phil.problems import open_set
from phil.problems.generated import FAMILIES, generate_maps
from phil.problems.grids import repeated_maps
from phil.problems.problem import Problem, ProblemSet
from phil.search import GREEDY, Key

CONTROL = Method(DEPTH_CONTROL, Key(g=0.0, h=1.0, depth=-0.8), Euclidean)
CLASSICAL = ("bfs", "astar", "euclidean", "manhattan", "oracle")

# Table 1 of the paper, column PHIL. Its unit is not said: a ratio to A* (as in its appendix D), or
# that of its other columns, (expansions - 200) / 4800.
PAPER = {
    "alternating_gaps": 0.024,
    "single_bugtrap": 0.077,
    "shifting_gaps": 0.027,
    "forest": 0.027,
    "bugtrap_forest": 0.135,
    "gaps_and_forest": 0.039,
    "mazes": 0.069,
    "multiple_bugtraps": 0.136,
}
# Expansions that this implementation must stay below, and those that it aims at: the least that the
# paper, a classical search, or a prototype of ours had.
TARGETS = {
    "alternating_gaps": (406, 289),
    "single_bugtrap": (1066, 400),
    "shifting_gaps": (355, 290),
    "forest": (324, 281),
    "bugtrap_forest": (1998, 528),
    "gaps_and_forest": (805, 535),
    "mazes": (846, 301),
    "multiple_bugtraps": (2555, 719),
}
PRESETS = ("best", "paper")
MOST_SEEDS = 100
QUICK = {"iterations": 4, "hard_candidates": 0, "steps": 5, "rollouts": 4, "horizon": 400}


@dataclass(frozen=True)
class Study:
    """What to run, and where it is kept."""

    families: Sequence[str]
    presets: Sequence[str]
    seeds: int
    data: Path | None
    parts: Path  # one JSON file per part
    heuristics: Path  # the trained files
    quick: bool = False

    def problems(self, family: str) -> ProblemSet:
        """The maps of a family: the public ones, or a few small generated ones."""
        if family not in FAMILIES:
            raise unknown_name("family", family, FAMILIES)
        if not self.quick:
            return open_set(f"grids/{family}", data=self.data)
        return ProblemSet(
            f"generated/{family}", *(_small_maps(family, split) for split in _QUICK_SPLITS)
        )

    def part(self, preset: str, family: str, seed: int) -> Path:
        """Where a part is kept."""
        return self.parts / f"{preset}-{family}-{seed}.json"

    def heuristic(self, preset: str, family: str, seed: int) -> Path:
        """Where a part's heuristic is kept."""
        return self.heuristics / f"{preset}-{family}-{seed}.safetensors"


_QUICK_SPLITS = {"train": 12, "validation": 6, "test": 6}


def _small_maps(family: str, split: str) -> tuple[Problem, ...]:
    maps = generate_maps(family, _QUICK_SPLITS[split], seed=0, split=split, shape=(61, 61))
    graphs = [GridGraph(free) for free in maps]
    return tuple(Problem(graph, graph.node(60, 0), graph.node(0, 60)) for graph in graphs)


def train_part(study: Study, preset: str, family: str, seed: int) -> Path:
    """Train one heuristic unless its file is there; an interrupted training goes on."""
    output = study.heuristic(preset, family, seed)
    if not output.exists():
        output.parent.mkdir(parents=True, exist_ok=True)
        began = Path(f"{output}.checkpoint").exists()
        settings = dict(QUICK) if study.quick else None
        train(
            study.problems(family),
            preset=preset,
            seed=seed,
            settings=settings,
            output=output,
            resume=began,
        )
    return output


def run_part(study: Study, preset: str, family: str, seed: int) -> None:
    """Train and test one part, unless it is there."""
    path = study.part(preset, family, seed)
    if path.exists():
        return
    began = time.monotonic()
    heuristic = read_heuristic(train_part(study, preset, family, seed), f"phil ({preset})")
    seconds = time.monotonic() - began
    method = Method(f"phil ({preset})", GREEDY, heuristic)
    [score] = evaluate(study.problems(family).test, [method])
    document = {
        "preset": preset,
        "family": family,
        "seed": seed,
        "training_seconds": round(seconds, 1),
        "validation": heuristic.metadata.validation,
        "test": _score_json(score),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, json.dumps(document, indent=1).encode())


def run_classical(study: Study, family: str) -> None:
    """Run the methods that need no learning, unless their part is there."""
    path = study.part("classical", family, 0)
    if path.exists():
        return
    problems = study.problems(family)
    methods = [*(parse_method(text) for text in CLASSICAL), CONTROL]
    scores = evaluate(problems.test, methods)
    repeated = sorted(repeated_maps(problems))
    names = [problem.name for problem in problems.test]
    document = {
        "family": family,
        "repeated": [names.index(name) for name in repeated],
        "methods": {score.method: _score_json(score) for score in scores},
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, json.dumps(document, indent=1).encode())


def _score_json(score: MethodScore) -> dict[str, Any]:
    """Expansions on each map (null where there is no path), and the means of the rest."""
    return {
        "expansions": [run.result.expansions if run.result.solved else None for run in score.runs],
        "cost_ratio": score.cost_ratio.mean,
        "milliseconds": score.milliseconds.mean,
    }


def assemble(study: Study) -> dict[str, Any]:
    """The table of all parts that are there."""
    table: dict[str, Any] = {}
    for family in study.families:
        path = study.part("classical", family, 0)
        if not path.exists():
            continue
        classical = json.loads(path.read_text())
        repeated = set(classical["repeated"])
        must, goal = TARGETS[family]
        row: dict[str, Any] = {
            "must": must,
            "goal": goal,
            "paper": {
                "printed": PAPER[family],
                "as_ratio_to_astar": PAPER[family]
                * _mean(classical["methods"]["astar"]["expansions"]),
                "as_sail_unit": 200 + 4800 * PAPER[family],
            },
            "test_maps": len(classical["methods"]["oracle"]["expansions"]),
            "solvable": _count(classical["methods"]["oracle"]["expansions"]),
            "repeated": len(repeated),
            "methods": {
                name: _summary([method], repeated) for name, method in classical["methods"].items()
            },
        }
        for preset in study.presets:
            parts = [study.part(preset, family, seed) for seed in range(study.seeds)]
            found = [json.loads(part.read_text()) for part in parts if part.exists()]
            if found:
                row["methods"][f"phil ({preset})"] = _summary(
                    [part["test"] for part in found], repeated
                ) | {
                    "seeds": {
                        str(part["seed"]): {
                            "test": _mean(part["test"]["expansions"]),
                            "validation": part["validation"]["expansions"]["mean"],
                            "training_seconds": part["training_seconds"],
                        }
                        for part in found
                    }
                }
        table[family] = row
    return {"command": "python -m phil.experiments.grids", "families": table}


def _count(expansions: Sequence[int | None]) -> int:
    return sum(value is not None for value in expansions)


def _mean(expansions: Sequence[int | None]) -> float:
    return float(np.mean([value for value in expansions if value is not None]))


def _summary(runs: Sequence[dict[str, Any]], repeated: set[int]) -> dict[str, Any]:
    """Mean over runs (seeds) of the mean over maps, its spread, and the same on new maps only."""
    means = [_mean(run["expansions"]) for run in runs]
    new = [
        [value for k, value in enumerate(run["expansions"]) if k not in repeated] for run in runs
    ]
    return {
        "solved": [_count(run["expansions"]) for run in runs],
        "expansions": float(np.mean(means)),
        "deviation": float(np.std(means, ddof=1)) if len(means) > 1 else None,
        "median": float(
            np.mean([np.median([v for v in run["expansions"] if v is not None]) for run in runs])
        ),
        "on_new_maps": float(np.mean([_mean(values) for values in new]))
        if _count(new[0])
        else None,
        "cost_ratio": float(np.mean([run["cost_ratio"] for run in runs])),
        "milliseconds": float(np.mean([run["milliseconds"] for run in runs])),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m phil.experiments.grids", description="PHIL on the eight grid families."
    )
    parser.add_argument("--families", default=",".join(FAMILIES), help="names, comma-separated")
    parser.add_argument("--presets", default="best,paper", help="best, paper or both")
    parser.add_argument("--seeds", type=int, default=3, help="trainings per family and preset")
    parser.add_argument("--data", type=Path, default=None, help="folder of the public maps")
    parser.add_argument("--results", type=Path, default=Path("benchmarks/results"))
    parser.add_argument("--heuristics", type=Path, default=Path("build/grids"))
    parser.add_argument("--docs", type=Path, default=Path("docs"))
    parser.add_argument("--quick", action="store_true", help="small generated maps, one minute")
    chosen = parser.parse_args(arguments)
    study = Study(
        families=chosen.families.split(","),
        presets=chosen.presets.split(","),
        seeds=chosen.seeds,
        data=chosen.data,
        parts=chosen.results / "grids",
        heuristics=chosen.heuristics,
        quick=chosen.quick,
    )
    try:
        run(study)
        results = assemble(replace(study, families=FAMILIES, presets=PRESETS, seeds=MOST_SEEDS))
        chosen.docs.mkdir(parents=True, exist_ok=True)
        write_atomic(chosen.results / "grids.json", json.dumps(results, indent=1).encode())
        write_atomic(chosen.docs / "grids.md", markdown(results).encode())
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(markdown(results))
    return 0


def run(study: Study) -> None:
    """Make every part of a study that is not there yet."""
    for family in study.families:
        run_classical(study, family)
    for seed in range(study.seeds):
        for preset in study.presets:
            for family in study.families:
                run_part(study, preset, family, seed)
                print(f"{preset} {family} seed {seed}: done", flush=True)


if __name__ == "__main__":
    sys.exit(main())
