"""The playground's page in Chromium: drawing, racing, asking why, keeping."""

from __future__ import annotations

import io
import json
import re
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import phil
from phil.cli.main import main
from tests.play.page.playing import Playing, fragment, hall, state_in

if TYPE_CHECKING:
    from playwright.sync_api import WebSocketRoute

    from tests.play.page.conftest import OpenPage

SIDE = 41
START, GOAL = (5, 2), (5, 38)
ENDS = ("start", "goal")
METHODS = ["greedy(euclidean)", "astar(octile)"]
FREE = (247, 246, 242, 255)


@pytest.fixture
def race(open_page: OpenPage) -> Playing:
    """Two methods on a map with one wall, which have searched."""
    return Playing(open_page(fragment(hall(), START, GOAL, METHODS))).wait()


def results(free: NDArray[np.bool_] | None = None) -> list[phil.Result]:
    grid = phil.GridGraph(hall() if free is None else free)
    return [phil.search(grid, START, GOAL, each, trace=True) for each in METHODS]


def test_the_counts_are_those_of_phil_solve(race: Playing, tmp_path: Path) -> None:
    map_file, told = tmp_path / "hall.png", tmp_path / "told.json"
    Image.fromarray(np.where(hall(), 255, 0).astype(np.uint8)).save(map_file)
    ends = [
        f"--{name}={row},{column}" for name, (row, column) in zip(ENDS, (START, GOAL), strict=True)
    ]
    solved = []
    for method in METHODS:
        with pytest.raises(SystemExit) as ended:
            main(["solve", str(map_file), *ends, "-m", method, "--json", str(told)])
        assert not ended.value.code
        solved.append(json.loads(told.read_text()))
    least = min(each["cost"] for each in solved)
    for row, each in zip(race.counts(), solved, strict=True):
        assert row["Outcome"] == each["outcome"]
        assert row["Expansions"] == f"{each['expansions']:,}"
        assert row["Calls"] == f"{each['calls']:,}"
        assert row["Evaluations"] == f"{each['evaluations']:,}"
        assert row["Cost / least"] == f"{each['cost'] / least:.3f}"


def test_drawn_walls_are_searched_around_and_undone(race: Playing) -> None:
    before = race.expansions()
    race.drag([(20, 4), (20, 16)], SIDE)
    race.wait()
    free = hall()
    free[20, 4:17] = False
    drawn = [result.expansions for result in results(free)]
    race.page.locator(".caption", has_text=f"{drawn[0]:,} ").first.wait_for()
    assert race.wait().expansions() == drawn != before
    race.press("Undo")
    assert race.wait().expansions() == before
    race.press("Redo")
    assert race.wait().expansions() == drawn


@pytest.mark.parametrize(
    ("tool", "cells", "blocked"),
    [
        ("Line of walls", [(30, 4), (20, 9), (36, 10)], ((30, 4), (36, 10))),
        ("Rectangle of walls", [(30, 4), (34, 9)], ((30, 4), (32, 6), (34, 9))),
        ("Fill an area", [(30, 4)], ((30, 4), (39, 0), (0, 40))),
    ],
)
def test_each_tool_draws_its_shape(
    race: Playing, tool: str, cells: list[tuple[int, int]], blocked: tuple[tuple[int, int], ...]
) -> None:
    race.press("Clear")
    race.press(tool)
    race.drag(cells, SIDE)
    wall = race.wait().colour(blocked[0], SIDE)
    assert wall == (40, 44, 54, 255)
    assert {race.colour(cell, SIDE) for cell in blocked} == {wall}
    race.press("Erase walls")
    race.drag([blocked[0], blocked[0]], SIDE)
    assert race.wait().colour(blocked[0], SIDE) != wall


def test_the_goal_is_dragged_and_searched_for_on_the_way(race: Playing) -> None:
    race.drag([GOAL, (20, 30), (36, 12)], SIDE)
    race.wait()
    assert race.ends() == ["5, 2", "36, 12"]
    grid = phil.GridGraph(hall())
    wanted = [phil.search(grid, START, (36, 12), each).expansions for each in METHODS]
    race.page.locator(".caption", has_text=f"{wanted[0]:,} ").first.wait_for()
    assert race.wait().expansions() == wanted


