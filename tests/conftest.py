"""What all tests share: hypothesis settings, threads, and the public data where it is found."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("phil", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("phil")

if "PYTEST_XDIST_WORKER" in os.environ:
    # One worker per core: torch's and BLAS's own threads would only get in each other's way.
    os.environ.setdefault("OMP_NUM_THREADS", "1")

# Ray notes the address of the latest cluster here. That of another pytest worker, or of a run that
# was killed, would be taken for one to join.
os.environ["RAY_TMPDIR"] = tempfile.mkdtemp(prefix="ray-")
atexit.register(shutil.rmtree, os.environ["RAY_TMPDIR"], ignore_errors=True)


def find_public_grids() -> Path | None:
    """The folder of the public grid families under `PHIL_DATA`, if it is there."""
    data = os.environ.get("PHIL_DATA")
    folder = Path(data).resolve() / "grids" if data else None
    return folder if folder and folder.is_dir() else None


PUBLIC_GRIDS = find_public_grids()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs the public data where it is not found, and say so."""
    for item in items:
        if "public_grids" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.data)
        if PUBLIC_GRIDS is None and item.get_closest_marker("data"):
            item.add_marker(pytest.mark.skip(reason="public data not found: set PHIL_DATA"))
    # The longest files first, so that no worker waits for another at the end (`make test` keeps
    # the order of files).
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(scope="session")
def public_grids() -> Path:
    """The folder that holds the public grid families; a test that asks for it is marked `data`."""
    assert PUBLIC_GRIDS is not None
    return PUBLIC_GRIDS


@pytest.fixture(autouse=True)
def no_registered_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts that another test, or an example, registered are unknown."""
    for layer in ("graphs.formats", "problems", "search", "heuristics"):
        # By its full name: `phil.search` is the function, not the package.
        monkeypatch.setattr(import_module(f"phil.{layer}.registry"), "_registered", {})
