"""What a page asks for, and what it is told."""

from __future__ import annotations

import io
import json
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import phil
from phil.cli.main import main
from phil.graphs.formats import write_graph
from phil.play.desk import Desk
from phil.play.presets import PRESETS
from phil.play.scenes import encode_cells, families
from phil.search.guide import Expansion
from phil.search.registry import searches

if TYPE_CHECKING:
    from tests.play.conftest import Columns, Page, Serve, Served

ROOM = ("......", ".####.", "....#.", ".####.", "......")
COUNTS = ["outcome", "expansions", "calls", "evaluations", "generated", "reopened", "cost"]
COUNTS += ["length", "lower_bound", "proven", "neighbor_calls", "lookahead_calls"]


def error_of(page: Page, kind: str, arrays: Any = None, **fields: Any) -> str:
    """The sentence that a message is answered with."""
    request = page.send(kind, arrays, **fields)
    while True:
        header, _ = page.receive()
        if header["type"] == "error":
            assert header["request"] == request
            return str(header["text"])


def test_a_page_is_told_what_it_can_choose(page: Page) -> None:
    welcome = page.welcome
    assert welcome["type"] == "welcome"
    assert {each["text"] for each in welcome["methods"]} == {
        each.example for each in searches().values()
    }
    assert [each["name"] for each in welcome["presets"]] == [each.name for each in PRESETS]
    first = welcome["state"]["problem"]["name"]
    kinds = {each["name"]: each["kind"] for each in welcome["presets"]}
    assert kinds[first] != "grid2d"  # not only maps
    names = {each["name"] for each in welcome["heuristics"]}
    assert {"euclidean", "landmarks", "phil:map"} <= names


@pytest.mark.parametrize("preset", PRESETS, ids=lambda each: each.name)
def test_every_preset_opens_and_can_be_raced(page: Page, preset: Any) -> None:
    header, columns = page.open("preset", name=preset.name)
    assert header["kind"] == preset.kind
    if preset.kind == "graph":
        nodes = header["nodes"]
        assert columns["x"].size == columns["y"].size == nodes
        assert columns["from"].size == columns["to"].size == header["edges"]
        assert 0 <= columns["from"].min() <= columns["to"].max() < nodes
        spread = np.ptp(columns["x"]) * np.ptp(columns["y"])
        assert np.isfinite(spread)
        assert spread > 0
    else:
        assert columns["free"].size == np.prod(header["shape"])
    for pane, method in enumerate(preset.methods):
        done, found = page.search(method, pane)
        assert done["outcome"] == "solved", method
        assert found["node"][-1] == header["goal"] or "bi" in method
        assert (found["path"][0], found["path"][-1]) == (header["start"], header["goal"])


@pytest.mark.parametrize("family", families(), ids=lambda each: str(each["name"]))
def test_every_family_opens(page: Page, family: dict[str, Any]) -> None:
    fields = {} if family["axes"] == 3 else {"shape": [40, 50]}
    header, columns = page.open("generated", family=family["name"], seed=3, **fields)
    again, same = page.open("generated", family=family["name"], seed=3, **fields)
    assert header["kind"] == f"grid{family['axes']}d"
    np.testing.assert_array_equal(columns["free"], same["free"])
    assert again["start"] == header["start"]
    assert columns["free"][header["start"]]


