"""`python -m reproduction one-map`: a heuristic for each of eight published maps.

For every map, PHIL is trained on random pairs of cells, validated on others, and tested on 200
lines of the map's scenario file, as are methods that learn nothing. With `--quick`, two small
generated maps are trained on for a moment and tested on random pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from phil.evaluation import MethodScore, evaluate, parse_method
from phil.evaluation.timing import interleaved
from phil.graphs import GridGraph
from phil.graphs.formats.movingai import read_movingai_map, read_scenarios
from phil.heuristics.registry import SUFFIX
from phil.problems.generated import generate_maps
from phil.problems.pairs import seeded, single_graph_set
from phil.problems.problem import Problem, ProblemSet
from phil.search.method import Searcher
from reproduction.experiment import Document, Experiment, Request, Value
from reproduction.markup import Section, count, round_to, short, with_spread
from reproduction.methods import MethodSpec, by_name, train_once, training_json
from reproduction.page import Page
from reproduction.runner import Part, Stage
from reproduction.scenarios import find_maps
from reproduction.scores import deviation
from reproduction.sections import CellWriter, cell, table
from reproduction.store import Content, Parts

# The first ones of their folders by name that have at least 10,000 free cells; of cities, of those
# with 512 x 512 cells.
MAPS = (
    "dao/arena2",
    "dao/brc202d",
    "da2/ca_caverns1",
    "bg512/AR0011SR",
    "sc1/Aftershock",
    "wc3maps512/battleground",
    "cities/Berlin_0_512",
    "rooms/16room_000",
)
QUICK_MAPS = ("forest", "mazes")
QUICK_SIDE, QUICK_PAIRS = 41, 20
TESTED = 200  # lines of a scenario file
ROUNDS = 3  # of timing
SETTINGS = {"iterations": 2, "rollouts": 4, "steps": 4, "candidates": 1}
METHODS = by_name(
    MethodSpec("astar", "A*", "astar(octile)"),
    MethodSpec("euclidean", "greedy Euclidean", "greedy(euclidean)"),
    MethodSpec("landmarks", "greedy landmarks", "greedy(landmarks)"),
    MethodSpec("phil", "PHIL", method="phil", quick=SETTINGS),
    MethodSpec("fewest", "shortest path", "oracle"),
)
TIMED = ("astar", "euclidean", "landmarks", "phil")
LEARNED, RIVAL, FEWEST = "phil", "landmarks", "fewest"
ABOUT = [
    "One heuristic per map, trained by `phil train MAP` with its default settings: 600 random "
    "pairs of cells for training, 60 for validation, and the distances to 16 landmarks beside the "
    "coordinates as features. Tested on 200 lines of the map's published scenario file, drawn at "
    "random once; diagonal moves cost sqrt 2 and cut no corners. The maps are the first ones by "
    "name of each family with at least 10,000 free cells (of the cities, those of 512 x 512).",
    "*A** has the octile distance. *Greedy landmarks* is greedy search with the lower bound from "
    "the same 16 landmarks. *Shortest path* is the number of nodes on a path with the fewest "
    "moves: no search that expands every node of its path can expand fewer, so it limits what can "
    "be gained. Expansions and calls (of the function that computes a node's neighbours) are equal "
    "up to the goal, since none of the methods looks ahead.",
]


class OneMap(Experiment):
    """PHIL on single maps, against searches that learn nothing."""

    name = "one-map"
    title = "One map, many queries"

    def stages(self, request: Request) -> list[Stage]:
        """A part for each map and seed; they are timed, so one runs at a time."""
        maps = QUICK_MAPS if request.quick else MAPS
        return [
            Stage(
                [
                    Part(_part_name(name, seed), partial(_part, request, name, seed))
                    for seed in range(1 if request.quick else request.seeds)
                    for name in maps
                ],
                alone=True,
            )
        ]

    def assemble(self, parts: Parts, *, quick: bool) -> Document:
        """Every map's means over its seeds, and the means over the maps."""
        maps = {
            name: _over_seeds(found)
            for name in (QUICK_MAPS if quick else MAPS)
            if (found := [part for part in parts.values() if part["map"] == name])
        }
        return {"maps": maps, "overall": _overall(maps)} if maps else {"maps": {}, "overall": {}}

    def page(self, document: Document, request: Request) -> Page:
        """Expansions, costs and times."""
        rows = document["maps"]
        parts = [
            Section("What is compared", ABOUT),
            self.summary(document),
            _by_method(
                "Cost of the paths",
                "Mean cost over that of a cheapest path.",
                rows,
                "cost_ratio",
                lambda value: f"{value:.3f}",
                [name for name in METHODS if name != FEWEST],
            ),
            _by_method(
                "Milliseconds per query",
                "Time of one core, the median of three rounds in which the methods take turns.",
                rows,
                "milliseconds",
                lambda value: f"{value:.3f}",
                TIMED,
            ),
            table(
                "Trainings",
                "By seed: seconds on one core, and mean expansions on the validation pairs.",
                {
                    "map": "map",
                    "free cells": cell("free", lambda free: f"{free:,}"),
                    "seconds": cell("training_seconds", _listed(short)),
                    "validation": cell("validation", _listed(count)),
                },
                ({"map": name, **row} for name, row in rows.items()),
            ),
        ]
        return Page(self.title, document["command"], parts, focus=METHODS[LEARNED].title)

    def values(self, document: Document) -> dict[str, Value]:
        """Mean expansions of PHIL."""
        return {
            name: Value(row[LEARNED]["expansions"], row["deviation"])
            for name, row in document["maps"].items()
        }

    def summary(self, document: Document) -> Section:
        """Expansions on every map, and the geometric means of the ratios."""
        overall = document["overall"]
        text = f"Made by `{document['command']}`. Mean expansions."
        if overall:
            text += (
                f" Geometric means over the maps: PHIL over greedy landmarks {overall['ratio']:.3f}"
                f" (shortest paths {overall['floor']:.3f}) in expansions and {overall['time']:.2f} "
                f"in time. Mean cost over the cheapest: PHIL {overall['cost_ratio']:.3f}, greedy "
                f"landmarks {overall['rival_cost_ratio']:.3f}."
            )

        def expansions(name: str) -> CellWriter:
            return lambda row: with_spread(
                row[name]["expansions"], row["deviation"] if name == LEARNED else None, count
            )

        return table(
            "Expansions",
            text,
            {
                "map": "map",
                **{spec.title: expansions(name) for name, spec in METHODS.items()},
                "PHIL / landmarks": cell("ratio", lambda value: f"{value:.3f}"),
                "shortest / landmarks": cell("floor", lambda value: f"{value:.3f}"),
                "time, PHIL / landmarks": cell("time", lambda value: f"{value:.2f}"),
            },
            ({"map": name, **row} for name, row in document["maps"].items()),
        )


