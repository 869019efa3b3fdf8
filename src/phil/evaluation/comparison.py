"""The result of an evaluation: scores as a table, as JSON, as a pandas table or as a figure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

from phil.arguments import TEXT, each, of_type, takes
from phil.errors import InputError
from phil.evaluation.published import compare_published
from phil.evaluation.score import MethodScore
from phil.problems.problem import Problem
from phil.text import cut, number, visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDEST = 40  # characters of a method's name in a table
MOST_ROWS = 60  # methods in a table

COLUMNS: dict[str, Callable[[MethodScore], str]] = {
    "method": lambda score: score.method,
    "solved": lambda score: f"{len(score.solved)} of {score.problems}",
    "mean expansions": lambda score: number(score.expansions.mean),
    "median": lambda score: number(score.expansions.median),
    "p95": lambda score: number(score.expansions.p95),
    "mean calls": lambda score: number(score.calls.mean),
    "mean cost ratio": lambda score: number(score.cost_ratio.mean, 3),
    "mean ms": lambda score: number(score.milliseconds.mean, 2),
}


def score_rows(scores: Iterable[MethodScore]) -> list[list[str]]:
    """The rows of a table of scores, under `COLUMNS`."""
    return [[cell(score) for cell in COLUMNS.values()] for score in scores]


class Evaluation(list[MethodScore]):
    """The scores of some methods on the same problems: a list of `MethodScore`.

    Shown in a terminal or a notebook, it is a table.

    Attributes
    ----------
    problems : sequence of Problem
        The problems that were solved.
    set_name, split : str
        Which problems they are: the name of their set, and the split of it.

    Examples
    --------
    >>> import phil
    >>> problem = phil.Problem([[True] * 9] * 9, (8, 0), (0, 8))
    >>> scores = phil.evaluate(problem, ["bfs", "greedy(octile)"])
    >>> scores[1].method, scores[1].expansions.mean
    ('greedy(octile)', 9.0)
    >>> print(str(scores).splitlines()[0])
    method          solved  mean expansions  median   p95  mean calls  mean cost ratio  mean ms
    """

    def __init__(
        self,
        scores: Iterable[MethodScore],
        problems: Sequence[Problem] = (),
        set_name: str = "given",
        split: str = "all",
    ) -> None:
        super().__init__(scores)
        self.problems = problems
        self.set_name = set_name
        self.split = split

    def __repr__(self) -> str:
        rows = [list(COLUMNS), *score_rows(self[:MOST_ROWS])]
        shown = [[cut(visible(cell), WIDEST) for cell in row] for row in rows]
        widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
        lines = [
            "  ".join(
                cell.rjust(width) if place else cell.ljust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in shown
        ]
        more = [f"... {len(self) - MOST_ROWS} more"] if len(self) > MOST_ROWS else []
        return "\n".join(line.rstrip() for line in (*lines, *more))

    def _repr_html_(self) -> str:
        """The table of a notebook."""
        head = "".join(f"<th>{escape(name)}</th>" for name in COLUMNS)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(visible(cell))}</td>' for cell in row)}</tr>"
            for row in score_rows(self)
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def document(self) -> dict[str, Any]:
        """What `phil evaluate --json` writes, as plain values; see `to_json`."""
        document = evaluation_json(self.set_name, self.split, self)
        published = compare_published(self[0]) if self else None
        return document if published is None else {**document, "published": published.json()}

    def to_json(self) -> str:
        """The JSON document that `phil evaluate --json` writes.

        Returns
        -------
        str
            Numbers that do not exist, such as the mean over no problems, are null.
        """
        return json.dumps(self.document(), indent=2, allow_nan=False) + "\n"

    def to_pandas(self) -> Any:
        """A pandas table with a row for every search.

        Returns
        -------
        pandas.DataFrame
            Its columns are the method, the problem and what the search took and found.

        Raises
        ------
        InputError
            If pandas is not installed.
        """
        try:
            import pandas
        except ModuleNotFoundError as error:
            raise InputError("to_pandas needs pandas: pip install pandas") from error
        return pandas.DataFrame(
            [
                {
                    "method": score.method,
                    "problem": run.problem,
                    "outcome": str(run.result.outcome),
                    "expansions": run.result.expansions,
                    "calls": run.result.calls,
                    "cost": run.result.cost,
                    "optimal": run.optimal,
                    "cost_ratio": run.cost_ratio,
                    "length": run.result.length,
                    "milliseconds": 1000 * run.result.seconds,
                }
                for score in self
                for run in score.runs
            ]
        )

    def plot(self) -> Figure:
        """A figure with the expansions of every method on every problem, and their mean.

        Returns
        -------
        matplotlib.figure.Figure
        """
        figure: Figure = import_module("phil.view.comparison").comparison_figure(self)
        return figure


@takes(set_name=TEXT, split=TEXT, scores=each(of_type("a MethodScore", MethodScore), "scores"))
def evaluation_json(set_name: str, split: str, scores: Sequence[MethodScore]) -> dict[str, Any]:
    """The JSON document of an evaluation.

    Parameters
    ----------
    set_name, split
        The problems: the name of their set, and which split of it.
    scores
        The results of `evaluate`.

    Returns
    -------
    dict
        Numbers that do not exist, such as the mean over no problems, are None.
    """
    return {"set": set_name, "split": split, "methods": [score.json() for score in scores]}
