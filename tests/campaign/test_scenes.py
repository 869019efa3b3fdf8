"""Some seconds of damaged scenes finds nothing, and would find what is wrong."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from phil.graphs.formats.source import outside_allowed
from phil.rooms import room_from_mjcf
from tests.campaign import scenes
from tests.campaign.part import SECONDS, Budget

pytest.importorskip("mujoco")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The folder of an undamaged scene."""
    folder = tmp_path / "room"
    folder.mkdir()
    for name, data in {**scenes.FILES, "scene.xml": scenes.SCENE}.items():
        (folder / name).write_bytes(data)
    (tmp_path / "secret.obj").write_bytes(scenes.SECRET)
    return folder


@pytest.mark.slow
def test_some_seconds() -> None:
    report = scenes.PART.run(Budget(SECONDS))
    assert not report.faults
    assert set(report.counts) == {*scenes.MUTATIONS, scenes.ASSETS}


def test_the_undamaged_scene_is_a_room(place: Path) -> None:
    assert room_from_mjcf(place / "scene.xml", scenes.VOXEL).free.any()


def test_faults_are_found(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def printing(path: Path, voxel: float) -> None:
        os.write(2, b"WARNING")

    def writing(path: Path, voxel: float) -> None:
        path.with_name("MUJOCO_LOG.TXT").touch()

    def failing(path: Path, voxel: float) -> None:
        raise OverflowError("too large")

    monkeypatch.setattr(scenes, "flight_spec", lambda room: room)
    monkeypatch.setattr(scenes, "compiled", lambda spec: spec)
    for wrong, fault in ((printing, "prints"), (writing, "LOG"), (failing, "OverflowError")):
        monkeypatch.setattr(scenes, "room_from_mjcf", wrong)
        assert fault in str(scenes.fault_of(place))


def test_a_secret_that_is_read_is_found(place: Path) -> None:
    text = scenes.SCENE.replace(b'"a.obj"', b'"../secret.obj"')
    (place / "scene.xml").write_bytes(text)
    assert scenes.fault_of(place) is None
    with outside_allowed():
        assert scenes.fault_of(place) == "it reads a file outside its folder"
