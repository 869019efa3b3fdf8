"""The package `phil` as a whole: its public names, imported on first use."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

import phil
from phil.problems.registry import SOURCES

# What a program that only says `import phil`, or only asks for help, must not wait for.
HEAVY = (
    *("numpy", "numba", "scipy", "networkx", "matplotlib", "PIL", "torch"),
    *("pydantic", "safetensors", "platformdirs", "pooch", "importlib.metadata"),
    *("phil.compiled", "phil.graphs", "phil.problems", "phil.search", "phil.heuristics"),
    *("phil.evaluation", "phil.learning", "phil.view", "phil.networkx"),
)


def loaded(code: str, names: tuple[str, ...]) -> list[str]:
    """Those of the modules that a new process has imported after running the code."""
    ask = f"\nimport sys; print(*(name for name in {names} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code + ask], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1].split()


def run(code: str) -> None:
    """Run code in a new process, in which nothing has been imported."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_importing_loads_nothing_heavy() -> None:
    assert loaded("import phil; dir(phil); phil.__all__", (*HEAVY, "rich", "typer")) == []


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_load_nothing_heavy(option: str) -> None:
    code = f"""
from phil.cli.main import main
try:
    main(["{option}"])
except SystemExit as ended:
    assert ended.code == 0
"""
    needed = "importlib.metadata" if option == "--version" else ""
    assert loaded(code, tuple(name for name in HEAVY if name != needed)) == []


def test_a_search_loads_only_its_own_parts(tmp_path: Path) -> None:
    path = tmp_path / "small.npz"
    phil.write_graph(path, phil.Graph.from_edges(2, [(0, 1)], [[0.0], [1.0]]))
    code = f"""
import phil
from phil.evaluation import parse_method
phil.Problem(phil.read_graph({str(path)!r}), 0, 1)
parse_method("astar(octile)")
"""
    needless = (
        *("scipy.sparse", "networkx", "matplotlib", "PIL", "torch", "pooch", "pydantic"),
        *("phil.heuristics.phil", "phil.heuristics.mlp", "phil.heuristics.neural_astar"),
        *("phil.graphs.formats.graphml", "phil.rooms", *SOURCES.values()),
        *("phil.learning", "phil.view", "phil.networkx"),
    )
    assert loaded(code, needless) == []


def test_type_checkers_and_python_find_the_same_names_in_the_same_places() -> None:
    [block] = [
        node
        for node in ast.parse(Path(str(phil.__file__)).read_text()).body
        if isinstance(node, ast.If)
    ]
    typed = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted(typed) == sorted(phil.__all__)
    for name, (module, original) in typed.items():
        assert module is not None
        assert getattr(phil, name) is getattr(import_module(module), original)
        if name != "networkx":  # a module, which has no other home
            home, _, attribute = phil._HOMES[name].partition(":")
            assert (home, attribute or name) == (module, original)


def test_every_name_is_an_attribute_from_the_start() -> None:
    run(
        """
import phil
for name in (*phil.__all__, "__version__", "graphs", "learning"):
    assert name in dir(phil), name
    getattr(phil, name)
assert phil.graphs.Graph is phil.Graph
from phil import *
assert search is phil.search
"""
    )
    assert phil.__version__ == version("phil-search")
    with pytest.raises(AttributeError, match="'phil' has no attribute 'no_such_name'"):
        phil.no_such_name  # noqa: B018


def test_search_is_the_function_whatever_is_imported_first() -> None:
    for first in ("import phil.search.state", "import phil.heuristics.registry", "import phil"):
        run(f"{first}\nimport phil\nassert callable(phil.search), phil.search")
    run("import phil; phil.search; import phil.search.state; assert callable(phil.search)")
    assert isinstance(phil.search, FunctionType)
    assert isinstance(import_module("phil.search"), ModuleType)
