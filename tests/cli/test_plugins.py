"""Parts of a user's own are usable in every command."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

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
        ("mine(zero, zero, 1)", ("--anytime",), "gives one path"),
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
