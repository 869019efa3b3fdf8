"""Where the files of an experiment are kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import ClassVar

from phil.errors import unknown_name


def file_name(experiment: str, *, quick: bool) -> str:
    """The name of an experiment's files: what quick runs make is never taken for the real."""
    return f"{experiment}-quick" if quick else experiment


class Kept:
    """An experiment with files of its own."""

    experiment: ClassVar[str]
    results: Path
    quick: bool

    @property
    def name(self) -> str:
        """Of its files."""
        return file_name(self.experiment, quick=self.quick)

    @property
    def folder(self) -> Path:
        """Where the parts are kept."""
        return self.results / self.name


def check_names(kind: str, names: Iterable[str], known: Collection[str]) -> None:
    """An `InputError` if one of the names is not known."""
    for name in names:
        if name not in known:
            raise unknown_name(kind, name, known)
