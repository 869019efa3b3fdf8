"""`phil demo`: train on generated maps, compare on unseen ones, and write a report."""

from __future__ import annotations

import math
import shlex
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from phil.cli.display import TrainingDisplay
from phil.cli.options import JsonFile
from phil.cli.output import check_json_target, emit, note, number, table
from phil.files import check_writable

if TYPE_CHECKING:
    from phil.evaluation import MethodScore, Solver
    from phil.learning import Iteration
    from phil.problems.problem import Problem, ProblemSet
    from phil.search.guide import Heuristic
    from phil.view import LearningCurve, MapView, Report

FAMILY = "gaps_and_forest"
SET_NAME = f"generated/{FAMILY}"
LEARNED = "phil"
RIVAL = "greedy(euclidean)"
RIVALS = ("astar", RIVAL, "greedy(manhattan)", "bfs", "oracle")


@dataclass(frozen=True)
class Size:
    """How much the demo does."""

    shape: tuple[int, int]
    counts: dict[str, int]
    settings: dict[str, str] = field(default_factory=dict)


# Further candidates, which this family would get, would take longer than a demo should.
FULL = Size(
    (201, 201), {"train": 300, "validation": 50, "test": 40}, {"hard_candidates": "0", "tune": "0"}
)
QUICK = Size(
    (61, 61),
    {"train": 40, "validation": 10, "test": 10},
    {
        "iterations": "12",
        "candidates": "1",
        "hard_candidates": "0",
        "validate_every": "2",
        "tune": "0",
    },
)


def demo(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The HTML report to write.")
    ] = Path("demo-report.html"),
    seed: Annotated[
        int, typer.Option("--seed", help="Random seed for the maps and for training.")
    ] = 0,
    quick: Annotated[
        bool, typer.Option("--quick", help="Use small maps and train briefly: takes seconds.")
    ] = False,
    json_file: JsonFile = None,
) -> None:
    """Train a heuristic on generated maps and compare it with classical searches on unseen maps.

    Takes about two minutes and writes a self-contained HTML report.
    """
    from phil.evaluation import Method, evaluate, evaluation_json, parse_method
    from phil.search import GREEDY
    from phil.view import write_report

    check_writable(output)
    check_json_target(json_file)
    size = QUICK if quick else FULL
    note(f"Training on {size.counts['train']} maps of {SET_NAME}")
    problems = _problems(size, seed)
    began = time.monotonic()
    heuristic, history = _learn(problems, size, seed)
    seconds = time.monotonic() - began
    note(f"Comparing on {size.counts['test']} unseen maps")
    methods = [Method(LEARNED, GREEDY, heuristic), *(parse_method(text) for text in RIVALS)]
    scores = evaluate(problems.test, methods)
    command = ["phil", "demo", "-o", str(output), "--seed", str(seed), *["--quick"] * quick]
    facts = {
        "command": shlex.join(command),
        "seed": str(seed),
        "training maps": str(len(problems.train)),
        "validation maps": str(len(problems.validation)),
        "training time": f"{seconds:.0f} s",
    }
    write_report(output, _report(problems.test, methods, scores, history, facts))
    emit(evaluation_json(SET_NAME, "test", scores), _table(scores), json_file)
    note(f"Report: {output} (open it in a browser)")


def _problems(size: Size, seed: int) -> ProblemSet:
    from phil.problems.generated import generate_maps
    from phil.problems.pairs import map_problem
    from phil.problems.problem import ProblemSet

    splits = {
        split: tuple(
            map_problem(free, SET_NAME, f"{split}/{place}", "corners", seed)
            for place, free in enumerate(generate_maps(FAMILY, count, seed, split, size.shape))
        )
        for split, count in size.counts.items()
    }
    return ProblemSet(SET_NAME, **splits)


def _learn(problems: ProblemSet, size: Size, seed: int) -> tuple[Heuristic, list[Iteration]]:
    from phil.learning import train

    history: list[Iteration] = []
    with TrainingDisplay() as display:

        def report(iteration: Iteration) -> None:
            history.append(iteration)
            display.report(iteration)

        heuristic = train(problems, seed=seed, settings=size.settings, report=report)
    return heuristic, history


