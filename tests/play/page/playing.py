"""What tests do on the playground's page, and states for its address."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reproduction.playground.browser import NEXT_FRAMES, wait_until_searched

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Cell = tuple[int, int]


def deflated(data: bytes) -> str:
    """Raw deflate as base64url without padding, as the protocol has it."""
    packer = zlib.compressobj(wbits=-15)
    return base64.urlsafe_b64encode(packer.compress(data) + packer.flush()).decode().rstrip("=")


def fragment(
    free: NDArray[np.bool_],
    start: tuple[int, ...],
    goal: tuple[int, ...],
    methods: list[str],
    **view: Any,
) -> str:
    """The address of a map with these methods."""
    state = {
        "phil": "playground",
        "version": 1,
        "problem": {
            "source": "map",
            "shape": list(free.shape),
            "cells": deflated(np.packbits(free).tobytes()),
        },
        "start": int(np.ravel_multi_index(start, free.shape)),
        "goal": int(np.ravel_multi_index(goal, free.shape)),
        "panes": [{"method": method} for method in methods],
        "view": view,
    }
    return "#s=" + deflated(json.dumps(state).encode())


def state_in(address: str) -> dict[str, Any]:
    """The state that an address holds."""
    packed = address.split("#s=")[1]
    data = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    return dict(json.loads(zlib.decompress(data, wbits=-15)))


def hall(side: int = 41) -> NDArray[np.bool_]:
    """A map with a wall that leaves a gap at its lower end."""
    free = np.ones((side, side), bool)
    free[: side - 8, side // 2] = False
    return free


@dataclass(frozen=True)
class Playing:
    """A page that shows a 2D map."""

    page: Page

    def wait(self) -> Playing:
        """Until all searches are over, and so is the drawing of their result."""
        wait_until_searched(self.page)
        return self

    @property
    def canvas(self) -> Locator:
        """The first view."""
        return self.page.locator("canvas").first

    def at(self, cell: Cell, side: int) -> tuple[float, float]:
        """Where a cell of a square map is on the screen."""
        box = self.canvas.bounding_box()
        assert box is not None
        margin = min(14, 0.04 * min(box["width"], box["height"]))
        scale = (min(box["width"], box["height"]) - 2 * margin) / side
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        right, down = cell[1] + 0.5 - side / 2, cell[0] + 0.5 - side / 2
        return middle[0] + right * scale, middle[1] + down * scale

    def drag(self, cells: list[Cell], side: int) -> None:
        """Drag the mouse along these cells of a square map."""
        self.page.mouse.move(*self.at(cells[0], side))
        self.page.mouse.down()
        for cell in cells[1:]:
            self.page.mouse.move(*self.at(cell, side), steps=4)
        self.page.mouse.up()

    def counts(self) -> list[dict[str, str]]:
        """The table of counters, row by row."""
        heads = self.page.locator(".counters thead th").all_inner_texts()
        rows = self.page.locator(".counters tbody tr").all()
        return [
            dict(zip(heads, row.locator("th, td").all_inner_texts(), strict=True)) for row in rows
        ]

    def expansions(self) -> list[int]:
        """The expansions of each pane."""
        return [int(row["Expansions"].replace(",", "")) for row in self.counts()]

    def scrub(self, position: int) -> None:
        """Move the timeline."""
        self.page.get_by_label("Position in the race").fill(str(position))

    def captions(self) -> list[str]:
        """What is written below each view, at the next frame."""
        self.page.evaluate(NEXT_FRAMES)
        return self.page.locator(".caption").all_inner_texts()

    def ends(self) -> list[str]:
        """The words for start and goal."""
        return [
            self.page.get_by_label(name, exact=True).input_value() for name in ("Start", "Goal")
        ]

    def press(self, name: str) -> None:
        """Click the button of this name."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def drop(self, name: str, content: bytes) -> None:
        """Drop a file on the page."""
        self.drop_together({name: content})

    def drop_together(self, files: dict[str, bytes]) -> None:
        """Drop files on the page, in this order."""
        given = [[name, base64.b64encode(content).decode()] for name, content in files.items()]
        dropping = """(files) => {
            const dataTransfer = new DataTransfer();
            for (const [name, text] of files) {
                const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
                dataTransfer.items.add(new File([bytes], name));
            }
            const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
            document.querySelector(".phil-play main").dispatchEvent(event);
        }"""
        self.page.evaluate(dropping, given)

    def message(self, words: str) -> str:
        """The message that contains these words, once it is shown."""
        shown = self.page.locator(".message.shown", has_text=words)
        shown.wait_for()
        return shown.inner_text()

    def picture(self) -> bytes:
        """What the first view shows at the next frame, as PNG."""
        self.captions()
        text = self.canvas.evaluate("(canvas) => canvas.toDataURL()")
        return base64.b64decode(text.split(",")[1])

    def wait_for_another(self, before: bytes) -> None:
        """Until the first view shows another picture than this one."""
        self._wait_for("!==", before)

    def wait_for_picture(self, expected: bytes) -> None:
        """Until the first view shows this picture."""
        self._wait_for("===", expected)

    def _wait_for(self, relation: str, picture: bytes) -> None:
        text = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
        holds = f"(other) => document.querySelector('canvas').toDataURL() {relation} other"
        self.page.wait_for_function(holds, arg=text)

    def colour(self, cell: Cell, side: int) -> tuple[int, ...]:
        """The colour of a cell in the first view."""
        x, y = self.at(cell, side)
        box = self.canvas.bounding_box()
        assert box is not None
        read = """(canvas, [x, y]) => Array.from(canvas.getContext("2d").getImageData(
            x * canvas.width / canvas.clientWidth, y * canvas.height / canvas.clientHeight, 1, 1
        ).data)"""
        return tuple(self.canvas.evaluate(read, [x - box["x"], y - box["y"]]))
