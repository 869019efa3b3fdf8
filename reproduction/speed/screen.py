"""The part `screen`: the playground in Chromium, from a move of the mouse to the picture.

Start or goal of a map is dragged, and the time from each move to the frame that shows the searches
for it is taken inside the page. Then a race is scrubbed, and its frames are counted.
"""

from __future__ import annotations

import base64
import json
import zlib
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from phil.play.scenes import encode_cells
from phil.problems.generated import generate_maps
from reproduction.playground.browser import run_chromium, serve_playground, wait_until_searched
from reproduction.speed.common import Scale

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

RACES = {
    "one pane": ("astar(octile)",),
    "four panes": ("astar(octile)", "greedy(euclidean)", "dijkstra", "phil:map"),
}
VIEWPORT = {"width": 1280, "height": 860}
# Notes when the mouse moves, when searches are asked for, and when the frame after their end is
# over. A message is a frame of phil/play/protocol.py.
NOTES = """(() => {
  const notes = (window.notes = []);
  addEventListener("pointermove", () => notes.push(["move", performance.now()]), true);
  const headerOf = (data) => {
    const length = new DataView(data).getUint32(0, true);
    return JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
  };
  window.WebSocket = class extends WebSocket {
    constructor(...address) {
      super(...address);
      this.addEventListener("message", ({ data }) => {
        const { type, request } = headerOf(data);
        if (type !== "done") return;
        requestAnimationFrame(() =>
          setTimeout(() => notes.push(["drawn", performance.now(), request])));
      });
    }
    send(message) {
      const header = typeof message === "string" ? JSON.parse(message) : {};
      if (header.type === "search") notes.push(["search", performance.now(), header.request]);
      super.send(message);
    }
  };
})();"""
# Moves the timeline by a step in every frame, and returns the times of the frames.
SCRUB = """([slider, frames]) => new Promise((done) => {
  const times = [];
  const most = Number(slider.max);
  const next = (now) => {
    times.push(now);
    if (times.length > frames) return done(times);
    slider.value = String(Math.round(most * (times.length % frames) / frames));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
})"""


def measure(scale: Scale) -> dict[str, Any]:
    """Milliseconds from a move to its picture, and frames per second when scrubbing."""
    side, large = scale.pick(201, 61), scale.pick(401, 101)
    moves, frames = scale.pick(60, 10), scale.pick(240, 20)
    [cells] = generate_maps("gaps_and_forest", 1, 0, "test", (side, side))
    with serve_playground() as address, run_chromium() as browser:
        drags = {
            name: _drag(browser, address + _state(cells, methods), moves)
            for name, methods in RACES.items()
        }
        scrub = _scrub(browser, address + _state(np.ones((large, large), bool), ("bfs",)), frames)
    return {"side": side, "drags": drags, "scrub": scrub}


def _drag(browser: Browser, address: str, moves: int) -> dict[str, float]:
    """Drag the goal along the upper border; milliseconds from each move to its picture."""
    page = _open(browser, address)
    box = page.locator("canvas").first.bounding_box()
    assert box is not None
    # The goal is in the upper right corner of the view, within its margin.
    side = min(box["width"], box["height"])
    right, top = box["x"] + (box["width"] + side) / 2, box["y"] + (box["height"] - side) / 2
    x, y = right - 0.045 * side, top + 0.045 * side
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate("notes.length = 0")
    for number in range(moves):
        page.mouse.move(x - 0.3 * side * (number + 1) / moves, y)
        page.wait_for_timeout(30)
    page.mouse.up()
    wait_until_searched(page)
    found = delays(page.evaluate("notes"))
    page.context.close()
    return {
        "pictures": len(found),
        "median_ms": median(found),
        "slow_ms": quantiles(found, n=10)[-1],
    }


def delays(notes: list[list[Any]]) -> list[float]:
    """Milliseconds from a move of the mouse to the last picture of the searches that it asked for.

    >>> delays([["move", 1], ["search", 2, 7], ["search", 3, 8], ["drawn", 9, 7], ["drawn", 12, 8]])
    [11]
    """
    moved: dict[float, float] = {}  # by when the mouse was moved: until its last picture
    asked: dict[int, float] = {}  # by request: when the mouse was moved
    last: float | None = None
    for kind, when, *request in notes:
        if kind == "move":
            last = when
        elif kind == "search" and last is not None:
            asked[request[0]] = last
        elif kind == "drawn" and request[0] in asked:
            move = asked[request[0]]
            moved[move] = max(moved.get(move, 0.0), when - move)
    return list(moved.values())


def _scrub(browser: Browser, address: str, frames: int) -> dict[str, float]:
    """Scrub over a whole race."""
    page = _open(browser, address)
    slider = page.get_by_label("Position in the race")
    nodes = int(slider.get_attribute("max") or 0)
    times = page.evaluate(SCRUB, [slider.element_handle(), frames])
    gaps = np.diff(times)
    page.context.close()
    return {
        "nodes": nodes,
        "frames_per_second": 1000 / float(np.mean(gaps)),
        "slow_ms": float(np.quantile(gaps, 0.9)),
    }


def _open(browser: Browser, address: str) -> Page:
    context = browser.new_context(viewport=VIEWPORT)  # type: ignore[arg-type]
    page = context.new_page()
    page.add_init_script(NOTES)
    page.goto(address)
    wait_until_searched(page)
    return page


def _state(free: NDArray[np.bool_], methods: tuple[str, ...]) -> str:
    """The fragment of an address that opens a map, from corner to corner."""
    rows, columns = free.shape
    state = {
        "phil": "playground",
        "version": 1,
        "problem": {"source": "map", "shape": [rows, columns], "cells": encode_cells(free)},
        "start": (rows - 1) * columns,
        "goal": columns - 1,
        "panes": [{"method": method} for method in methods],
        "view": {},
    }
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(json.dumps(state).encode()) + packer.flush()
    return "#s=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")
