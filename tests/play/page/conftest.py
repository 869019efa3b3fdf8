"""A playground in a real Chromium: one server for all tests, one browser for each module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from reproduction.playground.browser import CHROMIUM, run_chromium, serve_playground

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

OpenPage = Callable[..., "Page"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a window.

    As long as it is open, an event loop runs in this thread, which the tests of other modules may
    not expect.
    """
    pytest.importorskip("playwright", reason="playwright is not installed (extra dev)")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium: apt install chromium")
    with run_chromium() as running:
        yield running


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of a running `phil play`, with its token."""
    with serve_playground() as found:
        yield found


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[OpenPage]:
    """Opens the playground in a window of its own; a script that fails fails the test."""
    contexts = []
    faults: list[str] = []

    def note_violation(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            faults.append(message.text)

    def open_one(fragment: str = "", url: str | None = None, **options: Any) -> Page:
        settings = {"viewport": {"width": 1280, "height": 860}, "reduced_motion": "reduce"}
        context = browser.new_context(**{**settings, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", note_violation)
        page.goto(url or f"{address}{fragment}")
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert faults == []
