"""The display of a long run of experiments: a bar on a terminal, a line per part elsewhere."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from phil.cli.output import error_console, note
from reproduction.everything.pace import Progress as Place
from reproduction.everything.pace import in_words


class Display:
    """Shows every part that is done, and how long the others may take."""

    def __init__(self) -> None:
        console = error_console()
        self._is_terminal = console.is_terminal
        self._bar = Progress(
            TextColumn("{task.fields[experiment]}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("parts, {task.fields[left]} left,"),
            TimeElapsedColumn(),
            console=console,
        )
        self._task = self._bar.add_task("", total=None, experiment="", left="unknown time")

    def __enter__(self) -> Self:
        if self._is_terminal:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def show(self, text: str, place: Place) -> None:
        """Show what has just been done, and where the run is."""
        left = in_words(place.seconds_left)
        self._bar.update(
            self._task,
            completed=place.done,
            total=place.total,
            experiment=place.experiment,
            left=left,
        )
        if self._is_terminal:
            self._bar.console.print(text)
        else:
            note(f"{place.experiment}: {text}; {place.done} of {place.total} parts, {left} left")
