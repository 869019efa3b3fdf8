"""`phil info`: what a heuristic file is, how it was trained and how it scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer
from rich.table import Table

from phil.cli.options import JsonFile
from phil.cli.output import check_json_target, emit
from phil.errors import InputError


def info(
    heuristic: Annotated[
        str,
        typer.Argument(
            metavar="HEURISTIC", help="A heuristic file, or phil:FAMILY.", show_default=False
        ),
    ],
    json_file: JsonFile = None,
) -> None:
    """Show what a heuristic is, how it was trained and how it scored."""
    from phil.heuristics.catalog import load_heuristic
    from phil.heuristics.file import LearnedHeuristic

    check_json_target(json_file)
    loaded = load_heuristic(heuristic)
    if not isinstance(loaded, LearnedHeuristic):
        raise InputError(f"{heuristic} is built in and not learned: there is nothing more to know")
    document = {
        "heuristic": heuristic,
        "method": loaded.method,
        "parameters": sum(tensor.size for tensor in loaded.tensors.values()),
        **loaded.metadata.model_dump(mode="json"),
    }
    emit(document, _document_table(document), json_file)


def _document_table(document: Mapping[str, Any]) -> Table:
    shown = Table.grid(padding=(0, 2, 0, 0))
    shown.add_column(style="bold", no_wrap=True)
    shown.add_column(overflow="fold")
    for key, value in _rows(document):
        shown.add_row(key, value)
    return shown


def _rows(values: Mapping[str, Any], indent: str = "") -> Iterator[tuple[str, str]]:
    for key, value in values.items():
        name = indent + key
        if isinstance(value, Mapping):
            yield name, ""
            yield from _rows(value, indent + "  ")
        else:
            yield name, _text(value)


def _text(value: Any) -> str:
    if value is None or value == []:
        return "-"
    if isinstance(value, list):
        return ", ".join(_text(part) for part in value)
    return f"{value:.10g}" if isinstance(value, float) else str(value)