def _part_name(name: str, seed: int) -> str:
    return f"{name.replace('/', '-')}-{seed}"


def _part(request: Request, name: str, seed: int) -> Content:
    problems = quick_set(name) if request.quick else published_set(request, name)
    spec = METHODS[LEARNED]
    file = request.heuristics / request.named(OneMap.name) / f"{_part_name(name, seed)}{SUFFIX}"
    train_once(file, problems, spec, seed, quick=request.quick)
    solvers: dict[str, Searcher] = {
        each.name: each.solver(file) if each.learned else parse_method(each.text)
        for each in METHODS.values()
    }
    scores = evaluate(problems.test, [*solvers.values()])
    found: Content = dict(zip(solvers, map(_score, scores), strict=True))
    for each, seconds in _seconds(problems.test, {n: solvers[n] for n in TIMED}).items():
        found[each]["milliseconds"] = round_to(1000 * seconds)
    training = training_json(file)
    return {
        "map": name,
        "seed": seed,
        "free": problems.test[0].graph.num_nodes,
        "methods": found,
        "training_seconds": training["training_seconds"],
        "validation": training["validation"],
    }


def published_set(request: Request, name: str) -> ProblemSet:
    """Random pairs for training and validation, and lines of the scenario file for testing."""
    path = find_maps(request.data) / f"{name}.map"
    grid = read_movingai_map(path)
    lines = [
        line
        for line in read_scenarios(path.with_name(f"{path.name}.scen"))
        # Some lines of wc3maps512 lead to obstacles.
        if line.start != line.goal and grid.free[line.start] and grid.free[line.goal]
    ]
    chosen = seeded("one-map", name).choice(len(lines), min(TESTED, len(lines)), replace=False)
    test = tuple(
        Problem(grid, grid.node(*lines[k].start), grid.node(*lines[k].goal), f"{name}/{k}")
        for k in sorted(chosen.tolist())
    )
    drawn = single_graph_set(name, grid)
    return ProblemSet(name, drawn.train, drawn.validation, test)


