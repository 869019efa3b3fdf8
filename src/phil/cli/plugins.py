"""Plugins: the user's Python files or modules that register parts, loaded before a command."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterable
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from phil.errors import InputError

VARIABLE = "PHIL_PLUGINS"


def load_plugins(named: Iterable[str]) -> None:
    """Load the plugins listed in $PHIL_PLUGINS, then the named ones."""
    for place in [*filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)), *named]:
        load_plugin(place)


def load_plugin(place: str) -> ModuleType:
    """Run a file, or import a module, that registers parts; raises `InputError` if it fails."""
    path = Path(place)
    is_file = path.suffix == ".py" or path.exists()
    if is_file and not path.is_file():
        raise InputError(f"plugin file {place} does not exist")
    try:
        return _run(path) if is_file else import_module(place)
    except InputError as error:
        raise InputError(f"plugin {place}: {error}") from error
    except Exception as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)]
        where = f" (line {lines[-1]})" if is_file and lines else ""
        kind = type(error).__name__
        raise InputError(f"plugin {place} failed{where}: {kind}: {error}") from error


def _run(path: Path) -> ModuleType:
    name = f"phil_plugin_{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError("the name of a plugin file must end in .py")
    module = module_from_spec(spec)
    sys.modules[name] = module  # where classes look up their module
    spec.loader.exec_module(module)
    return module
