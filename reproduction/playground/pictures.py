"""`python -m reproduction playground-pictures`: the pictures of the playground in `docs/images`.

Screenshots of its main states, and a race as an animation.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PIL import Image

from phil.cli.output import say
from phil.errors import InputError
from phil.files import write_atomic
from phil.view.picture import small_png
from reproduction.experiment import Request
from reproduction.playground.browser import (
    NEXT_FRAMES,
    run_chromium,
    serve_playground,
    wait_until_searched,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

DESK, PHONE = (1260, 790), (390, 844)
RACE_WINDOW = (1260, 720)
RACE_PRESET = "gaps"
RACE_FRAMES, RACE_MILLISECONDS, REST_MILLISECONDS = 72, 70, 2500
MOST_BYTES, MOST_RACE_BYTES = 150_000, 1_000_000
RACE_MARGIN = 4  # pixels below the timeline
QUICK_FRAMES = 3


@dataclass(frozen=True)
class Shot:
    """A screenshot: which preset, in what window, and what is done there first."""

    name: str
    preset: str
    window: tuple[int, int] = DESK
    scheme: Literal["light", "dark"] = "light"
    act: Callable[[Page], None] = lambda page: None


def _scrub(share: float) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        slider = page.get_by_label("Position in the race")
        slider.fill(str(round(share * int(slider.get_attribute("max") or 0))))
        slider.blur()

    return act


def _ask_why(page: Page) -> None:
    page.get_by_label("Colour").select_option("error")
    page.get_by_role("button", name="First difference").click()
    _scrub(0.45)(page)
    page.locator("canvas").nth(1).hover(position={"x": 130, "y": 80})
    page.locator(".node-name", has_text="true distance").wait_for()
    page.locator(".legend", has_text="too high").wait_for()


SHOTS = (
    Shot("light", "gaps", act=_scrub(0.4)),
    Shot("dark", "maze", scheme="dark", act=_scrub(0.55)),
    Shot("phone", "trap", PHONE),
    Shot("city", "city"),
    Shot("space", "space"),
    Shot("why", "trap", (1260, 1060), act=_ask_why),
)


def run(request: Request, _: Sequence[str]) -> bool:
    """Write the pictures; fails if one is larger than a page should load."""
    folder = request.docs / "images"
    folder.mkdir(parents=True, exist_ok=True)
    with serve_playground() as address, run_chromium() as browser:
        for shot in SHOTS[:1] if request.quick else SHOTS:
            _keep(folder / f"playground-{shot.name}.png", _screenshot(browser, address, shot))
        frames = QUICK_FRAMES if request.quick else RACE_FRAMES
        race = _race(browser, address, frames)
    _keep(folder / "playground-race.gif", race, MOST_RACE_BYTES)
    return True


def _keep(file: Path, content: bytes, most: int = MOST_BYTES) -> None:
    if len(content) > most:
        raise InputError(f"{file.name} has {len(content):,} bytes, more than {most:,}")
    write_atomic(file, content)
    say(f"{file}: {len(content):,} bytes")


def _open(
    browser: Browser, address: str, preset: str, window: tuple[int, int], scheme: str = "light"
) -> Page:
    """A page of its own that has searched a preset."""
    context = browser.new_context(
        viewport={"width": window[0], "height": window[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(address)
    wait_until_searched(page)
    problems = page.get_by_label("Problem", exact=True)
    if problems.input_value() != preset:
        problems.select_option(preset)
        page.wait_for_function(
            "(name) => document.querySelector('select[aria-label=Problem]').value === name",
            arg=preset,
        )
        wait_until_searched(page)
    # Which nodes are open, and what a path costs at least, is told a moment later.
    page.wait_for_timeout(1000)
    return page


def _screenshot(browser: Browser, address: str, shot: Shot) -> bytes:
    page = _open(browser, address, shot.preset, shot.window, shot.scheme)
    shot.act(page)
    page.evaluate(NEXT_FRAMES)
    content = page.screenshot()
    page.context.close()
    return small_png(Image.open(io.BytesIO(content)))


def _race(browser: Browser, address: str, frames: int) -> bytes:
    """The views and the timeline during a race, as an animated GIF."""
    page = _open(browser, address, RACE_PRESET, RACE_WINDOW)
    box = page.locator(".stage-column").bounding_box()
    timeline = page.locator(".timeline").bounding_box()
    assert box is not None
    assert timeline is not None
    height = timeline["y"] + timeline["height"] + RACE_MARGIN - box["y"]
    pictures = []
    for number in range(frames):
        _scrub(number / (frames - 1))(page)
        page.evaluate(NEXT_FRAMES)
        content = page.screenshot(clip={**box, "height": height})
        pictures.append(Image.open(io.BytesIO(content)).convert("RGB"))
    page.context.close()
    # One palette for all, from the frame with all colours, so that what stands still stays equal.
    palette = pictures[-1].quantize(255)
    indexed = [each.quantize(palette=palette, dither=Image.Dither.NONE) for each in pictures]
    stream = io.BytesIO()
    durations = [RACE_MILLISECONDS] * (frames - 1) + [REST_MILLISECONDS]
    indexed[0].save(
        stream, "GIF", save_all=True, append_images=indexed[1:], duration=durations, loop=0
    )
    return stream.getvalue()
