"""The child process that surveys a scene: its budget, its crashes, and its silence."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from phil.errors import InputError
from phil.rooms import DRONE
from phil.rooms.child import Budget, survey
from phil.rooms.scene_files import SceneFiles
from tests.rooms.small_room import THINGS, mjcf

pytest.importorskip("mujoco")

SHORT = Budget(seconds=1.0)


def files(text: str) -> SceneFiles:
    return SceneFiles(text, {}, {})


@pytest.mark.parametrize(
    "text",
    [
        mjcf('<replicate count="100000000"><geom size=".1"/></replicate>'),
        mjcf(before='<size nkey="2000000000"/>'),
    ],
    ids=["replicate", "keys"],
)
def test_a_scene_that_takes_too_long_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="needs more than 1 s to read this scene"):
        survey(files(text), 0.1, DRONE, SHORT)


def test_voxels_that_take_too_long_to_check_are_refused() -> None:
    field = '<asset><hfield name="h" nrow="1000" ncol="1000" size="1 1 1 1"/></asset>'
    slow = '<geom type="hfield" hfield="h" pos="1 1 .05"/>'
    text = mjcf(f'<replicate count="100">{slow}</replicate>', field)
    with pytest.raises(InputError, match="or more than 0 ms to check a voxel"):
        survey(files(text), 0.1, DRONE, Budget(seconds=3.0, seconds_per_voxel=0.0))


HUGE = {
    "height field": '<asset><hfield name="h" nrow="100000000" ncol="100000000" size="1 1 1 1"/>'
    "</asset>",
    "texture": '<asset><texture name="t" type="2d" builtin="flat" width="90000" height="90000"/>'
    "</asset>",
    "user data": '<size nuserdata="2000000000"/>',
}


@pytest.mark.parametrize("before", HUGE.values(), ids=HUGE)
def test_a_scene_that_needs_too_much_memory_is_refused(before: str) -> None:
    with pytest.raises(InputError, match="memory"):
        survey(files(mjcf(before=before)), 0.1, DRONE, Budget(memory=2**29))


def test_a_crash_of_mujoco_is_an_error_message() -> None:
    attached = '<mujoco><asset><model name="m" file="m.xml"/></asset></mujoco>'
    with pytest.raises(InputError, match="MuJoCo fails on this scene: it is damaged"):
        survey(SceneFiles(attached, {"m.xml": attached}, {}), 0.1, DRONE)


BAD_MESHES = {
    "a.stl": bytes(80) + struct.pack("<I", 2**31) + bytes(50),
    "b.obj": b"f 1 2 999999999999\nv 1 2 nan",
    "c.msh": struct.pack("<4i", *[2**30] * 4),
    "d.stl": bytes(80) + struct.pack("<I", 4) + (struct.pack("<12f", *[np.nan] * 12) + b"12") * 4,
}


@pytest.mark.parametrize("name", BAD_MESHES)
def test_damaged_meshes_are_refused_by_their_names(name: str) -> None:
    asset = f'<asset><mesh name="m" file="{"0" * 64}/{name}"/></asset>'
    text = mjcf('<geom type="mesh" mesh="m"/>', asset)
    scene = SceneFiles(text, {}, {f"{'0' * 64}/{name}": BAD_MESHES[name]})
    with pytest.raises(InputError, match="not a scene that MuJoCo can read: ") as refused:
        survey(scene, 0.1, DRONE)
    assert "0" * 64 not in str(refused.value)


def test_nothing_is_printed_or_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    survey(files(mjcf(THINGS, '<option gravity="0 0 nan"/>')), 0.1, DRONE)
    assert capfd.readouterr() == ("", "")
    assert list(tmp_path.iterdir()) == []


def test_modules_in_the_current_folder_are_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json", "numpy", "mujoco", "phil"):
        (tmp_path / f"{name}.py").write_text("open('run', 'w')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    survey(files(mjcf()), 0.1, DRONE)
    assert not (tmp_path / "run").exists()


def test_a_child_that_does_not_start_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for broken in ("/no/such/python", "/bin/false"):
        monkeypatch.setattr(sys, "executable", broken)
        with pytest.raises(InputError, match="another Python process, which does not start"):
            survey(files(mjcf()), 0.1, DRONE)


def test_the_child_loads_little() -> None:
    code = "import sys, phil.rooms.child; print({'numba', 'scipy', 'torch'} & sys.modules.keys())"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout == "set()\n"
