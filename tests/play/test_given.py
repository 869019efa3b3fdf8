"""What `phil play` was asked to show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import phil
from phil.errors import InputError
from phil.graphs.formats import write_graph
from phil.play.given import open_desk

if TYPE_CHECKING:
    from tests.play.conftest import Serve


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "map.npz"
    write_graph(file, phil.GridGraph(np.ones((8, 9), bool), connectivity=4))
    return file


def test_a_file_is_shown_with_methods_that_suit_it(path: Path) -> None:
    desk, scene = open_desk(str(path))
    assert (desk.given_is_file, scene.kind, scene.name) == (True, "grid2d", "map.npz")
    assert desk.state.problem.source == "given"
    assert [pane.method for pane in desk.state.panes] == list(scene.methods)
    grid = scene.graph
    assert grid.is_grid
    assert (grid.cell(scene.problem.start), grid.cell(scene.problem.goal)) == ((7, 0), (0, 8))


def test_the_problems_of_a_set_are_opened_one_by_one(serve: Serve) -> None:
    desk, _ = open_desk("generated/forest", ["bfs"])
    assert not desk.given_is_file
    with serve(desk).page() as page:
        assert page.welcome["state"]["panes"][0]["method"] == "bfs"
        one, first = page.open("given", index=0)
        other, second = page.open("given", index=7)
        assert one["name"] != other["name"]
        assert (first["free"] != second["free"]).any()


def test_the_command_for_a_file_names_the_file(serve: Serve, path: Path) -> None:
    desk, _ = open_desk(str(path))
    with serve(desk).page() as page:
        page.open("given")
        told, _ = page.ask("command", "command", pane=0, method="astar")
    assert told["needs"] == []
    assert told["command"] == f"phil solve {path} --start 7,0 --goal 0,8 -m astar"


def test_a_heuristic_of_the_command_line_can_be_used_by_pages(serve: Serve, path: Path) -> None:
    from phil.heuristics.registry import shipped_folder

    mine = path.parent / "mine.safetensors"
    mine.write_bytes((shipped_folder() / "map.safetensors").read_bytes())
    desk, _ = open_desk(str(path), [str(mine)])
    with serve(desk).page() as page:
        page.open("given")
        assert page.search(f"greedy({mine})")[0]["outcome"] == "solved"
        page.open("preset", name="open")
        assert page.search(str(mine))[0]["outcome"] == "solved"


def test_a_state_is_shown_as_it_was_saved(tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    state = {"phil": "playground", "version": 1, "view": {"speed": 3}, "start": 5, "goal": 9}
    state |= {"problem": {"source": "preset", "name": "open"}, "panes": [{"method": "bfs"}]}
    file.write_text(json.dumps(state))
    desk, scene = open_desk(str(file))
    assert desk.state.view == {"speed": 3}
    assert (scene.problem.start, scene.problem.goal) == (5, 9)
    changed, _ = open_desk(str(file), ["astar", "bfs"])
    assert [pane.method for pane in changed.state.panes] == ["astar", "bfs"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"panes": []}, "panes"),
        ({"problem": {"source": "preset", "name": "nowhere"}}, "nowhere"),
        ({"start": -1}, "start"),
        ({"version": 9}, "version"),
        ({"secret": 1}, "secret"),
    ],
)
def test_a_damaged_state_is_refused(tmp_path: Path, change: dict[str, object], words: str) -> None:
    file = tmp_path / "state.json"
    state: dict[str, object] = {"phil": "playground", "version": 1, "panes": [{"method": "bfs"}]}
    state["problem"] = {"source": "preset", "name": "open"}
    file.write_text(json.dumps(state | change))
    with pytest.raises(InputError, match=words):
        open_desk(str(file))