@pytest.mark.parametrize("method", [each.example for each in searches().values()])
def test_counts_are_those_of_phil_solve(
    page: Page, tmp_path: Path, method: str, capsys: pytest.CaptureFixture[str]
) -> None:
    free = np.array([[cell != "#" for cell in row] for row in ROOM])
    path = tmp_path / "map.npz"
    write_graph(path, phil.GridGraph(free))
    ends = ["--start", "2,2", "--goal", "2,5"]
    with pytest.raises(SystemExit):
        main(["solve", str(path), *ends, "-m", method, "--json", "-"])
    solved = json.loads(capsys.readouterr().out)
    page.draw(*ROOM, start=14, goal=17)
    done, columns = page.search(method)
    assert {name: done[name] for name in COUNTS} == {name: solved[name] for name in COUNTS}
    assert columns["node"].size == done["expansions"]
    assert [[node // 6, node % 6] for node in columns["path"].tolist()] == solved["path"]


def test_columns_of_a_trace_and_their_details(page: Page) -> None:
    page.draw(*ROOM, start=14, goal=17)
    names = ["node", "parent", "g", "h", "key", "calls"]
    done, columns = page.search("astar(octile)", columns=names)
    assert columns["node"][0] == 14
    assert columns["parent"][0] == -1
    assert columns["calls"][-1] == done["calls"]
    np.testing.assert_allclose(columns["key"][1:], (columns["g"] + columns["h"])[1:], rtol=1e-6)
    header, details = page.ask("details", "trace", pane=0, columns=["g", "node"])
    assert header["first"] == 0
    np.testing.assert_array_equal(details["g"], columns["g"])


@pytest.mark.parametrize("method", ["astar", "phil:map", "bidirectional(euclidean)", "bibfs"])
def test_what_was_discovered_is_what_was_generated(page: Page, method: str) -> None:
    page.open("preset", name="gaps")
    done, columns = page.search(method, columns=["node", "parent"])
    _, found = page.ask("discovered", "discovered", pane=0)
    assert found["node"].size == np.unique(found["node"]).size
    # Where two ends meet, both have discovered the same nodes, which are generated twice.
    twice = done["generated"] - found["node"].size
    assert 0 < twice <= 8 if method.startswith("bi") else twice == 0
    assert (np.diff(found["step"]) >= 0).all()
    # Nothing is expanded before it is discovered.
    discovered = dict(zip(found["node"].tolist(), found["step"].tolist(), strict=True))
    assert all(discovered[node] < step for step, node in enumerate(columns["node"].tolist()))


def test_cost_over_least_follows(page: Page) -> None:
    page.open("preset", name="trap")
    done, _ = page.search("greedy(euclidean)")
    assert done["over"] is None
    least, _ = page.until("least")
    assert least["cost"] < done["cost"]
    done, _ = page.search("greedy(euclidean)")
    assert done["over"] == pytest.approx(done["cost"] / least["cost"])


def test_true_distances(page: Page) -> None:
    page.draw(*ROOM, start=14, goal=17)
    _, columns = page.ask("distances", "distances")
    grid = phil.GridGraph(np.array([[cell != "#" for cell in row] for row in ROOM]))
    np.testing.assert_allclose(columns["distance"], phil.oracle_distances(grid, 17), rtol=1e-6)
    done, _ = page.search("greedy(euclidean)")
    assert done["least"] == pytest.approx(columns["distance"][14])


def test_drawing_and_dragging(page: Page) -> None:
    page.draw("....", ".##.", "....", start=8, goal=3)
    before, _ = page.search("astar")
    cells: Columns = {"cell": np.array([6], np.int32), "free": np.array([1], np.uint8)}
    ready, _ = page.until("ready", request=page.send("edit", cells))
    assert (ready["start"], ready["goal"]) == (8, 3)
    after, _ = page.search("astar")
    assert after["cost"] < before["cost"]
    page.ask("edit", "ready", connectivity=4)
    straight, _ = page.search("astar")
    assert straight["cost"] == 5
    page.ask("ends", "ready", start=8, goal=9)
    near, _ = page.search("astar")
    assert near["cost"] == 1


def test_a_map_in_a_state_is_that_map(page: Page) -> None:
    free = np.random.default_rng(0).random((30, 47)) > 0.3
    cells = encode_cells(free)
    header, columns = page.open("map", shape=[30, 47], cells=cells, connectivity=4)
    np.testing.assert_array_equal(columns["free"].reshape(30, 47), free)
    assert header["connectivity"] == 4


def test_bounds_and_anytime(page: Page) -> None:
    page.open("preset", name="bounds")
    bounded, _ = page.search("greedy(euclidean)", bound=1.05)
    assert bounded["proven"] <= 1.05
    request = page.send("search", pane=1, method="phil:bugtrap_forest", anytime=True)
    costs = []
    header: dict[str, Any] = {"type": ""}
    while header["type"] != "done":
        header, _ = page.until("better", "done", request=request)
        costs.append(header["cost"])
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < costs[0]
    assert header["proven"] == pytest.approx(1)
    limited, _ = page.search("dijkstra", limit=20)
    assert (limited["outcome"], limited["expansions"]) == ("limit", 20)


class Slow:
    """A heuristic with which a search takes minutes."""

    name = "slow"

    def begin(self, graph: Any, start: int, goal: int) -> Slow:
        return self

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        time.sleep(0.01)
        return np.zeros(expansion.new.size)


@pytest.fixture(scope="module")
def slow(serve: Serve) -> Served:
    """A playground with a slow heuristic, `slow.own`."""
    return serve(Desk(heuristics={"slow.own": Slow()}))


def test_another_search_of_a_pane_ends_the_one_before(slow: Served) -> None:
    with slow.page() as page:
        page.open("preset", name="open")
        first = page.send("search", pane=0, method="slow.own")
        page.until("trace", request=first)
        second = page.send("search", pane=0, method="greedy(euclidean)")
        seen: list[tuple[str, int]] = []
        while not seen or seen[-1] != ("done", second):
            header, _ = page.until("trace", "done", "cancelled")
            seen.append((header["type"], header["request"]))
    assert ("cancelled", first) in seen
    assert ("done", first) not in seen
    assert all(request == second for _, request in seen[seen.index(("cancelled", first)) + 1 :])


def test_a_search_is_cancelled(slow: Served) -> None:
    with slow.page() as page:
        page.open("preset", name="open")
        request = page.send("search", pane=2, method="slow.own")
        page.until("trace", request=request)
        page.socket.send(json.dumps({"type": "cancel", "pane": 2}))
        assert page.until("cancelled", "done", request=request)[0]["type"] == "cancelled"


def test_of_searches_that_wait_only_the_last_is_made(slow: Served) -> None:
    with slow.page() as page:
        page.open("preset", name="open")
        requests = [page.send("search", pane=1, method="slow.own") for _ in range(5)]
        last = page.send("search", pane=1, method="bfs")
        begun = []
        while (header := page.until("begin", "done", "cancelled")[0])["type"] != "done":
            begun += [header["request"]] if header["type"] == "begin" else []
    assert header["request"] == last
    assert set(begun) - {last} <= {requests[0]}


def test_panes_search_at_the_same_time(page: Page) -> None:
    page.open("preset", name="open")
    requests = [page.send("search", pane=pane, method="dijkstra") for pane in range(4)]
    ended = {page.until("done")[0]["request"] for _ in requests}
    assert ended == set(requests)


def test_two_pages_do_not_meddle(served: Served) -> None:
    with served.page() as one, served.page() as other:
        one.draw("...", start=0, goal=2)
        other.draw("....", start=0, goal=3)
        assert one.search("bfs")[0]["cost"] == 2
        assert other.search("bfs")[0]["cost"] == 3


def test_a_dropped_map_and_heuristic(page: Page) -> None:
    image = io.BytesIO()
    Image.fromarray(np.full((21, 31), 255, np.uint8)).save(image, "PNG")
    drop(page, "my map.png", image.getvalue())
    header, _ = page.until("problem")
    assert (header["shape"], header["name"]) == ([21, 31], "my_map.png")
    again, _ = page.open(**header["problem"])
    assert again["name"] == "my_map.png"
    from phil.heuristics.registry import shipped_folder

    drop(page, "mine.safetensors", (shipped_folder() / "map.safetensors").read_bytes())
    named, _ = page.until("heuristic")
    done, _ = page.search(f"greedy({named['name']})")
    theirs, _ = page.search("phil:map")
    assert done["expansions"] == theirs["expansions"]


def test_only_the_last_dropped_heuristics_are_kept(page: Page) -> None:
    from phil.heuristics.registry import shipped_folder

    data = (shipped_folder() / "forest.safetensors").read_bytes()
    page.open("preset", name="open")
    for number in range(9):
        drop(page, f"h{number}.safetensors", data)
        page.until("heuristic")
    assert page.search("h8.safetensors")[0]["outcome"] == "solved"
    assert "drop its file" in error_of(page, "search", pane=0, method="h0.safetensors")


def test_a_dropped_ros_map_finds_its_image(page: Page) -> None:
    image = io.BytesIO()
    Image.fromarray(np.full((20, 30), 255, np.uint8)).save(image, "PPM")
    drop(page, "map.pgm", image.getvalue())
    assert page.until("kept")[0]["name"] == "map.pgm"
    rules = "image: map.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\n"
    drop(page, "map.yaml", (rules + "occupied_thresh: 0.65\nfree_thresh: 0.2\n").encode())
    assert page.until("problem")[0]["shape"] == [20, 30]


def test_a_dropped_graph_without_coordinates_gets_a_layout(page: Page) -> None:
    drop(page, "edges.csv", b"source,target\na,b\nb,c\nc,d\nd,a\n")
    header, columns = page.until("problem")
    assert header["layout"] == "spring"
    assert header["labels"] == ["a", "b", "c", "d"]
    places = np.stack([columns["x"], columns["y"]], axis=1)
    assert np.unique(places.round(3), axis=0).shape == (4, 2)
    assert page.ask("labels", "labels", nodes=[2, 0])[0]["labels"] == ["c", "a"]


def test_a_dropped_state_comes_back(page: Page) -> None:
    state = {"phil": "playground", "version": 1, "view": {"speed": 2}}
    state |= {"problem": {"source": "preset", "name": "maze"}, "panes": [{"method": "bfs"}]}
    drop(page, "state.json", json.dumps(state).encode())
    assert page.until("state")[0]["state"]["view"] == {"speed": 2}


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.png", b"\x89PNG\r\n\x1a\nnot really", "a.png"),
        ("a.safetensors", b"\xff" * 100, "a.safetensors"),
        ("a.npz", b"PK\x03\x04nothing", "a.npz"),
        ("../../../etc/passwd", b"\x00\x01", "does not have a known format"),
        ("s.json", b'{"phil": "playground", "version": 1}', "s.json is not a state"),
    ],
)
def test_bad_files_get_a_sentence(page: Page, name: str, data: bytes, words: str) -> None:
    text = error_of(page, "file", {"bytes": np.frombuffer(data, np.uint8)}, name=name)
    assert words in text
    assert "/tmp" not in text
    page.open("preset", name="open")  # and the page goes on