def test_scrubbing_shows_what_was_expanded_by_then(race: Playing) -> None:
    greedy, astar = results()
    assert greedy.trace is not None
    last = phil.GridGraph(hall()).cell(int(greedy.trace[-3]))
    middle = greedy.expansions - 3
    race.page.get_by_label("Path", exact=True).uncheck()
    race.page.get_by_label("Open", exact=True).uncheck()
    race.scrub(middle)
    assert race.captions()[0].startswith(f"{middle:,} of {greedy.expansions:,} expansions")
    assert race.colour(last, SIDE) == FREE
    race.press("One step forward")
    assert race.captions()[1].startswith(f"{middle + 1:,} of {astar.expansions:,}")
    assert race.colour(last, SIDE) != FREE
    race.press("One step back")
    assert race.captions()
    assert race.colour(last, SIDE) == FREE
    race.page.get_by_label("Steps of the timeline").select_option("calls")
    race.press("Go to the end")
    slider = race.page.get_by_label("Position in the race")
    assert slider.input_value() == str(max(greedy.calls, astar.calls))


def test_playing_moves_the_race_to_its_end(race: Playing) -> None:
    race.page.get_by_label("Speed").select_option("8")
    race.press("Play")
    race.page.get_by_role("button", name="Pause").wait_for()
    race.page.get_by_role("button", name="Play", exact=True).wait_for()
    assert " of " not in race.captions()[0]


def test_the_first_difference_is_where_the_traces_part(race: Playing) -> None:
    traces = [result.trace for result in results() if result.trace is not None]
    shared = min(map(len, traces))
    step = int(np.argmax(traces[0][:shared] != traces[1][:shared]))
    race.press("First difference")
    said = race.page.locator(".said").inner_text()
    cells = [phil.GridGraph(hall()).cell(int(trace[step])) for trace in traces]
    assert f"at expansion {step + 1}:" in said
    assert f"A expands {cells[0][0]}, {cells[0][1]}" in said
    assert f"B expands {cells[1][0]}, {cells[1][1]}" in said
    assert race.captions()[0].startswith(f"{step + 1} of")


def test_pointing_at_a_node_tells_its_order_values_and_true_distance(race: Playing) -> None:
    greedy = results()[0]
    assert greedy.trace is not None
    grid = phil.GridGraph(hall())
    node = int(greedy.trace[20])
    row, column = grid.cell(node)
    race.page.mouse.move(*race.at((row, column), SIDE))
    race.page.locator(".node-name", has_text="true distance").wait_for()
    race.page.locator(".facts tbody tr:first-child td:nth-child(4)", has_text=".").wait_for()
    facts = race.page.locator(".facts tbody tr").first.locator("th, td").all_inner_texts()
    assert facts[:2] == ["A", "21"]
    distance = phil.search(grid, (row, column), GOAL, "astar(octile)").cost
    said = race.page.locator(".node-name").inner_text()
    assert float(said.split()[-1]) == pytest.approx(distance, rel=1e-3)
    euclidean = float(np.hypot(row - GOAL[0], column - GOAL[1]))
    assert float(facts[3]) == pytest.approx(euclidean, rel=1e-3)


def test_nodes_of_one_method_and_of_the_solution_are_stepped_through(race: Playing) -> None:
    greedy, astar = results()
    assert greedy.trace is not None
    assert astar.trace is not None
    race.scrub(0)
    race.press("Next node that only A expands")
    only = next((k for k, node in enumerate(greedy.trace) if node not in astar.trace), None)
    said = race.page.locator(".said").inner_text()
    if only is None:
        assert "is expanded by others too" in said
    else:
        assert f"at expansion {only + 1}." in said
    race.press("Next node of the solution")
    race.press("Next node of the solution")
    said = race.page.locator(".said").inner_text()
    assert said.startswith(f"Node 2 of {len(greedy.path)} of A")


@pytest.mark.parametrize("mode", ["value", "error", "only"])
def test_nodes_are_coloured_by_other_numbers(race: Playing, mode: str) -> None:
    before = race.picture()
    race.page.get_by_label("Colour").select_option(mode)
    race.wait_for_another(before)
    if mode == "error":
        race.page.locator(".legend", has_text="too high").wait_for()


def test_the_address_holds_everything(race: Playing, open_page: OpenPage) -> None:
    race.drag([(20, 4), (20, 16)], SIDE)
    race.page.get_by_label("Colour").select_option("value")
    counts = race.wait().expansions()
    race.scrub(7)
    for _ in range(200):  # it is written when all is quiet
        if state_in(race.page.url)["view"].get("position") == 7:
            break
        race.page.wait_for_timeout(50)
    other = Playing(open_page(url=race.page.url)).wait()
    assert other.expansions() == counts
    assert other.ends() == race.ends()
    assert other.captions() == race.captions()
    assert other.page.get_by_label("Colour").input_value() == "value"


def test_a_damaged_address_is_said_and_something_opens(open_page: OpenPage) -> None:
    page = Playing(open_page("#s=AAAA"))
    assert "address" in page.message("cannot be read")
    page.wait()


