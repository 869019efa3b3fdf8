"""`phil advise`: which search to use on a graph, and whether a learned heuristic pays off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from phil.cli.display import TrainingDisplay, problems_bar
from phil.cli.options import (
    AllowOutside,
    Count,
    Data,
    JsonFile,
    On,
    Pairs,
    ProblemSeed,
    SetName,
    Weight,
)
from phil.cli.output import STANDARD_OUTPUT, check_json_target, emit, note, number, show, table
from phil.cli.plugins import parse_method
from phil.errors import InputError
from phil.files import check_writable
from phil.workers import LOCAL, Workers, open_workers

if TYPE_CHECKING:
    from phil.evaluation.advice import Measured
    from phil.heuristics.file import LearnedHeuristic
    from phil.problems.problem import ProblemSet

TRAINED = "trained"  # the name of the heuristic that --train learns


def advise(
    set_name: SetName,
    methods: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            "-m",
            metavar="METHOD",
            help="A further method to measure, such as phil:forest or a heuristic file (all "
            "methods: phil evaluate --help). Repeatable.",
            show_default=False,
        ),
    ] = None,
    train: Annotated[
        bool, typer.Option("--train", help="Also train a heuristic for about a minute.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the trained heuristic to this file (.safetensors).",
            show_default=False,
        ),
    ] = None,
    expansion_cost: Annotated[
        float,
        typer.Option(
            "--expansion-cost",
            metavar="MICROSECONDS",
            help="What one call costs: the time that your application takes to find the "
            "neighbours of a node, for example by collision checking; 0 for a graph in memory.",
        ),
    ] = 0.0,
    most: Annotated[
        int, typer.Option("--problems", metavar="N", help="Measure at most N problems.")
    ] = 50,
    pairs: Pairs = None,
    count: Count = None,
    seed: ProblemSeed = 0,
    weight: Weight = None,
    data: Data = None,
    on: On = LOCAL,
    json_file: JsonFile = None,
    allow_outside: AllowOutside = False,
) -> None:
    """Recommend a search for a graph, and say when a learned heuristic pays off.

    Measures the classical searches that suit the graph, and learned heuristics on request, on
    problems that were not used for training. A learned heuristic is recommended only if it beats
    every search whose paths are guaranteed to be at least as good.
    """
    from phil.evaluation.advice import advise as measure
    from phil.evaluation.advice.decide import check_call
    from phil.evaluation.advice.measure import (
        fitting_methods,
        is_learned,
        try_out,
        unseen_problems,
        with_heuristic,
    )
    from phil.evaluation.advice.report import advice_json
    from phil.evaluation.timing import MICRO
    from phil.problems import open_set

    if not train and output is not None:
        raise InputError(
            "--output names the file of the heuristic that --train learns; add --train"
        )
    check_json_target(json_file)
    if output is not None:
        check_writable(output)
    call = check_call(expansion_cost / MICRO)
    given = [parse_method(text) for text in methods or ()]
    problem_set = open_set(set_name, data=data, pairs=pairs, seed=seed, count=count, weight=weight)
    learned = train or any(map(is_learned, given))
    problems = unseen_problems(problem_set, most, learned=learned)
    try_out(given, problems[0])  # a method that does not fit fails before the training
    fitting = fitting_methods(problems)
    chosen = [parse_method(text) for text in fitting.methods if text not in (methods or ())]
    chosen += given
    training = None
    with open_workers(on) as workers:
        if train:
            training, heuristic = _train(problem_set, output, workers)
            chosen += with_heuristic(TRAINED, heuristic)
        with problems_bar(workers) as bar:
            advice = measure(
                problems,
                chosen,
                call=call,
                preparing=bar("finding the least costs"),
                progress=bar("searching"),
                on=workers,
            )
    document = {"set": set_name, **advice_json(advice), "training": training}
    emit(document, _measured_table(advice.measured) if advice.measured else None, json_file)
    if json_file != STANDARD_OUTPUT:
        for paragraph in document["verdict"].split("\n"):
            show(paragraph)
    left_out = fitting.left_out if advice.measured else ()
    for line in (*left_out, *_training_notes(training)):
        note(f"note: {line}")


def _train(
    problems: ProblemSet, output: Path | None, workers: Workers
) -> tuple[dict[str, Any], LearnedHeuristic]:
    """A heuristic and a summary of its training."""
    from phil.learning import short_training

    with TrainingDisplay() as display:
        heuristic = short_training(problems, output=output, report=display.report, on=workers)
    said = heuristic.metadata.training
    return {
        "preset": said["preset"],
        "problems": said["problems"],
        "iterations": said["settings"]["iterations"],
        "candidates": said["settings"]["candidates"],
        "seconds": display.last.seconds if display.last else 0.0,
        "file": None if output is None else str(output),
    }, heuristic


def _training_notes(training: dict[str, Any] | None) -> Iterator[str]:
    if training is None:
        return
    yield (
        f"{TRAINED} was trained only briefly: {training['iterations']} iterations of "
        f"{training['candidates']} networks on {training['problems']} problems, "
        f"{training['seconds']:.0f} s; a full training may do better (phil train; add --set "
        "neighbors=0 --set walls=false for a heuristic without look-ahead)"
    )
    if training["file"]:
        yield f"wrote {training['file']}"


def _measured_table(measured: Sequence[Measured]) -> Table:
    import numpy as np

    from phil.evaluation.statistics import bootstrap_interval
    from phil.evaluation.timing import MICRO

    shown = table(
        "method",
        "path at most",
        "mean cost ratio",
        "mean expansions",
        "mean calls",
        "µs per query",
        "95 % interval",
        "set-up, ms",
    )
    for each in measured:
        micro = MICRO * each.seconds
        low, high = bootstrap_interval(micro.tolist())
        shown.add_row(
            each.method,
            "any" if isinf(each.promise) else f"{each.promise:g}",
            number(float(np.nanmean(each.cost_ratios)), 3),
            number(float(each.expansions.mean())),
            number(float(each.calls.mean())),
            number(float(micro.mean())),
            f"{number(low)}-{number(high)}",
            number(1e3 * each.preparation.seconds, 2) if each.preparation.nodes else "-",
        )
    return shown
