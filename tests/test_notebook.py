"""The notebook runs from top to bottom, and shows what it showed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

import phil

FILE = Path(__file__).parents[1] / "examples" / "notebook.ipynb"
MOST_CELLS = 15
MOST_BYTES = 300_000
PICTURE = "image/png"


def read() -> Any:
    reader: Any = nbformat
    return reader.read(FILE, as_version=4)


def code(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def kinds(cell: Any) -> list[set[str]]:
    """What each output of a cell can be shown as; notices of warm-up are left out."""
    return [
        set(output.get("data", {"text": ""})) for output in cell.outputs if not _is_notice(output)
    ]


def _is_notice(output: Any) -> bool:
    return bool(output.get("name") == "stderr")


@pytest.fixture(scope="module")
def kept() -> Any:
    return read()


def test_it_is_short_and_small(kept: Any) -> None:
    assert len(kept.cells) <= MOST_CELLS
    assert FILE.stat().st_size < MOST_BYTES
    text = FILE.read_text()
    assert "/work" not in text
    assert "/home" not in text


def test_it_has_its_outputs_and_no_notices(kept: Any) -> None:
    assert all(cell.outputs for cell in code(kept) if not cell.source.startswith("import"))
    assert not any(_is_notice(output) for cell in code(kept) for output in cell.outputs)
    shown = [kind for cell in code(kept) for kind in kinds(cell)]
    assert sum(PICTURE in kind for kind in shown) == 3
    assert sum("text/html" in kind for kind in shown) == 4


# zmq's event loop warns about its own sockets.
@pytest.mark.filterwarnings("default")
def test_it_runs(kept: Any, tmp_path: Path) -> None:
    run = read()
    for cell in code(run):
        cell.outputs = []
    client = NotebookClient(run, timeout=240, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    for before, after in zip(code(kept), code(run), strict=True):
        assert kinds(before) == kinds(after), before.source
    learned = phil.load(str(tmp_path / "city.safetensors"))
    assert learned.name == "city"
    table = "".join(output.data["text/plain"] for output in code(run)[-1].outputs)
    expansions = {line.split()[0]: float(line.split()[1]) for line in table.splitlines()[2:]}
    assert expansions["city.safetensors"] < expansions["euclidean"] / 2
