"""`phil evaluate`: compare methods on a problem set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from phil.cli.display import problems_bar
from phil.cli.options import (
    AllowOutside,
    Count,
    Data,
    JsonFile,
    Limit,
    On,
    Pairs,
    ProblemSeed,
    SetName,
    Weight,
)
from phil.cli.output import check_json_target, emit, note, table
from phil.cli.plugins import parse_method
from phil.errors import InputError
from phil.evaluation.methods import methods_help
from phil.workers import LOCAL, open_workers

if TYPE_CHECKING:
    from phil.evaluation.score import MethodScore
    from phil.problems.problem import ProblemSet


def evaluate(
    set_name: SetName,
    methods: Annotated[
        list[str],
        typer.Option(
            "--method",
            "-m",
            metavar="METHOD",
            help=methods_help() + " Repeatable.",
            show_default=False,
        ),
    ],
    split: Annotated[
        str | None,
        typer.Option(
            "--split",
            metavar="train|validation|test|all",
            help="The problems to use (default: test; all for a file of pairs).",
            show_default=False,
        ),
    ] = None,
    limit: Limit = None,
    pairs: Pairs = None,
    count: Count = None,
    seed: ProblemSeed = 0,
    weight: Weight = None,
    data: Data = None,
    on: On = LOCAL,
    json_file: JsonFile = None,
    allow_outside: AllowOutside = False,
) -> None:
    """Compare methods on a problem set by the number of nodes that they expand.

    Each method's statistics are over the problems that it solved. Calls count how often the
    neighbours of a node are computed, for expanding or for looking ahead.
    """
    from phil.evaluation.comparison import Evaluation
    from phil.evaluation.evaluate import evaluate as run
    from phil.evaluation.published import compare_published
    from phil.problems import open_set
    from phil.problems.pairs import PAIRS
    from phil.search import Limits

    chosen = [parse_method(text) for text in methods]
    limits = Limits(expansions=limit)
    check_json_target(json_file)
    problem_set = open_set(set_name, data=data, pairs=pairs, seed=seed, count=count, weight=weight)
    split = split or ("test" if pairs is None or pairs in PAIRS else "all")
    problems = problem_set.split(split)
    if not problems:
        raise InputError(f"{set_name} has no {split} problems; choose another --split, such as all")
    with open_workers(on) as workers, problems_bar(workers) as bar:
        scores = run(
            problems,
            chosen,
            limits=limits,
            preparing=bar("finding the least costs"),
            progress=bar("searching"),
            on=workers,
        )
    published = compare_published(scores[0])
    document = Evaluation(scores, problems, set_name, split).document()
    emit(document, _score_table(scores), json_file)
    for line in (*_set_notes(problem_set, split), *_outcome_notes(scores)):
        note(line)
    if published is not None:
        note(f"note: {published}")


def _score_table(scores: Sequence[MethodScore]) -> Table:
    from phil.evaluation.comparison import COLUMNS, score_rows

    shown = table(*COLUMNS)
    for row in score_rows(scores):
        shown.add_row(*row)
    return shown


def _set_notes(problem_set: ProblemSet, split: str) -> Iterator[str]:
    from phil.problems.grids import repeated_maps
    from phil.problems.lazy import LazyProblems, by_graph

    problems = problem_set.split(split)
    if any(problems[places[0]].graph.is_weighted for places in by_graph(problems)):
        yield (
            "note: the graphs are weighted: a path costs the sum of its edge weights, and the cost "
            "ratio is relative to the cheapest path"
        )
    # To compare maps, those of all splits would have to be read.
    comparable = split == "test" and not isinstance(problems, LazyProblems)
    several = comparable and len(by_graph(problem_set.all)) > 1
    if several and (repeats := len(repeated_maps(problem_set))):
        yield f"note: {repeats} of {len(problems)} test maps are also training or validation maps"


def _outcome_notes(scores: Sequence[MethodScore]) -> Iterator[str]:
    from phil.search import Outcome

    total = scores[0].problems
    unreachable = max(score.count(Outcome.UNREACHABLE) for score in scores)
    if unreachable:
        yield (
            f"note: {unreachable} of {total} problems have no path from start to goal; they count "
            "as unreachable and are excluded from the statistics"
        )
    stopped = {score.method: score.count(Outcome.LIMIT) for score in scores}
    counts = ", ".join(f"{method} on {count}" for method, count in stopped.items() if count)
    if counts:
        yield (
            f"note: the limit was reached on some of the {total} problems ({counts}), which are "
            "excluded from the statistics of that method"
        )
