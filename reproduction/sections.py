"""Sections and pictures that the pages of several tables have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from reproduction.curves import TrainingCurve, curves_svg
from reproduction.markup import Section
from reproduction.numbers import NOTHING, count, short
from reproduction.page import Picture

Summary = Mapping[str, Any]  # of a method on a row
CellWriter = Callable[[Summary], str]
Row = tuple[Sequence[str], Mapping[str, Summary]]  # the first cells of a row, and its methods


def table(
    title: str, text: str, columns: Mapping[str, CellWriter], rows: Iterable[Summary]
) -> Section:
    """A table by its columns: what stands at the head, and what is below it.

    >>> table("Sums", "", {"a": cell("a"), "twice": lambda row: str(2 * row["a"])}, [{"a": 1}]).rows
    [['1', '2']]
    """
    cells = [[write(row) for write in columns.values()] for row in rows]
    return Section(title, [text], [*columns], cells)


def cell(key: str, write: Callable[[Any], str] = str) -> CellWriter:
    """A cell that shows one value of its row."""
    return lambda row: write(row[key])


def by_seed(write: Callable[[Any], str]) -> Callable[[Iterable[Any]], str]:
    """Writes one value per seed."""
    return lambda values: ", ".join(map(write, values))


def by_method(
    title: str,
    text: Sequence[str],
    header: Sequence[str],
    titles: Mapping[str, str],
    rows: Iterable[Row],
    cell: CellWriter,
) -> Section:
    """A table with a column for every method that was run on one of the rows."""
    rows = list(rows)
    shown = [name for name in titles if any(name in methods for _, methods in rows)]
    return Section(
        title,
        text,
        [*header, *(titles[name] for name in shown)],
        [
            [*first, *(cell(methods[name]) if name in methods else NOTHING for name in shown)]
            for first, methods in rows
        ],
    )


def trainings(
    first: Sequence[str],
    titles: Mapping[str, str],
    rows: Iterable[Row],
    number: Callable[[float], str] = count,
    seconds: Callable[[float], str] = short,
) -> Section:
    """What every training took, and what it reached on validation and test problems."""
    return table(
        "Trainings",
        "By seed: seconds on one core; mean expansions of the heuristic that was kept on the "
        "validation problems, and on the test problems.",
        {
            **{name: cell(name) for name in first},
            "method": cell("method"),
            "seconds": cell("seconds", by_seed(seconds)),
            "validation": cell("validation", by_seed(number)),
            "test": cell("test", by_seed(number)),
        },
        (
            {
                **dict(zip(first, names, strict=True)),
                "method": titles[method],
                "seconds": [run["seconds"] for run in summary["trainings"]],
                "validation": [run["validation"] for run in summary["trainings"]],
                "test": summary["by_run"],
            }
            for names, methods in rows
            for method, summary in methods.items()
            if "trainings" in summary
        ),
    )


def learning_curves(
    salt: str,
    titles: Mapping[str, str],
    panels: Mapping[str, Mapping[str, Summary]],
    problems: str = "validation problems",
) -> Picture:
    """The best validation so far of every training: one panel per row."""
    label = f"mean expansions on {problems}, best so far"
    drawn = curves_svg(_curves(titles, panels, "curve"), [*titles.values()], label, salt)
    return Picture("Learning curves", "curves.svg", drawn)


def loss_curves(
    salt: str,
    titles: Mapping[str, str],
    panels: Mapping[str, Mapping[str, Summary]],
    every: int,
) -> Picture:
    """The losses of the same trainings; every method has its own."""
    curves = _curves(titles, panels, "loss", every)
    drawn = curves_svg(curves, [*titles.values()], "loss", salt, best_so_far=False)
    return Picture("Losses", "losses.svg", drawn)


def _curves(
    titles: Mapping[str, str],
    panels: Mapping[str, Mapping[str, Summary]],
    kind: str,
    every: int = 1,
) -> dict[str, list[TrainingCurve]]:
    return {
        panel: [
            TrainingCurve(titles[name], training[kind][every - 1 :: every])
            for name, summary in methods.items()
            for training in summary.get("trainings", [])
        ]
        for panel, methods in panels.items()
    }