def test_a_saved_playground_opens_again(race: Playing, open_page: OpenPage) -> None:
    with race.page.expect_download() as saving:
        race.press("Save")
    content = Path(saving.value.path()).read_bytes()
    state = json.loads(content)
    assert [pane["method"] for pane in state["panes"]] == METHODS
    other = Playing(open_page()).wait()
    other.drop("playground.json", content)
    other.page.locator(".method", has_text="").first.wait_for()
    other.page.wait_for_function("() => document.querySelectorAll('canvas').length === 2")
    assert other.wait().expansions() == race.expansions()


def test_a_dropped_map_is_searched(race: Playing) -> None:
    stream = io.BytesIO()
    Image.fromarray(np.where(hall(30), 255, 0).astype(np.uint8)).save(stream, "PNG")
    race.drop("mine.png", stream.getvalue())
    race.page.get_by_text(re.compile("^30 . 30 cells")).wait_for()
    assert {row["Outcome"] for row in race.wait().counts()} == {"solved"}


def test_a_ros_map_is_dropped_with_its_image(race: Playing) -> None:
    image = io.BytesIO()
    Image.fromarray(np.where(hall(30), 255, 0).astype(np.uint8)).save(image, "PPM")
    rules = "image: hall.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\n"
    rules += "occupied_thresh: 0.65\nfree_thresh: 0.2\n"
    race.drop_together({"hall.yaml": rules.encode(), "hall.pgm": image.getvalue()})
    race.page.get_by_text(re.compile("^30 . 30 cells")).wait_for()
    assert {row["Outcome"] for row in race.wait().counts()} == {"solved"}


def test_a_bad_file_gives_a_sentence_and_changes_nothing(race: Playing) -> None:
    before = race.counts()
    race.drop("mine.safetensors", b"not a heuristic")
    assert "mine.safetensors" in race.message("mine.safetensors")
    race.drop("broken.png", b"\x89PNG\r\n\x1a\nnothing")
    assert "broken.png" in race.message("broken.png")
    assert race.counts() == before
    race.press("Go to the beginning")
    assert race.captions()[0].startswith("0 of")


def test_pictures_are_exported(race: Playing) -> None:
    with race.page.expect_download() as saving:
        race.press("PNG")
    with Image.open(saving.value.path()) as picture:
        assert picture.format == "PNG"
        colours = picture.convert("RGB").getcolors(2**24)
    assert colours is not None
    assert len(colours) > 100
    with race.page.expect_download() as saving:
        race.press("SVG")
    root = ElementTree.parse(saving.value.path()).getroot()
    names = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert names.count("image") == 2
    assert names.count("polyline") == 4
    assert any(METHODS[0] in (element.text or "") for element in root.iter())


def test_the_command_and_the_python_lines_are_copied(race: Playing) -> None:
    race.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    with race.page.expect_download():
        race.press("Copy command")
    race.message("clipboard")
    copied = race.page.evaluate("() => navigator.clipboard.readText()")
    assert copied.startswith("phil solve ")
    assert METHODS[0] in copied


def test_everything_can_be_done_with_the_keyboard(race: Playing) -> None:
    keys = race.page.keyboard
    race.canvas.focus()
    keys.press("ArrowRight")  # the cursor appears at the start
    for _ in range(3):
        keys.press("ArrowDown")
    assert race.page.locator(".node-name b").inner_text() == "8, 2"
    keys.press("Enter")
    assert race.wait().page.locator(".node-name").inner_text() == "8, 2 wall"
    keys.press("Control+z")
    keys.press("Shift+ArrowDown")
    keys.press("s")
    assert race.wait().ends()[0] == "18, 2"
    keys.press("Home")
    assert race.captions()[0].startswith("0 of")
    keys.press(".")
    assert race.captions()[0].startswith("1 of")
    keys.press("End")
    keys.press("Space")
    race.page.get_by_role("button", name="Pause").wait_for()
    keys.press("Space")
    keys.press("d")
    assert "First difference" in race.page.locator(".said").inner_text()
    keys.press("?")
    assert race.page.get_by_role("dialog", name="Help").is_visible()
    keys.press("Escape")
    assert not race.page.get_by_role("dialog", name="Help").is_visible()


def test_every_control_is_reached_by_tab(race: Playing) -> None:
    reached = set()
    for _ in range(80):
        race.page.keyboard.press("Tab")
        reached.add(
            race.page.evaluate(
                "() => { const e = document.activeElement;"
                " return e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent"
                " ?? e.textContent; }"
            )
        )
    wanted = {"Problem", "Method A", "Play", "Position in the race", "First difference", "SVG"}
    assert wanted <= reached