@pytest.mark.parametrize(
    "method",
    ["/etc/passwd", "os:system", "secret.py:Heuristic", "greedy(../x.safetensors)", "nonsense"],
)
def test_methods_that_name_files_or_code_are_refused(page: Page, method: str) -> None:
    page.open("preset", name="open")
    text = error_of(page, "search", pane=0, method=method)
    assert "nonsense" in text or "drop its file onto the page" in text


@pytest.mark.parametrize(
    ("kind", "fields", "words"),
    [
        ("search", {"pane": 0, "method": "bfs"}, "no problem is open yet"),
        ("search", {"pane": 4, "method": "bfs"}, "a message is damaged"),
        ("explode", {}, "a message is damaged"),
        ("open", {"problem": {"source": "preset", "name": "nowhere"}}, "nowhere"),
        ("open", {"problem": {"source": "given"}}, "no problem 0"),
        ("open", {"problem": {"source": "file", "id": "7"}}, "drop it onto the page again"),
        ("open", {"problem": {"source": "map", "shape": [1025, 1024]}}, "1024 x 1024"),
        ("open", {"problem": {"source": "map", "shape": [5, 5], "cells": "AAAA"}}, "cells"),
        ("open", {"problem": {"source": "map", "shape": [0, 5]}}, "a message is damaged"),
        ("details", {"pane": 0, "columns": ["g"]}, "has not searched yet"),
        ("film", {"format": "gif"}, "no race to film"),
    ],
)
def test_bad_messages_get_a_sentence(
    page: Page, kind: str, fields: dict[str, Any], words: str
) -> None:
    assert words in error_of(page, kind, **fields)
    page.open("preset", name="open")


