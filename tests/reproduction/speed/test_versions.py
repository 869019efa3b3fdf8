"""Two versions side by side; here both are this one."""

from __future__ import annotations

from pathlib import Path

import pytest

import phil
from phil.errors import InputError
from reproduction.speed import page, versions
from reproduction.speed.common import Scale

SOURCE = Path(phil.__file__).parents[1]


def test_both_versions_are_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PHIL_OLDER", str(SOURCE))
    monkeypatch.setattr(versions, "COLD", ("first_astar",))
    monkeypatch.setattr(versions, "WARM", ("network", "implicit"))
    monkeypatch.setattr(versions, "ONCE", ())
    found = versions.measure(Scale(quick=True, data=None, build=tmp_path))
    names = found["figures"].keys()
    assert names <= page.VERSIONS.keys()
    assert {"first_astar", "import", "help", "network: us", "implicit: grid"} <= names
    assert all(pair.keys() == {"older", "this"} for pair in found["figures"].values())
    [section] = page._versions(found)
    assert len(section.rows) == len(names)


def test_an_older_version_must_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PHIL_OLDER", str(tmp_path))
    with pytest.raises(InputError, match="PHIL_OLDER must name the folder `src`"):
        versions.measure(Scale(quick=True, data=None, build=tmp_path))
