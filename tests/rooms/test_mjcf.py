"""Rooms from MJCF files."""

from __future__ import annotations

import gzip
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.graphs.formats import read_graph
from phil.graphs.formats.registry import recognise
from phil.rooms import Drone, room_from_mjcf
from phil.rooms.quadrotor import flight_spec

pytest.importorskip("mujoco")

WALLS = """
<geom type="box" size=".05 1 .5" pos="-1 0 .5"/><geom type="box" size=".05 1 .5" pos="1 0 .5"/>
<geom type="box" size="1 .05 .5" pos="0 -1 .5"/><geom type="box" size="1 .05 .5" pos="0 1 .5"/>
"""


def scene(folder: Path, inside: str) -> Path:
    path = folder / "mine.xml"
    path.write_text(f"<mujoco><worldbody>{inside}</worldbody></mujoco>")
    return path


def test_a_room_is_the_box_around_what_is_solid(tmp_path: Path) -> None:
    floor = '<geom type="plane" size="9 9 .1"/>'
    ghost = '<geom type="sphere" size="5" contype="0" conaffinity="0"/>'
    room = room_from_mjcf(scene(tmp_path, floor + ghost + WALLS), voxel=0.15)
    assert room.name == "mine"
    assert np.allclose(room.origin, (-1.05, -1.05, 0))
    assert room.shape == (14, 14, 7)
    assert np.allclose(room.centre((0, 0, 0)), (-0.975, -0.975, 0.075))
    free = room.free
    assert free[1:-1, 1:-1].all()
    assert not free[0].any()
    assert not free[:, -1].any()


def test_bodies_stand_where_the_file_puts_them(tmp_path: Path) -> None:
    crate = (
        '<body pos=".3 .3 .2"><freejoint/><geom type="box" size=".2 .2 .2" euler="0 0 30"/></body>'
    )
    free = room_from_mjcf(scene(tmp_path, WALLS + crate), voxel=0.15).free
    assert not free[9, 9, 1]
    assert free[9, 9, 4]
    assert free[3, 3, 1]


def test_a_scene_that_switches_contacts_off_is_still_solid(tmp_path: Path) -> None:
    path = scene(tmp_path, WALLS)
    text = path.read_text()
    off = '<mujoco><option><flag contact="disable"/></option>'
    path.write_text(text.replace("<mujoco>", off))
    assert not room_from_mjcf(path, voxel=0.15).free[0].any()


def test_the_longest_side_has_fifty_voxels_if_nothing_is_said(tmp_path: Path) -> None:
    walls = (
        '<geom type="box" size=".1 5 1" pos="-5 0 1"/><geom type="box" size=".1 5 1" pos="5 0 1"/>'
    )
    room = room_from_mjcf(scene(tmp_path, walls))
    assert room.shape == (50, 50, 10)
    assert room_from_mjcf(scene(tmp_path, WALLS)).voxel == pytest.approx(0.09)  # the drone's


def test_any_command_reads_a_scene_as_a_map(tmp_path: Path) -> None:
    grid = read_graph(scene(tmp_path, WALLS))
    assert isinstance(grid, GridGraph)
    assert (grid.connectivity, grid.free.ndim) == (6, 3)


STARTS = {
    "plain": "",
    "comment": f"<!-- <graphml> -- {'a licence ' * 10_000}-->",
    "document type": "\ufeff<?xml version='1.0'?>\n<!DOCTYPE mujoco [<!ELEMENT a (b)>]>\n",
}


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
@pytest.mark.parametrize("packed", [False, True])
def test_scenes_are_recognised_by_content(tmp_path: Path, start: str, packed: bool) -> None:
    text = (start + scene(tmp_path, WALLS).read_text()).encode()
    path = tmp_path / "scene"
    path.write_bytes(gzip.compress(text) if packed else text)
    found = recognise(path)
    assert found is not None
    assert found.name == "MuJoCo scene (MJCF)"


