"""Without the extra `play`, the error says what to install."""

from __future__ import annotations

import importlib
import sys

import pytest

from phil.errors import InputError


@pytest.mark.parametrize(
    ("module", "missing"),
    [
        ("phil.play.server", "uvicorn"),
        ("phil.play.server", "starlette.applications"),
        ("phil.play.widget", "anywidget"),
    ],
)
def test_what_is_missing_is_named(
    module: str, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(InputError, match=r'pip install "phil-search\[play\]"'):
        importlib.import_module(module)
    assert module not in sys.modules


def test_a_race_can_be_recorded_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("uvicorn", "starlette", "starlette.applications", "anywidget"):
        monkeypatch.setitem(sys.modules, name, None)
    for name in [each for each in sys.modules if each.startswith("phil.play.")]:
        monkeypatch.delitem(sys.modules, name)
    export = importlib.import_module("phil.play.export")
    assert export.export_html({}).startswith("<!doctype html>")
