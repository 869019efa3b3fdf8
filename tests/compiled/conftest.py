"""A cache without compiled code."""

from __future__ import annotations

from pathlib import Path

import pytest

from phil.compiled import cache
from phil.compiled.folder import CodeFolder, open_folder


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CodeFolder:
    """An empty cache of the user, instead of the real one, for functions called from now on."""
    opened = open_folder(tmp_path / "cache" / "kernels")
    monkeypatch.setattr(cache, "user_folder", lambda: opened)
    return opened
