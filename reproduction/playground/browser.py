"""A running playground, and a Chromium to open it with."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from phil.errors import InputError

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
ADDRESS = re.compile(r"http://\S+\?token=[\w-]+")
OVER = """() => {
    const rows = [...document.querySelectorAll(".counters tbody tr")];
    const words = rows.map((row) => row.cells[1].textContent);
    return rows.length > 0 && !document.querySelector("[aria-busy=true]")
        && words.every((word) => ["solved", "unreachable", "limit", "error"].includes(word));
}"""
NEXT_FRAMES = (
    "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
)


@contextmanager
def serve_playground(*arguments: str) -> Iterator[str]:
    """Run `phil play` with these arguments; gives its address, with the token."""
    command = [sys.executable, "-m", "phil.cli.main", "play", "--no-browser", "--port", "0"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [*command, *arguments], stdout=subprocess.PIPE, text=True, env=environment
    ) as server:
        assert server.stdout is not None
        try:
            said = ""
            while not (found := ADDRESS.search(said)):
                line = server.stdout.readline()
                if not line:
                    raise InputError(f"phil play did not start: {said}")
                said += line
            yield found.group()
        finally:
            server.terminate()


@contextmanager
def run_chromium() -> Iterator[Browser]:
    """Run Debian's Chromium without a window."""
    if CHROMIUM is None:
        raise InputError("there is no Chromium: apt install chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        raise InputError("this needs playwright: pip install playwright") from error
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def wait_until_searched(page: Page) -> None:
    """Wait until all searches of a playground are over and their result is drawn."""
    page.wait_for_function(OVER)
    page.evaluate(NEXT_FRAMES)