def quick_set(name: str) -> ProblemSet:
    """Random pairs on a small generated map."""
    [free] = generate_maps(name, 1, seed=0, shape=(QUICK_SIDE, QUICK_SIDE))
    return single_graph_set(name, GridGraph(free), count=QUICK_PAIRS)


def _score(score: MethodScore) -> Content:
    return {
        "expansions": round_to(score.expansions.mean, 6),
        "calls": round_to(score.calls.mean, 6),
        "cost_ratio": round_to(score.cost_ratio.mean, 6),
        "solved": len(score.solved),
    }


def _seconds(problems: Sequence[Problem], solvers: Mapping[str, Searcher]) -> dict[str, float]:
    """Mean seconds of a query with each method."""

    def all_of(solver: Searcher) -> None:
        for problem in problems:
            solver.search(problem)

    jobs = {name: partial(all_of, solver) for name, solver in solvers.items()}
    rounds = interleaved(jobs, ROUNDS)
    return {name: float(np.median(each)) / len(problems) for name, each in rounds.items()}


def _over_seeds(parts: Sequence[Content]) -> dict[str, Any]:
    parts = sorted(parts, key=lambda part: int(part["seed"]))
    means: dict[str, Any] = {
        name: {
            key: float(np.mean([part["methods"][name][key] for part in parts]))
            for key in parts[0]["methods"][name]
        }
        for name in METHODS
    }
    times = [part["methods"][LEARNED]["milliseconds"] for part in parts]
    rival = [part["methods"][RIVAL]["milliseconds"] for part in parts]
    return {
        **means,
        "free": parts[0]["free"],
        "deviation": deviation([part["methods"][LEARNED]["expansions"] for part in parts]),
        "ratio": means[LEARNED]["expansions"] / means[RIVAL]["expansions"],
        "floor": means[FEWEST]["expansions"] / means[RIVAL]["expansions"],
        "time": _geometric(np.divide(times, rival).tolist()),
        "training_seconds": [part["training_seconds"] for part in parts],
        "validation": [part["validation"]["expansions"]["mean"] for part in parts],
    }


def _overall(maps: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    rows = maps.values()
    return {
        **{key: _geometric([row[key] for row in rows]) for key in ("ratio", "floor", "time")},
        "cost_ratio": float(np.mean([row[LEARNED]["cost_ratio"] for row in rows])),
        "rival_cost_ratio": float(np.mean([row[RIVAL]["cost_ratio"] for row in rows])),
    }


def _geometric(values: Sequence[float]) -> float:
    return float(np.exp(np.mean(np.log(values))))


def _listed(write: Any) -> Any:
    return lambda values: ", ".join(map(write, values))


def _by_method(
    title: str,
    text: str,
    rows: Mapping[str, Mapping[str, Any]],
    key: str,
    write: Any,
    names: Sequence[str],
) -> Section:
    def value(name: str) -> CellWriter:
        return lambda row: str(write(row[name][key]))

    columns: dict[str, CellWriter | str] = {"map": "map"}
    columns |= {METHODS[name].title: value(name) for name in names}
    return table(title, text, columns, ({"map": name, **row} for name, row in rows.items()))


ONE_MAP = OneMap()
