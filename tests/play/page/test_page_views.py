"""Graphs, 3D maps, recordings and accessibility of the playground's page, in Chromium."""

from __future__ import annotations

import io
import shutil
import subprocess
import tarfile
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

from phil.cli.main import main
from tests.play.page.playing import Playing, fragment, hall

if TYPE_CHECKING:
    from tests.play.page.conftest import OpenPage

START, GOAL = (5, 2), (5, 38)
METHODS = ["greedy(euclidean)", "astar(octile)"]


def different(one: bytes, other: bytes) -> float:
    """The share of pixels of two screenshots that differ."""
    pixels = [np.asarray(Image.open(io.BytesIO(each)).convert("RGB")) for each in (one, other)]
    return float(np.any(pixels[0] != pixels[1], axis=2).mean())


def open_preset(page: Any, name: str) -> Playing:
    playing = Playing(page).wait()
    playing.page.get_by_label("Problem", exact=True).select_option(name)
    playing.page.wait_for_function(
        "(name) => document.querySelector('select[aria-label=Problem]').value === name", arg=name
    )
    return playing.wait()


def test_roads_light_up_are_zoomed_and_their_ends_dragged(open_page: OpenPage) -> None:
    playing = open_preset(open_page(), "city")
    playing.scrub(0)
    dark = playing.picture()
    playing.press("Go to the end")
    lit = playing.picture()
    assert different(dark, lit) > 0.005
    playing.scrub(1)
    playing.scrub(0)
    assert different(dark, playing.picture()) == 0
    playing.press("Go to the end")
    playing.canvas.focus()
    playing.page.keyboard.press("+")
    assert different(lit, playing.picture()) > 0.02
    playing.page.keyboard.press("0")
    assert different(lit, playing.picture()) < 0.001
    before = playing.ends()
    playing.page.keyboard.press("ArrowRight")
    playing.page.keyboard.press("ArrowRight")
    playing.page.keyboard.press("ArrowUp")
    playing.page.keyboard.press("s")
    assert playing.wait().ends()[0] != before[0]
    assert playing.ends()[1] == before[1]


def test_a_room_is_turned_and_fills_with_expansions(open_page: OpenPage) -> None:
    free = np.ones((12, 10, 6), bool)
    free[6, :7, :] = False
    playing = Playing(open_page(fragment(free, (0, 0, 0), (11, 9, 5), ["zero"]))).wait()
    playing.scrub(0)
    empty = playing.picture()
    playing.press("Go to the end")
    full = playing.picture()
    assert different(empty, full) > 0.001
    playing.canvas.focus()
    playing.page.keyboard.press("ArrowRight")
    assert different(full, playing.picture()) > 0.02
    playing.page.keyboard.press("0")
    box = playing.canvas.bounding_box()
    assert box is not None
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    playing.page.mouse.move(*middle)
    playing.page.mouse.down()
    playing.page.mouse.move(middle[0] + 60, middle[1] + 20, steps=5)
    playing.page.mouse.up()
    assert different(full, playing.picture()) > 0.02


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with a recorded race."""
    folder = tmp_path_factory.mktemp("exported")
    free = np.where(hall(), 255, 0).astype(np.uint8)
    Image.fromarray(free).save(folder / "hall.png")
    arguments = [str(folder / "hall.png"), "--export", str(folder / "race.html")]
    methods = [part for method in METHODS for part in ("-m", method)]
    with pytest.raises(SystemExit) as ended:
        main(["play", *arguments, *methods])
    assert not ended.value.code
    return folder / "race.html"


def test_an_exported_race_plays_without_a_server(exported: Path, open_page: OpenPage) -> None:
    requests: list[str] = []
    page = open_page(url="about:blank", offline=True)
    page.on("request", lambda request: requests.append(request.url))
    page.goto(exported.as_uri())
    playing = Playing(page).wait()
    total = playing.expansions()
    assert [row["Method"].split()[-1] for row in playing.counts()] == METHODS
    playing.scrub(9)
    assert playing.captions()[0].startswith(f"9 of {total[0]:,}")
    playing.press("First difference")
    assert "at expansion" in page.locator(".said").inner_text()
    assert not page.get_by_role("button", name="Open a file…").is_visible()
    assert [each for each in requests if not each.startswith(("file:", "data:", "blob:"))] == []


def test_a_playground_lives_in_a_shadow_root(exported: Path, open_page: OpenPage) -> None:
    """As in a notebook: no look-up in the document, and all of its style inside."""
    page = Playing(open_page()).wait().page
    html = exported.read_text()
    recording = html.split('id="phil-recording">')[1].split("</script>")[0]
    style = (files("phil.play") / "page" / "playground.css").read_text()
    mount = """async ([recording, style]) => {
        const { startPlayground } = await import("/page/main.js");
        const { recordingTransport } = await import("/page/transport.js");
        document.body.replaceChildren();
        const host = document.body.appendChild(document.createElement("div"));
        const shadow = host.attachShadow({ mode: "open" });
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(style);
        shadow.adoptedStyleSheets = [sheet];
        const root = shadow.appendChild(document.createElement("div"));
        window.stop_it = startPlayground(root, recordingTransport(JSON.parse(recording)));
    }"""
    page.evaluate(mount, [recording, style])
    caption = page.locator(".caption").first
    caption.wait_for()
    page.get_by_label("Position in the race").fill("3")
    page.wait_for_timeout(100)
    assert caption.inner_text().startswith("3 of")
    assert page.locator(".pane").first.evaluate("(e) => getComputedStyle(e).display") == "flex"
    page.evaluate("() => window.stop_it()")
    assert page.locator(".pane").count() == 0


@pytest.fixture(scope="module")
def axe(request: pytest.FixtureRequest) -> str:
    """The script of axe-core, fetched once by npm."""
    folder = request.config.cache.mkdir("axe-core")
    script = folder / "axe.min.js"
    if not script.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("there is no npm to fetch axe-core with")
        fetched = subprocess.run(
            [npm, "pack", "axe-core@4", "--silent"], cwd=folder, capture_output=True, timeout=60
        )
        if fetched.returncode:
            pytest.skip("axe-core could not be fetched: no network")
        with tarfile.open(next(folder.glob("axe-core-*.tgz"))) as package:
            member = package.extractfile("package/axe.min.js")
            assert member is not None
            script.write_bytes(member.read())
    return script.read_text()


@pytest.mark.parametrize(
    ("scheme", "shown"),
    [("light", "race"), ("dark", "race"), ("light", "help"), ("dark", "phone")],
)
def test_axe_finds_no_serious_fault(open_page: OpenPage, axe: str, scheme: str, shown: str) -> None:
    size = {"width": 390, "height": 844} if shown == "phone" else {"width": 1280, "height": 860}
    state = fragment(hall(), START, GOAL, METHODS)
    playing = Playing(open_page(state, color_scheme=scheme, viewport=size)).wait()
    if shown == "help":
        playing.press("Help (?)")
    playing.page.evaluate(axe)
    found = playing.page.evaluate("() => axe.run()")
    faults = [
        (fault["id"], [node["html"] for node in fault["nodes"]])
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical")
    ]
    assert faults == []