def test_methods_change_and_panes_come_and_go(race: Playing) -> None:
    race.press("Add a pane")
    assert len(race.wait().counts()) == 3
    race.page.get_by_label("Method C", exact=True).select_option("dijkstra")
    race.page.locator(".counters tbody tr", has_text="dijkstra").wait_for()
    grid = phil.GridGraph(hall())
    wanted = phil.search(grid, START, GOAL, "dijkstra").expansions
    assert race.wait().expansions()[2] == wanted
    race.press("Close pane A")
    assert [row["Method"].split()[-1] for row in race.wait().counts()] == [METHODS[1], "dijkstra"]


def test_a_method_is_written_by_hand_and_a_wrong_one_is_explained(race: Playing) -> None:
    race.page.get_by_label("Method A", exact=True).select_option(label="Write your own…")
    own = race.page.get_by_label("Method A in your own words")
    own.fill("wastar(octile, 2)")
    own.press("Enter")
    race.page.locator(".counters tbody tr", has_text="wastar").wait_for()
    race.page.get_by_label("Method A", exact=True).select_option(label="Write your own…")
    own.fill("nonsense(7)")
    own.press("Enter")
    note = race.page.locator(".note:visible")
    note.wait_for()
    assert "nonsense" in note.inner_text()


def test_a_bound_is_set_by_a_slider(race: Playing) -> None:
    slider = race.page.get_by_label("Bound of A")
    slider.fill("1")
    slider.dispatch_event("change")
    race.page.locator(".counters tbody tr", has_text="bound 1").wait_for()
    bounded = phil.search(phil.GridGraph(hall()), START, GOAL, METHODS[0], bound=1.0)
    row = race.wait().counts()[0]
    assert row["Expansions"] == f"{bounded.expansions:,}"
    assert row["Cost / least"] == "1.000"


def test_the_slider_moves_the_bound_in_the_name_of_a_method(open_page: OpenPage) -> None:
    methods = ["bounded(euclidean, 1.5)"]
    playing = Playing(open_page(fragment(hall(), START, GOAL, methods))).wait()
    slider = playing.page.get_by_label("Bound of A")
    assert slider.input_value() == "1.5"
    slider.fill("1.1")
    slider.dispatch_event("change")
    playing.page.locator(".counters tbody tr", has_text="bounded(euclidean, 1.1)").wait_for()
    wanted = phil.search(phil.GridGraph(hall()), START, GOAL, "bounded(euclidean, 1.1)")
    assert playing.wait().expansions() == [wanted.expansions]


def test_two_tabs_are_independent(race: Playing, open_page: OpenPage) -> None:
    before = race.expansions()
    other = Playing(open_page(fragment(np.ones((9, 9), bool), (0, 0), (8, 8), ["bfs"]))).wait()
    other.page.get_by_label("Goal", exact=True).fill("4, 4")
    other.page.get_by_label("Goal", exact=True).press("Enter")
    assert other.wait().ends() == ["0, 0", "4, 4"]
    assert race.ends() == ["5, 2", "5, 38"]
    assert race.wait().expansions() == before


def test_a_large_map_is_drawn_on_and_scrubbed(open_page: OpenPage) -> None:
    side = 1024
    free = np.ones((side, side), bool)
    playing = Playing(open_page(fragment(free, (1000, 20), (1000, 1000), ["bfs"]))).wait()
    assert playing.expansions()[0] > 900_000
    playing.page.get_by_label("Width of the brush").fill("15")
    playing.drag([(100, 500), (900, 520)], side)
    assert playing.wait().colour((400, 508), side)[:3] == (40, 44, 54)
    for position in (500_000, 10, 700_000, 400_000):
        playing.scrub(position)
        assert playing.captions()[0].startswith(f"{position:,} of")


def test_nothing_is_cut_off_on_a_phone(open_page: OpenPage) -> None:
    phone = {"width": 390, "height": 844}
    methods = [*METHODS, "dijkstra", "wastar(octile, 2)"]
    playing = Playing(open_page(fragment(hall(), START, GOAL, methods), viewport=phone)).wait()
    wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert playing.page.evaluate(wide) == 0
    assert playing.page.get_by_role("button", name="Play", exact=True).is_visible()


