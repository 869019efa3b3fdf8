"""Parts of a user's own are usable in every command."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from phil.errors import InputError
from phil.heuristics.registry import load_heuristic
from tests.cli.conftest import MakeMap, Phil
from tests.test_docs import own_parts

GREEDY = """
import phil
from phil.evaluation import Method

class Backwards:
    name = "backwards"

    def begin(self, graph, start, goal):
        return phil.load("euclidean").begin(graph, start, goal)

phil.register_heuristic(Backwards())
first = lambda one, two, number: Method("", phil.GREEDY, one)
phil.register_search("mine", first, heuristics=2, numbers=1)
"""
MAP = ["." * 9] * 9
ENDS = ("--start", "8,0", "--goal", "0,8")


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(GREEDY)
    return path


def test_the_parts_that_the_documentation_writes_are_found_in_a_new_process(
    program: Phil, make_map: MakeMap, tmp_path: Path
) -> None:
    (tmp_path / "my_parts.py").write_text(own_parts())
    command = ("solve", make_map(*MAP), *ENDS, "-m", "beam(crowding, 20)")
    done = program("--plugin", "my_parts.py", *command, "--json", "-")
    assert done.code == 0, done.err
    assert json.loads(done.out)["outcome"] == "solved"
    sets = program("--plugin", "my_parts.py", "problems")
    assert "mine/knights" in sets.out
    assert "unknown search 'beam'" in program(*command).err


def test_the_environment_names_plugins(
    phil: Phil, plugin: Path, make_map: MakeMap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PHIL_PLUGINS", os.pathsep.join(["json", str(plugin)]))
    done = phil("solve", make_map(*MAP), *ENDS, "-m", "mine(backwards, zero, 2)")
    assert done.code == 0, done.err


@pytest.mark.parametrize(
    ("method", "options", "said"),
    [
        ("mine(backwards, 2)", (), "mine takes 2 heuristics: mine(euclidean, euclidean, 2)"),
        ("mine(zero, zero)", (), "mine takes heuristics and a number"),
        ("mine(zero, zero, 1)", ("--bound", "2"), "takes no bound"),
        ("mine(zero, zero, 1)", ("--anytime",), "finds one path"),
    ],
)
def test_what_a_search_does_not_take_is_said(
    phil: Phil, plugin: Path, make_map: MakeMap, method: str, options: tuple[str, ...], said: str
) -> None:
    command = ("solve", make_map(*MAP), *ENDS, "-m", method, *options)
    done = phil("--plugin", plugin, *command)
    assert done.code == 2
    assert said in done.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "does not exist"),
        ("1 / 0", "failed (line 1): ZeroDivisionError"),
        ("import phil\nphil.register_search('astar', print)", "built-in search 'astar'"),
        ("import phil\nphil.register_search('a star', print)", "must be a word"),
        ("import phil\nphil.register_heuristic(phil.load('zero'))", "built-in heuristic 'zero'"),
    ],
)
def test_a_plugin_that_fails_is_said_to(
    phil: Phil, tmp_path: Path, text: str | None, said: str
) -> None:
    path = tmp_path / "bad.py"
    if text is not None:
        path.write_text(text)
    done = phil("--plugin", path, "problems")
    assert done.code == 2
    assert done.err.startswith("error: ")
    assert said in done.err
    assert len(done.err.splitlines()) == 1


def test_a_module_that_is_none_is_said(phil: Phil) -> None:
    done = phil("--plugin", "no_such_module_at_all", "problems")
    assert done.code == 2
    assert "plugin no_such_module_at_all failed: ModuleNotFoundError" in done.err


OWN = """
import numpy as np

class Left:
    name = "left"

    def begin(self, graph, start, goal):
        return self

    def score(self, expansion):
        return np.zeros(len(expansion.new))

class Unnamed(Left):
    name = None

class Needy(Left):
    def __init__(self, weight):
        self.weight = weight

class Failing(Left):
    def score(self, expansion):
        return expansion.no_such_thing

left = Left()
nothing = 3

def rows(cell, goal):
    return abs(cell[0] - goal[0])

def too_short(cell):
    return 0
"""


@pytest.fixture
def own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module in the current folder, where the program `phil` does not import from by itself."""
    path = tmp_path / f"own_{tmp_path.name}.py"
    path.write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return path


@pytest.mark.parametrize(
    "method", ["{}:Left", "astar({}:left)", "mha({}:left, euclidean)", "wastar({}:rows, 2)"]
)
def test_a_heuristic_is_named_by_its_place(
    phil: Phil, own_file: Path, make_map: MakeMap, method: str
) -> None:
    for place in (own_file.name, str(own_file), own_file.stem):
        text = method.format(place)
        done = phil("solve", make_map(*MAP), *ENDS, "-m", text, "--json", "-")
        assert done.code == 0, done.err
        assert json.loads(done.out)["outcome"] == "solved"
    pairs = ("--pairs", "random", "--count", "2")
    compared = phil("evaluate", make_map(*MAP), *pairs, "-m", text, "-m", "euclidean")
    assert compared.code == 0, compared.err


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("{file}:Right", "has no Right; it has: np, Left, Unnamed"),
        ("{file}:nothing", "nothing is no heuristic: it needs a method begin"),
        ("{file}:Unnamed", "Unnamed needs a name"),
        ("{file}:Needy", "Needy() failed: TypeError: Needy.__init__() missing"),
        ("{file}:too_short", "(0, 8)) raised TypeError: too_short() takes 1"),
        ("no_such_file.py:Left", "heuristic file no_such_file.py does not exist"),
        ("no_such_module:Left", "failed: ModuleNotFoundError: No module named 'no_such_module'"),
        ("broken.py:Left", "heuristic broken.py failed (line 2): NameError: name 'oops'"),
        ("{file}:Failing", "line 22: AttributeError: 'Expansion' object has no attribute"),
    ],
)
def test_what_is_wrong_with_a_heuristic_of_ones_own_is_said(
    phil: Phil, own_file: Path, make_map: MakeMap, name: str, said: str
) -> None:
    (own_file.parent / "broken.py").write_text("import phil\noops\n")
    text = name.format(file=own_file.name)
    done = phil("solve", make_map(*MAP), *ENDS, "-m", text)
    assert done.code == 2
    assert done.err.startswith("error: ")
    assert said in done.err
    assert len(done.err.splitlines()) == 1


def test_a_file_in_the_current_folder_does_not_replace_an_installed_module(
    phil: Phil, own_file: Path, make_map: MakeMap
) -> None:
    (own_file.parent / "json.py").write_text("raise SystemExit('run')")
    done = phil("solve", make_map(*MAP), *ENDS, "-m", f"{own_file.stem}:Left")
    assert done.code == 0, done.err
    assert sys.path[-1] == str(own_file.parent)


def test_loading_a_heuristic_in_python_runs_no_code(own_file: Path) -> None:
    with pytest.raises(InputError):
        load_heuristic(f"{own_file.stem}:Left")
    assert own_file.stem not in sys.modules
