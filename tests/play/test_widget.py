"""The widget of notebooks holds a whole race."""

from __future__ import annotations

import base64

import numpy as np
import pytest

import phil
from phil.errors import InputError
from phil.play.frames import unpack

FREE = [[True] * 12] * 12


def test_it_holds_the_race() -> None:
    widget = phil.view.play(FREE, (11, 0), (0, 11), ["astar", phil.load("euclidean")])
    frames = [unpack(base64.b64decode(frame)) for frame in widget.recording["frames"]]
    done = {header["pane"]: header for header, _ in frames if header["type"] == "done"}
    expected = phil.search(FREE, (11, 0), (0, 11), "astar")
    assert done[0]["expansions"] == expected.expansions
    assert done[1]["over"] == 1.0
    state = frames[0][0]["state"]
    assert [pane["method"] for pane in state["panes"]] == ["astar", "euclidean"]
    assert state["problem"]["source"] == "map"
    assert (state["start"], state["goal"]) == (132, 11)


def test_it_is_one_module_without_imports() -> None:
    widget = phil.view.play(FREE, (11, 0), (0, 11), "bfs")
    script = str(widget._esm)
    assert "export default" in script
    assert "import {" not in script
    assert ".phil-play" in str(widget._css)


def test_it_takes_a_networkx_graph_and_methods_of_its_own_choice() -> None:
    networkx = pytest.importorskip("networkx")
    city = networkx.path_graph(["a", "b", "c"])
    widget = phil.view.play(city, "a", "c")
    headers = [unpack(base64.b64decode(frame))[0] for frame in widget.recording["frames"]]
    problem = next(header for header in headers if header["type"] == "problem")
    assert problem["kind"] == "graph"
    assert sum(header["type"] == "done" for header in headers) == 3


@pytest.mark.parametrize("methods", [["astar"] * 5, [3], ["nonsense"], [np.ones(3)]])
def test_what_is_no_race_is_refused(methods: list[object]) -> None:
    with pytest.raises(InputError):
        phil.view.play(FREE, (11, 0), (0, 11), methods)


def test_an_implicit_graph_is_refused() -> None:
    implicit = phil.ImplicitGraph(lambda node: [node + 1])
    with pytest.raises(InputError, match="ImplicitGraph"):
        phil.view.play(implicit, 0, 3, "bfs")