def test_a_lost_connection_is_said_and_made_again(open_page: OpenPage, address: str) -> None:
    page = open_page(url="about:blank")
    sockets: list[WebSocketRoute] = []

    def connect(route: WebSocketRoute) -> None:
        sockets.append(route)
        route.connect_to_server()

    page.route_web_socket(re.compile(r".*/ws.*"), connect)
    page.goto(address + fragment(hall(), START, GOAL, METHODS))
    playing = Playing(page).wait()
    before = playing.expansions()
    sockets[0].close()
    playing.message("connection was lost")
    playing.message("Connected again")
    page.wait_for_timeout(300)
    assert playing.wait().expansions() == before
    assert len(sockets) == 2


def test_a_dropped_heuristic_is_searched_with(race: Playing) -> None:
    shipped = resources.files("phil.heuristics.phil") / "shipped" / "map.safetensors"
    race.drop("mine.safetensors", shipped.read_bytes())
    race.message("now searches with the heuristic")
    wanted = phil.search(phil.GridGraph(hall()), START, GOAL, "phil:map").expansions
    assert race.wait().expansions()[0] == wanted
    assert "mine" in race.page.get_by_label("Method A", exact=True).input_value()


def test_a_random_map_is_made_and_undone(race: Playing) -> None:
    before = race.expansions()
    race.press("New map…")
    dialog = race.page.get_by_role("dialog", name="New map")
    dialog.get_by_label("Kind").select_option("mazes")
    dialog.get_by_label("Rows").fill("61")
    dialog.get_by_label("Columns").fill("71")
    dialog.get_by_role("button", name="Make").click()
    race.page.get_by_text(re.compile("^61 . 71 cells")).wait_for()
    assert race.wait().counts()
    race.press("Undo")
    race.page.get_by_text(re.compile("^41 . 41 cells")).wait_for()
    assert race.wait().expansions() == before


def test_moves_to_four_neighbours_change_the_search(race: Playing) -> None:
    race.page.get_by_label("Neighbours").select_option("4")
    grid = phil.GridGraph(hall(), connectivity=4)
    wanted = phil.search(grid, START, GOAL, METHODS[0]).expansions
    race.page.locator(".caption", has_text=f"{wanted:,} ").first.wait_for()
    assert race.wait().expansions()[0] == wanted


def test_an_anytime_search_shows_its_paths_as_it_finds_them(race: Playing) -> None:
    race.page.locator(".pane").first.get_by_label("Anytime").check()
    row = race.wait().counts()[0]
    assert row["Cost / least"] == "1.000"
    total = race.expansions()[0]
    assert total > results()[0].expansions
    race.scrub(total - 1)  # before the end, the path is the best one so far
    early = race.picture()
    race.scrub(1)
    assert race.picture() != early


def test_the_wheel_zooms_and_the_hand_moves_the_map(race: Playing) -> None:
    whole = race.picture()
    race.page.mouse.move(*race.at((20, 20), SIDE))
    race.canvas.focus()
    race.page.mouse.wheel(0, -400)
    zoomed = race.picture()
    assert zoomed != whole
    race.press("Move the map")
    race.drag([(20, 20), (26, 26)], SIDE)
    assert race.picture() != zoomed
    race.press("Show everything")
    race.page.mouse.move(2, 2)
    race.wait_for_picture(whole)


def test_a_race_starts_by_itself_unless_motion_is_unwanted(open_page: OpenPage) -> None:
    state = fragment(hall(), START, GOAL, METHODS)
    playing = Playing(open_page(state, reduced_motion="no-preference")).wait()
    playing.page.get_by_role("button", name="Pause").wait_for()


def test_a_film_of_the_race_is_saved(race: Playing) -> None:
    with race.page.expect_download(timeout=60_000) as saving:
        race.press("GIF")
    with Image.open(saving.value.path()) as film:
        assert film.format == "GIF"
        assert getattr(film, "n_frames", 1) > 10


def test_fingers_draw_and_pinch(open_page: OpenPage) -> None:
    phone = {"width": 390, "height": 844}
    page = open_page(fragment(hall(), START, GOAL, ["bfs"]), viewport=phone, has_touch=True)
    playing = Playing(page).wait()
    before, whole = playing.expansions(), playing.picture()
    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", playing.at((20, 4), SIDE))
    touch("touchMove", playing.at((20, 10), SIDE))
    touch("touchMove", playing.at((20, 16), SIDE))
    touch("touchEnd")
    assert playing.wait().expansions() != before
    playing.press("Undo")
    playing.wait()
    left, right = playing.at((20, 12), SIDE), playing.at((20, 28), SIDE)
    touch("touchStart", left, right)
    touch("touchMove", (left[0] - 60, left[1]), (right[0] + 60, right[1]))
    touch("touchEnd")
    assert playing.wait().expansions() == before  # a pinch draws nothing
    assert playing.picture() != whole
