"""The user's Python files and modules: plugins that register parts, and heuristics by their place.

They are run because the user names them on the command line; nothing that is read from a file is.
"""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections.abc import Iterable
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from phil.errors import InputError, one_line

if TYPE_CHECKING:
    from phil.search.guide import Heuristic
    from phil.search.method import Solver

VARIABLE = "PHIL_PLUGINS"
SHIPPED = "phil"  # what is before the colon of a shipped heuristic

# A file or module, and an object in it.
_OBJECT = re.compile(r"(?P<place>.+):(?P<name>[A-Za-z_]\w*)")

_loaded: dict[str, str] = {}  # by the file that holds it, what the user calls it


def load_plugins(named: Iterable[str]) -> None:
    """Load the plugins listed in $PHIL_PLUGINS, then the named ones."""
    for place in [*filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)), *named]:
        load_plugin(place)


def load_plugin(place: str, role: str = "plugin") -> ModuleType:
    """Run a file, or import a module; raises `InputError` if it fails."""
    path = Path(place)
    is_file = path.suffix == ".py" or path.exists()
    if is_file and not path.is_file():
        raise InputError(f"{role} file {place} does not exist")
    try:
        module = _run(path) if is_file else _import(place)
    except InputError as error:
        raise InputError(f"{role} {place}: {error}") from error
    except Exception as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)]
        where = f" (line {lines[-1]})" if is_file and lines else ""
        raise InputError(f"{role} {place} failed{where}: {_told(error)}") from error
    _loaded[str(getattr(module, "__file__", place))] = place
    return module


def parse_method(text: str) -> Solver:
    """A method by name, whose heuristics may also be the user's own: `my_module:MyHeuristic`."""
    from phil.evaluation import methods

    return methods.parse_method(text, load=load_heuristic)


def load_heuristic(name: str) -> Heuristic:
    """The heuristic with a name, or the user's own one at MODULE:NAME or FILE.py:NAME."""
    from phil.heuristics import registry

    own = _OBJECT.fullmatch(name)
    if own is None or own["place"] == SHIPPED or os.path.exists(name):
        return registry.load_heuristic(name)
    module = load_plugin(own["place"], "heuristic")
    if not hasattr(module, own["name"]):
        there = ", ".join(each for each in vars(module) if not each.startswith("_"))
        raise InputError(f"{own['place']} has no {own['name']}; it has: {there}")
    return _as_heuristic(getattr(module, own["name"]), name)


def fault(error: Exception) -> str | None:
    """What to say about an error that the user's own code has raised; None if it is another."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename in _loaded:
            return f"{_loaded[frame.filename]}, line {frame.lineno}: {_told(error)}"
    return None


def _as_heuristic(found: Any, name: str) -> Heuristic:
    """A class is called without arguments; a function is one of a node and the goal."""
    from phil.heuristics.given import as_heuristic

    if isinstance(found, type):
        try:
            found = found()
        except Exception as error:
            raise InputError(f"{name}() failed: {_told(error)}") from error
    if not hasattr(found, "begin") and callable(found):
        found = as_heuristic(found)
    if not hasattr(found, "begin"):
        raise InputError(
            f"{name} is no heuristic: it needs a method begin(graph, start, goal) that returns a "
            "guide, or to be a function of a node and the goal"
        )
    if not isinstance(getattr(found, "name", None), str):
        raise InputError(f"{name} needs a name, a text, for tables")
    heuristic: Heuristic = found
    return heuristic


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {one_line(error)}"


def _import(name: str) -> ModuleType:
    """Import a module, also from the current folder; there, none replaces an installed one."""
    here = os.getcwd()
    if here not in sys.path:
        sys.path.append(here)
    return import_module(name)


def _run(path: Path) -> ModuleType:
    name = f"phil_plugin_{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError("the name of a plugin file must end in .py")
    module = module_from_spec(spec)
    sys.modules[name] = module  # where classes look up their module
    spec.loader.exec_module(module)
    return module
