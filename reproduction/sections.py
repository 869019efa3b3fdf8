"""How the pages write their tables, and the sections and pictures that several of them share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reproduction.drawing import TrainingCurve, curves_svg
from reproduction.markup import NOTHING, Section, count, short, with_spread
from reproduction.page import Picture

Summary = Mapping[str, Any]  # of a method on a row, or whatever else a row of a table shows
CellWriter = Callable[[Summary], str]

CALLS = (
    "Calls are how often the neighbours of a node are computed, for expanding or for looking "
    "ahead: what a search pays where neighbours are costly. A dash: not counted."
)


def table(
    title: str,
    text: str | Sequence[str],
    columns: Mapping[str, CellWriter | str],
    rows: Iterable[Summary],
) -> Section:
    """A table by its columns: a heading, and the key of the value below it or how it is written.

    >>> table("Sums", "", {"a": "a", "twice": lambda row: str(2 * row["a"])}, [{"a": 1}]).rows
    [['1', '2']]
    """
    writers = [cell(each) if isinstance(each, str) else each for each in columns.values()]
    text = [text] if isinstance(text, str) else text
    return Section(title, text, [*columns], [[write(row) for write in writers] for row in rows])


def cell(key: str, write: Callable[[Any], str] = str) -> CellWriter:
    """A cell that shows one value of its row."""
    return lambda row: write(row[key])


def by_seed(write: Callable[[Any], str]) -> Callable[[Iterable[Any]], str]:
    """Writes one value per seed."""
    return lambda values: ", ".join(map(write, values))


def calls_cell(write: Callable[[float], str]) -> CellWriter:
    """The mean calls of a summary with their spread, if they were counted."""

    def written(summary: Summary) -> str:
        calls: float | None = summary["calls"]
        return NOTHING if calls is None else with_spread(calls, summary["calls_deviation"], write)

    return written


def ratio_and_printed(summary: Summary) -> str:
    """A ratio with its spread, and in brackets what the paper prints."""
    printed = summary["printed"]
    ratio = with_spread(summary["ratio"], summary["ratio_deviation"])
    return ratio + (f" ({printed:.3f})" if printed is not None else "")


@dataclass(frozen=True)
class MethodTable:
    """Summaries of methods by row."""

    header: Sequence[str]  # of the cells that name a row
    titles: Mapping[str, str]  # of the methods
    rows: Sequence[tuple[Sequence[str], Mapping[str, Summary]]]

    def section(self, title: str, text: str | Sequence[str], write: CellWriter) -> Section:
        """A table with a column for every method that was run on one of the rows."""
        shown = [name for name in self.titles if any(name in methods for _, methods in self.rows)]
        return Section(
            title,
            [text] if isinstance(text, str) else text,
            [*self.header, *(self.titles[name] for name in shown)],
            [
                [*first, *(write(methods[name]) if name in methods else NOTHING for name in shown)]
                for first, methods in self.rows
            ],
        )

    def calls(self, write: Callable[[float], str]) -> Section:
        """Mean calls, to stand below mean expansions."""
        return self.section("Mean calls", CALLS, calls_cell(write))

    def trainings(self) -> Section:
        """What every training took, and what it reached on validation and test problems."""
        rows = [
            {**dict(zip(self.header, first, strict=True)), "title": self.titles[name], **summary}
            for first, methods in self.rows
            for name, summary in methods.items()
            if "trainings" in summary
        ]
        return table(
            "Trainings",
            "By seed: seconds on one core, and mean expansions on the validation and on the test "
            "problems of the heuristic that was kept.",
            {
                **{name: name for name in self.header},
                "method": "title",
                "seconds": cell("trainings", by_seed(lambda run: short(run["seconds"]))),
                "validation": cell("trainings", by_seed(lambda run: count(run["validation"]))),
                "test": cell("by_run", by_seed(count)),
            },
            rows,
        )


def learning_curves(
    salt: str, titles: Mapping[str, str], panels: Mapping[str, Mapping[str, Summary]]
) -> Picture:
    """The best validation so far of every training: one panel per row."""
    curves = {
        panel: [
            TrainingCurve(titles[name], training["curve"])
            for name, summary in methods.items()
            for training in summary.get("trainings", [])
        ]
        for panel, methods in panels.items()
    }
    trained = {curve.title for each in curves.values() for curve in each}
    shown = [title for title in titles.values() if title in trained]
    label = "mean expansions on validation problems, best so far"
    return Picture("Learning curves", "curves.svg", curves_svg(curves, shown, label, salt))
