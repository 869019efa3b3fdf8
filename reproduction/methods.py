"""A method of a table: what is run, or what is trained for it; and its training, done once."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from phil.errors import InputError
from phil.evaluation import Method, Solver
from phil.heuristics.registry import read_any
from phil.problems import Domain
from phil.problems.problem import ProblemSet
from phil.search import GREEDY
from phil.search.bidirectional import BidirectionalMethod
from reproduction.markup import round_to
from reproduction.store import make_folder

# Networks that look at the neighbours of every new node, as the paper's do; most stored results
# that are not Table 1's were measured with such ones.
LOOKING_AHEAD: Mapping[str, Any] = {
    "memory": 16,
    "neighbors": 8,
    "walls": True,
    "trail": "choose",
    "frame": "map",
    "known": 0,
    "lazy": False,
    "plain": 0,
    "hard_candidates": 4,
    "caution": (30.0, 10.0, 0.0, 0.0),
    "objective": "expansions",
    "tune": 0,
}

LOGGED = {"number", "loss", "validation", "part_seconds", "distances"}  # of what is used of a log


@dataclass(frozen=True)
class MethodSpec:
    """A way to search: an unlearned method by its text, or how its heuristic is trained."""

    name: str
    title: str
    text: str = ""
    method: str = ""  # of `phil.train`
    preset: str = "best"
    settings: Mapping[str, Any] = field(default_factory=dict)  # other than the method's own
    quick: Mapping[str, Any] = field(default_factory=dict)  # for small problems and a minute
    printed: Mapping[str, float] = field(default_factory=dict)  # in the paper, by row
    heuristic_of: str = ""  # the method that its heuristic is trained for, if not itself
    both_ends: bool = False  # whether it searches from the goal, too

    @property
    def learned(self) -> bool:
        """Whether it has a heuristic to be trained."""
        return not self.text

    def solver(self, file: Path) -> Solver:
        """Greedy search by a trained heuristic."""
        heuristic = read_any(file, self.name)
        if self.both_ends:
            return BidirectionalMethod(self.name, GREEDY, heuristic)
        return Method(self.name, GREEDY, heuristic)


# Not in the paper, so its claims are not judged by them.
FROM_BOTH_ENDS = (
    MethodSpec("bibfs", "bidirectional BFS", text="bibfs", both_ends=True),
    MethodSpec("bidijkstra", "bidirectional Dijkstra", text="bidijkstra", both_ends=True),
    MethodSpec("biastar", "bidirectional A*", text="biastar(euclidean)", both_ends=True),
    MethodSpec(
        "bidirectional", "bidirectional Euclidean", text="bidirectional(euclidean)", both_ends=True
    ),
)


COUNTED = (
    "Searches from both ends count what either end expands until they meet: start and goal only if "
    "they are expanded, so that up to two nodes of a shortest path need not be."
)


def by_name(*methods: MethodSpec) -> dict[str, MethodSpec]:
    """Methods in the order of a table's columns."""
    return {method.name: method for method in methods}


def train_once(
    output: Path,
    problems: ProblemSet | Domain[Any],
    spec: MethodSpec,
    seed: int,
    *,
    quick: bool,
    features: str | None = None,
) -> Path:
    """Train a heuristic unless its file is there; an interrupted training of PHIL goes on."""
    checkpoint = Path(f"{output}.checkpoint")
    if output.exists():
        # It may have been killed when it was done, before it had removed this.
        shutil.rmtree(checkpoint, ignore_errors=True)
    else:
        # Imported here, so that results can be read and compared where torch is not installed.
        from phil.learning import train
        from phil.learning.checkpoint import is_interrupted
        from phil.learning.plan import AUTO

        make_folder(output.parent)
        train(
            problems,
            method=spec.method,
            preset=spec.preset,
            seed=seed,
            settings=dict(spec.quick if quick else spec.settings),
            features=AUTO if features is None else features,
            output=output,
            resume=is_interrupted(checkpoint),
            workers=1,
        )
    return output


def log_rows(file: Path) -> list[dict[str, Any]]:
    """The iterations in the log of a training; an `InputError` if it is damaged."""
    log = Path(f"{file}.log.jsonl")
    try:
        rows = [json.loads(line) for line in log.read_bytes().splitlines()]
    except (OSError, ValueError, RecursionError) as error:
        raise _damaged(log, file) from error
    if not all(isinstance(row, dict) and row.keys() >= LOGGED for row in rows):
        raise _damaged(log, file)
    return rows


def _damaged(log: Path, file: Path) -> InputError:
    return InputError(f"{log} is missing or damaged; delete {file} to have it trained again")


def training_json(file: Path) -> dict[str, Any]:
    """What a training took, how it went, and how the heuristic that was kept validated."""
    rows = log_rows(file)
    return {
        # Of one core: a part never has more.
        "training_seconds": round(sum(sum(row["part_seconds"].values()) for row in rows), 1),
        "curve": [
            [row["number"], row["validation"]] for row in rows if row["validation"] is not None
        ],
        "loss": [[row["number"], round_to(row["loss"])] for row in rows],
        "validation": read_any(file).metadata.validation,
    }


def training_summary(part: Mapping[str, Any]) -> dict[str, Any]:
    """What a table shows of a training, from the part that did it (see `training_json`)."""
    return {
        "seed": part["seed"],
        "seconds": part["training_seconds"],
        "validation": part["validation"]["expansions"]["mean"],
        "curve": part["curve"],
    }
