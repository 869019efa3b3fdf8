"""`phil train`: train a heuristic and write it to a file."""

from __future__ import annotations

import shlex
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phil.cli.display import TrainingDisplay
from phil.cli.interrupt import INTERRUPTED
from phil.cli.options import AllowOutside, Count, Data, On, Pairs, SetName, Weight
from phil.cli.output import note, note_warnings, number, say, show, table
from phil.errors import InputError
from phil.files import check_writable
from phil.graphs.features.registry import FEATURES, Item
from phil.learning.registry import METHODS, load_method
from phil.workers import LOCAL

if TYPE_CHECKING:
    from rich.table import Table

    from phil.heuristics.file import LearnedHeuristic
    from phil.heuristics.phil import PhilHeuristic
    from phil.learning import Iteration
    from phil.learning.plan import Plan
    from phil.problems.problem import ProblemSet
    from phil.search.method import Searcher


SUFFIX = ".safetensors"


UNLEARNED = ("astar(octile)", "greedy(euclidean)", "greedy(landmarks)")  # on a single map


def _print_settings(asked: bool) -> None:
    if asked:
        from phil.cli.settings_table import settings_tables

        for title, shown in settings_tables():
            say("", title)
            show(shown)
        say(
            "",
            "Of graphs and 3D maps, phil derives some of these from the data, such as neighbors, "
            "horizon, rollout and temperature; phil train prints them before it begins.",
        )
        raise typer.Exit


def train(
    set_name: SetName,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help=f"The heuristic file to write ({SUFFIX}).",
            show_default=False,
        ),
    ],
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="NAME",
            help=f"The learning method: {METHODS[0]} or a baseline ({', '.join(METHODS[1:])}).",
        ),
    ] = "phil",
    preset: Annotated[
        str,
        typer.Option(
            "--preset",
            metavar="best|paper|paper-printed",
            help="Base settings of the method phil: those that train best, the paper's method, or "
            "the paper's settings to the letter.",
        ),
    ] = "best",
    search: Annotated[
        str | None,
        typer.Option(
            "--search",
            metavar="NAME",
            help="The search that the heuristic will guide: greedy (the default), astar, "
            "wastar(2) or bounded(1.5). Method phil only.",
            show_default=False,
        ),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE|phil:FAMILY",
            help="Tune this heuristic, learned by PHIL, instead of training a new one.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option("--seed", help="Random seed for training; the problems do not depend on it."),
    ] = 0,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue an interrupted training run.")
    ] = False,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Override a setting of the preset or method, such as width=32. Repeatable; all of "
            "them: phil train --settings.",
            show_default=False,
        ),
    ] = None,
    list_settings: Annotated[
        bool,
        typer.Option(
            "--settings",
            callback=_print_settings,
            is_eager=True,
            help="List all settings, their defaults and what they mean, and exit.",
        ),
    ] = False,
    features: Annotated[
        str,
        typer.Option(
            "--features",
            metavar="RECIPE",
            help="Node features to compute and add, separated by commas: "
            f"{', '.join(str(Item(each, each.default or 0)) for each in FEATURES.values())}. With "
            "auto, those that suit the graphs; with none, no features are added.",
        ),
    ] = "auto",
    pairs: Pairs = None,
    count: Count = None,
    pairs_seed: Annotated[
        int, typer.Option("--pairs-seed", help="Random seed for drawn pairs and generated maps.")
    ] = 0,
    weight: Weight = None,
    data: Data = None,
    on: On = LOCAL,
    tensorboard: Annotated[
        Path | None,
        typer.Option(
            "--tensorboard",
            metavar="DIR",
            help="Write TensorBoard logs to this folder.",
            show_default=False,
        ),
    ] = None,
    allow_outside: AllowOutside = False,
) -> None:
    """Train a heuristic on the training and validation problems of a set.

    After Ctrl-C or a crash, the same command with --resume continues to the same result.
    """
    changed = _parse_settings(settings or [])
    if search is not None:
        changed["search"] = search
    tuned = None if start is None else _to_tune(start, method, resume)
    check_writable(output)
    from phil.evaluation import Method
    from phil.learning import train as learn
    from phil.learning import tune
    from phil.learning.defaults import one_map
    from phil.problems import open_set
    from phil.problems.problem import for_learning
    from phil.search import GREEDY

    opened = open_set(set_name, data=data, pairs=pairs, seed=pairs_seed, count=count, weight=weight)
    problems = for_learning(opened, "training")
    if output.suffix != SUFFIX:
        note(f"note: heuristic files usually end in {SUFFIX}; writing {output} anyway")

    def announce(plan: Plan[Any]) -> None:
        for line in _plan_notes(plan, problems):
            note(line)

    display = TrainingDisplay(tensorboard)
    try:
        with display, _noted_warnings():
            if tuned is not None:
                report = display.report
                heuristic: LearnedHeuristic = tune(
                    tuned,
                    problems,
                    seed=seed,
                    settings=changed,
                    output=output,
                    report=report,
                    on=on,
                )
            else:
                heuristic = learn(
                    problems,
                    method=method,
                    preset=preset,
                    seed=seed,
                    settings=changed,
                    features="" if features == "none" else features,
                    output=output,
                    resume=resume,
                    announce=announce,
                    report=display.report,
                    on=on,
                )
    except KeyboardInterrupt:
        if tuned is not None:
            note("stopped; run the command again to start over")
        elif not load_method(method).resumable:
            note(f"stopped; {method} cannot be resumed: run the command again to start over")
        elif display.last is None and not resume:
            note("stopped before the first iteration")
        else:
            note(f"stopped; to continue: {_resume_command()}")
        raise typer.Exit(INTERRUPTED) from None
    say(_summary(output, display.last))
    if one_map(problems) is not None and problems.test:
        show(_comparison(problems, Method(output.name, GREEDY, heuristic)))
    say(f"Compare it: {_compare_command(set_name, pairs, count, pairs_seed, weight, output)}")


