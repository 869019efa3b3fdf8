"""A page without a server: one file that holds the whole race."""

from __future__ import annotations

import base64
import json
import re
from collections import Counter

import numpy as np
import pytest

import phil
from phil.errors import InputError
from phil.play.export import export_html
from phil.play.frames import unpack
from phil.play.protocol import PresetProblem
from phil.play.recording import record
from phil.play.scenes import Library, Scene

METHODS = ["astar(octile)", "greedy(euclidean)"]


@pytest.fixture(scope="module")
def scene() -> Scene:
    return Library().open(PresetProblem(source="preset", name="forest"))


def test_the_page_holds_what_a_server_would_have_sent(scene: Scene) -> None:
    page = export_html(record(scene, METHODS), "Forest <race>")
    assert "<title>Forest &lt;race&gt;</title>" in page
    found = re.search(r'<script type="application/json" id="phil-recording">(.*?)</script>', page)
    assert found is not None
    recording = json.loads(found[1])
    assert (recording["phil"], recording["version"]) == ("recording", 1)
    frames = [unpack(base64.b64decode(frame)) for frame in recording["frames"]]
    kinds = Counter(header["type"] for header, _ in frames)
    assert kinds == {
        "welcome": 1, "problem": 1, "least": 1, "distances": 1,
        "begin": 2, "trace": 2, "done": 2, "discovered": 2,
    }  # fmt: skip
    for number, method in enumerate(METHODS):
        result = phil.search(scene.graph, scene.problem.start, scene.problem.goal, method)
        done = next(h for h, _ in frames if h["type"] == "done" and h["pane"] == number)
        assert (done["expansions"], done["calls"]) == (result.expansions, result.calls)
        [columns] = [c for h, c in frames if h["type"] == "trace" and h["pane"] == number]
        assert set(columns) == {"node", "parent", "g", "h", "key", "calls"}
        assert columns["node"].size == result.expansions
        assert np.isnan(columns["h"][0])


def test_the_page_needs_no_other_file(scene: Scene) -> None:
    page = export_html(record(scene, METHODS[:1]))
    assert not re.search(r'<(?:script|link|img)[^>]*(?:src|href)="(?!data:)', page)
    assert page.count("</script>") == 2
    assert "startPlayground(" in page


def test_a_race_has_one_to_four_methods(scene: Scene) -> None:
    for methods in ([], ["bfs"] * 5):
        with pytest.raises(InputError, match="one to 4 methods"):
            record(scene, methods)