def _table(scores: Sequence[MethodScore]) -> Table:
    shown = table("method", "mean expansions", "of A*", "mean calls", "mean cost ratio", "mean ms")
    astar = _mean(scores, "astar")
    for score in scores:
        mean = _mean(scores, score.method)
        shown.add_row(
            score.method,
            number(mean),
            f"{mean / astar:.1%}",
            number(score.calls.mean),
            number(score.cost_ratio.mean, 3),
            number(score.milliseconds.mean, 2),
        )
    return shown


def _mean(scores: Sequence[MethodScore], method: str) -> float:
    """The mean expansions of a method; NaN if no map has a path."""
    mean = next(score for score in scores if score.method == method).expansions.mean
    return math.nan if mean is None else mean


def _report(
    problems: Sequence[Problem],
    methods: Sequence[Solver],
    scores: Sequence[MethodScore],
    history: Sequence[Iteration],
    facts: dict[str, str],
) -> Report:
    from phil.view import Report

    learned, astar, rival, oracle = (
        _mean(scores, method) for method in (LEARNED, "astar", RIVAL, "oracle")
    )
    return Report(
        title="PHIL: a search heuristic learned from maps",
        summary=f"On unseen maps, search with the learned heuristic expands "
        f"{learned:,.0f} nodes on average: {learned / astar:.1%} of A*'s {astar:,.0f} and "
        f"{learned / rival:.1%} of the {rival:,.0f} of greedy search by Euclidean distance. "
        f"With exact distances, which are not known in advance, it would be {oracle:,.0f}."
        + _break_even(scores),
        problems=f"{len(problems)} maps of {SET_NAME}, from bottom left to top right.",
        scores=scores,
        focus=LEARNED,
        maps=_map_views(problems, methods, scores),
        curve=_curve(history),
        facts=facts,
    )


def _break_even(scores: Sequence[MethodScore]) -> str:
    """When the learned heuristic saves time, if it is slower than its rival here."""
    from phil.evaluation.timing import break_even, mean_cost

    solved = {
        score.method: [run.result for run in score.solved] for score in scores if score.solved
    }
    if not {LEARNED, RIVAL} <= solved.keys():
        return ""
    least = 1e6 * break_even(mean_cost(solved[LEARNED]), mean_cost(solved[RIVAL]))
    if least == 0:
        return ""
    if math.isinf(least):
        return (
            f" Counting the learned heuristic's look-ahead, {RIVAL} asks for the neighbours of no "
            "more nodes, so the learned heuristic saves no time even where finding neighbours is "
            "expensive."
        )
    return (
        f" It takes longer to choose a node, so it saves time where finding the neighbours of a "
        f"node takes more than {least:.1f} microseconds (a collision check, a query), but not on a "
        "map in memory, as here."
    )


def _map_views(
    problems: Sequence[Problem], methods: Sequence[Solver], scores: Sequence[MethodScore]
) -> list[MapView]:
    """Three maps, chosen by a fixed rule rather than for their looks."""
    from phil.view import MapView, Shot

    runs = {score.method: score.runs for score in scores}
    ranks = {
        method: sorted(
            (place for place, run in enumerate(runs[method]) if run.result.solved),
            key=lambda place: runs[method][place].result.expansions,
        )
        for method in (LEARNED, RIVAL)
    }
    if not ranks[LEARNED]:
        return []
    chosen = {
        "A typical map: the median for " + LEARNED: ranks[LEARNED][len(ranks[LEARNED]) // 2],
        f"The worst map for {RIVAL}": ranks[RIVAL][-1],
        f"The worst map for {LEARNED}": ranks[LEARNED][-1],
    }
    views = []
    for title, place in chosen.items():
        problem = problems[place]
        assert problem.graph.is_grid
        shots = [Shot(method.text, method.search(problem, trace=True)) for method in methods]
        views.append(MapView(f"{title} ({problem.name})", problem.graph, problem.goal, shots))
    return views


def _curve(history: Sequence[Iteration]) -> LearningCurve | None:
    from phil.view import LearningCurve

    if not history:
        return None
    points = [(entry.number, entry.validation) for entry in history if entry.validation is not None]
    return LearningCurve(tuple(points), history[-1].classical, history[-1].classical_name)
