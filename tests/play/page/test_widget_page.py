"""The widget of a notebook that was run, as a browser shows it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import phil

if TYPE_CHECKING:
    from tests.play.page.conftest import OpenPage


CELL = """
import phil
phil.view.play([[True] * 20] * 20, (19, 0), (0, 19), ["dijkstra", "astar"])
"""
# What anywidget does with a widget: imports its module and lets it draw into an element.
SHOW = """
async (state) => {
  document.head.append(Object.assign(document.createElement("style"), { textContent: state._css }));
  const module = new Blob([state._esm], { type: "text/javascript" });
  const { default: widget } = await import(URL.createObjectURL(module));
  const el = document.body.appendChild(document.createElement("div"));
  const model = { get: (name) => state[name] };
  window.away = await widget.render({ model, el });
}
"""


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a notebook keeps of the widget."""
    import nbformat
    from nbclient import NotebookClient

    format: Any = nbformat.v4
    notebook = format.new_notebook(cells=[format.new_code_cell(CELL)])
    folder = {"metadata": {"path": str(tmp_path_factory.mktemp("notebook"))}}
    NotebookClient(notebook, timeout=240, resources=folder).execute()
    kinds = notebook.cells[0].outputs[-1].data
    model = kinds["application/vnd.jupyter.widget-view+json"]["model_id"]
    saved = notebook.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"]
    return dict(json.loads(json.dumps(saved[model]["state"])))


# zmq's event loop warns about its own sockets.
@pytest.mark.filterwarnings("default")
def test_a_notebook_shows_the_race(
    state: dict[str, Any], open_page: OpenPage, tmp_path: Path
) -> None:
    empty = tmp_path / "notebook.html"
    empty.write_text("<!doctype html><title>A notebook</title><body></body>")
    page = open_page(url=empty.as_uri())
    page.evaluate(SHOW, state)
    root = page.locator(".phil-play")
    expected = phil.search([[True] * 20] * 20, (19, 0), (0, 19), "dijkstra").expansions
    root.get_by_text(f"{expected:,}", exact=False).first.wait_for()
    assert root.locator("canvas").count() >= 2
    page.evaluate("window.away()")
    assert root.locator("canvas").count() == 0