def test_a_method_that_does_not_fit_says_so_in_its_pane(page: Page) -> None:
    page.open("preset", name="city")
    page.send("search", pane=3, method="phil:map")
    while (header := page.receive()[0])["type"] != "error":
        pass
    assert header["pane"] == 3


def test_ends_on_walls_are_refused(page: Page) -> None:
    page.draw("..#", start=0, goal=1)
    assert "obstacle" in error_of(page, "ends", start=0, goal=2)
    assert "off the map" in error_of(page, "ends", start=0, goal=3)
    cells = {"cell": np.array([3], np.int32), "free": np.array([1], np.uint8)}
    assert "off the map" in error_of(page, "edit", cells)


def test_the_equivalent_command_gives_the_same(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page.draw(*ROOM, start=14, goal=17)
    done, _ = page.search("greedy(euclidean)", bound=1.5)
    told, _ = page.ask("command", "command", pane=0, method="greedy(euclidean)", bound=1.5)
    saved, columns = page.ask("save", "saved")
    assert told["needs"] == [saved["name"]]
    (tmp_path / saved["name"]).write_bytes(columns["bytes"].tobytes())
    monkeypatch.chdir(tmp_path)
    program, *arguments = shlex.split(told["command"])
    assert program == "phil"
    with pytest.raises(SystemExit):
        main([*arguments, "--json", "-"])
    assert json.loads(capsys.readouterr().out)["expansions"] == done["expansions"]
    names: dict[str, Any] = {}
    exec(told["python"], names)
    assert names["result"].expansions == done["expansions"]


def test_a_race_is_filmed(page: Page) -> None:
    page.open("generated", family="forest", seed=1, shape=[30, 30])
    for pane, method in enumerate(["astar", "greedy(euclidean)"]):
        page.search(method, pane)
    request = page.send("film", format="gif", seconds=0.5, width=300)
    saved, columns = page.until("saved", request=request)
    assert saved["mime"] == "image/gif"
    film = Image.open(io.BytesIO(columns["bytes"].tobytes()))
    assert film.n_frames > 5  # type: ignore[attr-defined]
    assert film.width == 300
    first = np.asarray(film.convert("RGB"))
    film.seek(film.n_frames - 1)  # type: ignore[attr-defined]
    assert (first != np.asarray(film.convert("RGB"))).any()


def test_time_is_limited(serve: Serve) -> None:
    with serve(Desk(seconds=0.0)).page() as page:
        page.open("preset", name="open")
        done, _ = page.search("dijkstra")
    assert done["outcome"] == "limit"


def test_a_million_cells_are_searched_and_told(page: Page) -> None:
    page.open("map", shape=[1024, 1024], cells=encode_cells(np.ones((1024, 1024), bool)))
    done, columns = page.search("dijkstra")
    assert columns["node"].size == np.unique(columns["node"]).size == done["expansions"]
    assert done["expansions"] > 1_000_000


def drop(page: Page, name: str, data: bytes) -> int:
    return page.send("file", {"bytes": np.frombuffer(data, np.uint8)}, name=name)
