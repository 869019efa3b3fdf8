"""`help()` of the public API: every parameter is explained, and functions have an example."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from enum import Enum
from importlib import import_module
from typing import Any

import pytest
from pydantic import BaseModel

MODULES = (
    *("phil", "phil.evaluation", "phil.graphs.distances", "phil.networkx", "phil.problems"),
    *("phil.learning", "phil.view"),
)
SECTION = re.compile(r"^(\w[\w ]*)\n-+\n(.*?)(?=^\w[\w ]*\n-+\n|\Z)", re.MULTILINE | re.DOTALL)
CONSTRUCTORS = ("from_edges", "from_networkx", "from_pyg", "from_scipy", "on_grid")


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Functions and classes by their full names, with the ways to construct a class."""
    for module in map(import_module, MODULES):
        names = getattr(module, "__all__", None) or [
            name
            for name, found in vars(module).items()
            if not name.startswith("_") and getattr(found, "__module__", "") == module.__name__
        ]
        for name in names:
            found = getattr(module, name)
            if inspect.isfunction(found) or (
                inspect.isclass(found) and not issubclass(found, Enum)
            ):
                yield f"{module.__name__}.{name}", found
                for made in CONSTRUCTORS:
                    if hasattr(found, made):
                        yield f"{module.__name__}.{name}.{made}", getattr(found, made)


PUBLIC = dict(public())
FUNCTIONS = [name for name, found in PUBLIC.items() if not inspect.isclass(found)]


def sections(found: Callable[..., Any]) -> dict[str, str]:
    return dict(SECTION.findall(inspect.getdoc(found) or ""))


def explained(text: str) -> set[str]:
    """The names at the head of the entries of a section."""
    heads = [line.split(" :")[0] for line in text.splitlines() if line[:1].strip()]
    return {name.strip().lstrip("*") for head in heads for name in head.split(",")}


def parameters(found: Callable[..., Any]) -> set[str]:
    if inspect.isclass(found) and issubclass(found, Exception | list | BaseModel):
        return set()  # made by the library; `phil train --settings` explains the fields of models
    taken = inspect.signature(found).parameters
    return {name for name in taken if name not in ("self", "args", "kwargs")}


@pytest.mark.parametrize("name", PUBLIC)
def test_it_is_explained_with_all_its_parameters(name: str) -> None:
    found = PUBLIC[name]
    text = inspect.getdoc(found)
    assert text, "no docstring"
    assert text.splitlines()[0].endswith("."), "the first line is a sentence"
    said = sections(found)
    if getattr(found, "_is_protocol", False):
        return  # it says what its methods are
    known = explained(said.get("Parameters", "")) | explained(said.get("Attributes", ""))
    assert parameters(found) <= known
    if not inspect.isclass(found):
        assert explained(said.get("Parameters", "")) <= parameters(found), "none that is gone"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_say_what_they_return(name: str) -> None:
    found = PUBLIC[name]
    returned = inspect.signature(found).return_annotation
    said = sections(found)
    assert returned in (None, "None") or {"Returns", "Yields"} & said.keys()


@pytest.mark.parametrize("name", [name for name in PUBLIC if name.count(".") == 1])
def test_what_most_programs_need_has_an_example_that_runs(name: str) -> None:
    assert ">>> " in sections(PUBLIC[name]).get("Examples", "")


def test_there_is_much_to_read() -> None:
    assert len(PUBLIC) > 60
    assert "phil.Graph.from_networkx" in FUNCTIONS
