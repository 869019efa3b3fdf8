"""All settings of training with their defaults and meanings, for `phil train --settings`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from phil.cli.output import table
from phil.learning.registry import METHODS, load_method

if TYPE_CHECKING:
    from rich.table import Table


def settings_tables() -> Iterator[tuple[str, Table]]:
    """The settings of every learning method, PHIL's first: a title and a table.

    Those of the baselines need torch; without it there are none.
    """
    yield "phil (with --preset NAME):", _of_phil()
    for name in METHODS[1:]:
        try:
            settings = load_method(name).settings
        except ModuleNotFoundError:
            return
        shown = _empty("default")
        for key, field in settings.model_fields.items():
            shown.add_row(key, _text(field.default), field.description)
        yield f"{name} (with --method {name}):", shown


def _of_phil() -> Table:
    from phil.learning.settings import BEST_ELSEWHERE, PRESETS, TrainingSettings

    shown = _empty(*PRESETS, "best elsewhere than on 2D maps")
    for key, field in TrainingSettings.model_fields.items():
        values = {preset: given.get(key, field.default) for preset, given in PRESETS.items()}
        best = values["best"]
        other = {kind: given.get(key, best) for kind, given in BEST_ELSEWHERE.items()}
        elsewhere = [f"{kind}: {_text(value)}" for kind, value in other.items() if value != best]
        shown.add_row(key, *map(_text, values.values()), ", ".join(elsewhere), field.description)
    return shown


def _empty(*columns: str) -> Table:
    shown = table("setting", *columns)
    for column in shown.columns[1:]:
        column.justify = "left"
    shown.add_column("meaning", overflow="fold", ratio=1)
    return shown


def _text(value: Any) -> str:
    """A value as it is written after --set KEY=."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(map(_text, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
