"""`phil info`: describe a graph, a set of them, or a heuristic with its training and scores."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from phil.cli.options import AllowOutside, JsonFile, Weight
from phil.cli.output import check_json_target, emit
from phil.errors import InputError
from phil.files import missing_file, names_a_file


def info(
    name: Annotated[
        str,
        typer.Argument(
            metavar="GRAPH|SET|HEURISTIC",
            help="A graph, map or heuristic file (recognised by its content), a folder of graphs "
            "or Parquet file of problems, or a shipped heuristic: phil:FAMILY.",
            show_default=False,
        ),
    ],
    weight: Weight = None,
    json_file: JsonFile = None,
    allow_outside: AllowOutside = False,
) -> None:
    """Describe a graph, map or set, or how a heuristic was trained and how well it scored."""
    check_json_target(json_file)
    if names_a_file(name) and not os.path.exists(name):
        raise missing_file(name)
    if _is_set(name):
        document = _set_document(name, weight)
    elif _is_graph(name):
        document = _graph_document(name, weight)
    elif weight is not None:
        raise InputError(f"--weight is for graph files, and {name} is none")
    else:
        document = _heuristic_document(name)
    emit(document, _document_table(document), json_file)


def _is_set(name: str) -> bool:
    from phil.problems.parquet import is_parquet

    return os.path.isdir(name) or (os.path.isfile(name) and is_parquet(Path(name)))


def _set_document(name: str, weight: str | None) -> dict[str, Any]:
    """A set, of which one graph is read if it is larger than memory."""
    from phil.graphs.summary import summarise
    from phil.problems import SPLITS, open_set
    from phil.problems.lazy import LazyProblems, by_graph

    opened = open_set(name, weight=weight)
    first = next((part[0] for part in map(opened.split, SPLITS) if part), None)
    return {
        "set": name,
        "problems": {split: len(opened.split(split)) for split in SPLITS},
        "graphs": len(by_graph(opened.all)),
        "read": "when used" if isinstance(opened.train, LazyProblems) else "at once",
        "first_graph": None if first is None else {"of": first.name, **summarise(first.graph)},
    }


def _is_graph(name: str) -> bool:
    from phil.graphs.formats.registry import recognise
    from phil.heuristics.registry import SUFFIX

    return os.path.isfile(name) and not name.endswith(SUFFIX) and recognise(name) is not None


def _graph_document(name: str, weight: str | None) -> dict[str, Any]:
    from phil.graphs.formats import read_graph
    from phil.graphs.formats.registry import recognise
    from phil.graphs.summary import summarise

    found = recognise(name)
    graph = read_graph(name, weight=weight)
    return {"file": name, "format": found and found.name, **summarise(graph)}


def _heuristic_document(name: str) -> dict[str, Any]:
    from phil.heuristics.file import LearnedHeuristic
    from phil.heuristics.registry import load_heuristic

    loaded = load_heuristic(name)
    if not isinstance(loaded, LearnedHeuristic):
        raise InputError(
            f"{name} is a built-in heuristic and has no metadata; name a learned one, such as "
            "phil:forest"
        )
    return {
        "heuristic": name,
        "method": loaded.method,
        "parameters": sum(tensor.size for tensor in loaded.tensors.values()),
        **loaded.metadata.model_dump(mode="json"),
    }


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