def _to_tune(name: str, method: str, resume: bool) -> PhilHeuristic:
    """The heuristic of --from; raises `InputError` with options that do not go with it."""
    from phil.heuristics.phil import PhilHeuristic
    from phil.heuristics.registry import load_heuristic

    if method != METHODS[0] or resume:
        raise InputError("--from tunes a heuristic of PHIL: leave out --method and --resume")
    heuristic = load_heuristic(name)
    if not isinstance(heuristic, PhilHeuristic):
        raise InputError(f"--from {name}: not learned by PHIL, so that it cannot be tuned")
    return heuristic


@contextmanager
def _noted_warnings() -> Iterator[None]:
    """Show warnings, such as that of a damaged checkpoint, as other notes."""
    with warnings.catch_warnings():
        warnings.showwarning = note_warnings("note")
        yield


def _parse_settings(texts: Sequence[str]) -> dict[str, str]:
    settings = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise InputError(f"--set '{text}' is not KEY=VALUE, such as --set width=32")
        settings[key.strip()] = value.strip()
    return settings


def _plan_notes(plan: Plan[Any], problems: ProblemSet) -> Iterator[str]:
    """The plan, the features added to graphs, and the settings derived from the graphs."""
    from phil.graphs.features import feature_costs

    yield f"plan: {plan}"
    graphs = {id(problem.graph): problem.graph for problem in problems.train}
    general = [graph for graph in graphs.values() if not graph.is_grid]
    if plan.features:
        found = (feature_costs(graph, plan.features) for graph in graphs.values())
        each = zip(*found, strict=True)
        told = [
            f"{costs[0].feature} (columns: {costs[0].columns}, "
            f"{sum(cost.seconds for cost in costs):.2f} s)"
            for costs in each
        ]
        yield f"features added: {', '.join(told)}"
    elif general:
        yield "features added: none"
    for default in plan.defaults:
        yield f"derived from the graphs: {default}"


def _comparison(problems: ProblemSet, learned: Searcher) -> Table:
    """What was learned against methods that learn nothing, on the test problems."""
    from phil.evaluation import evaluate, parse_method

    shown = table("on the test problems", "mean expansions", "calls", "cost ratio", "ms")
    for score in evaluate(problems.test, [*map(parse_method, UNLEARNED), learned]):
        shown.add_row(
            score.method,
            number(score.expansions.mean),
            number(score.calls.mean),
            number(score.cost_ratio.mean, 3),
            number(score.milliseconds.mean, 2),
        )
    return shown


def _compare_command(
    set_name: str,
    pairs: str | None,
    count: int | None,
    pairs_seed: int,
    weight: str | None,
    output: Path,
) -> str:
    from phil.problems.pairs import PAIRS

    same_problems = []
    if pairs is not None:
        # Without a split, all pairs of a file are evaluated, including the training pairs.
        same_problems = ["--pairs", pairs, *([] if pairs in PAIRS else ["--split", "test"])]
        if count is not None and pairs not in PAIRS:
            same_problems += ["--count", str(count)]  # the split is that of the drawn pairs
    if pairs_seed:
        same_problems += ["--seed", str(pairs_seed)]
    if weight is not None:
        same_problems += ["--weight", weight]
    compare = ["phil", "evaluate", set_name, *same_problems, "-m", str(output), "-m", "astar"]
    return shlex.join(compare)


def _resume_command() -> str:
    arguments = sys.argv[1:]
    return shlex.join(["phil", *arguments, *([] if "--resume" in arguments else ["--resume"])])


def _summary(output: Path, last: Iteration | None) -> str:
    if last is None or last.best is None:
        return f"Wrote {output}"
    return (
        f"Wrote {output}: {number(last.best)} {last.measure} on the validation problems "
        f"({last.classical_name}: {number(last.classical)})"
    )