def test_a_gzipped_scene_is_the_same_room(tmp_path: Path) -> None:
    path = scene(tmp_path, WALLS)
    packed = tmp_path / "mine.xml.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    plain, unpacked = room_from_mjcf(path, 0.15), room_from_mjcf(packed, 0.15)
    assert np.array_equal(plain.free, unpacked.free)
    assert plain.name == unpacked.name == "mine"


def test_files_outside_are_read_only_if_that_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "walls.xml").write_text(f"<x>{WALLS}</x>")
    (tmp_path / "room").mkdir()
    path = scene(tmp_path / "room", '<include file="../walls.xml"/>')
    for read in (room_from_mjcf, read_graph):
        with pytest.raises(InputError, match=r"outside its own folder: .*walls.xml"):
            read(path)
    assert room_from_mjcf(path, allow_outside=True).free.any()


def test_a_room_needs_its_file_no_more(tmp_path: Path) -> None:
    path = scene(tmp_path, WALLS)
    room = room_from_mjcf(path, 0.15)
    path.unlink()
    checker = room.checker()
    cells = product(*map(range, room.shape))
    assert [checker.is_free(cell) for cell in cells] == room.free.ravel().tolist()
    assert not room.with_blocks([(3, 3, 0)]).free[3, 3, 0]


def test_the_drone_is_the_one_that_must_fit(tmp_path: Path) -> None:
    drone = Drone(radius=0.2)
    room = room_from_mjcf(scene(tmp_path, WALLS), 0.5, drone)
    assert room.drone == drone


def test_warnings_are_logged_and_leave_no_file(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", "phil.rooms")
    monkeypatch.chdir(tmp_path)
    path = scene(tmp_path, WALLS)
    path.write_text(path.read_text().replace("<mujoco>", '<mujoco><statistic extent="nan"/>'))
    room_from_mjcf(path).checker()
    assert list(tmp_path.iterdir()) == [path]
    assert capfd.readouterr() == ("", "")
    assert "NaN" in caplog.text


def test_names_that_the_drone_needs_are_refused_where_they_clash(tmp_path: Path) -> None:
    room = room_from_mjcf(scene(tmp_path, WALLS + '<site name="phil_drone_rotor_0"/>'))
    with pytest.raises(InputError, match="repeated name 'phil_drone_rotor_0'"):
        flight_spec(room)


@pytest.mark.parametrize(
    ("inside", "problem"),
    [
        ('<geom type="bx"/>', r"mine.xml: not a scene that MuJoCo can read: .*'bx'.*line 1"),
        ('<geom type="box"', r"mine.xml, line 1: not well-formed XML"),
        ('<geom type="box" size="-1 1 1"/>', "mine.xml: not a scene that MuJoCo can read"),
        ('<geom type="plane" size="1 1 1"/>', "mine.xml: no solid geoms other than planes"),
        ('<geom type="box" size="1 1 1"/>', "fits into none of the .* no free space"),
    ],
)
def test_bad_scenes_are_refused_in_one_line(tmp_path: Path, inside: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as refused:
        read_graph(scene(tmp_path, inside))
    assert "\n" not in str(refused.value)
    assert str(refused.value).count("mine.xml") == 1


@pytest.mark.parametrize("voxel", [0.05, float("nan"), -1.0])
def test_voxels_that_the_drone_does_not_fit_into_are_refused(tmp_path: Path, voxel: float) -> None:
    with pytest.raises(InputError, match=r"needs at least 0.09 m"):
        room_from_mjcf(scene(tmp_path, WALLS), voxel)


def test_too_many_voxels_are_refused_before_they_are_checked(tmp_path: Path) -> None:
    far = '<geom type="box" size="1 1 1" pos="90 90 90"/>'
    with pytest.raises(InputError, match="choose larger voxels"):
        room_from_mjcf(scene(tmp_path, WALLS + far), 0.1)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        room_from_mjcf(tmp_path / "none.xml")
