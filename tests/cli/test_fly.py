"""`phil fly`: flights, their reports, and bad input."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.rooms.small_room import WALLS, mjcf, write_mjcf

if TYPE_CHECKING:
    from tests.cli.conftest import Phil

pytest.importorskip("mujoco")

ENDS = ("--start", "2,2,2", "--goal", "17,2,2")
SMALL = ("--voxel", "0.1", "-m", "astar")


@pytest.fixture
def room(tmp_path: Path) -> Path:
    return write_mjcf(tmp_path, mjcf())


def test_a_set_is_flown_as_its_seed_says(program: Phil) -> None:
    done = program("fly", "rooms/adversarial", "--seed", "3", "-m", "euclidean", "--json", "-")
    assert (done.code, done.err) == (0, "")
    document = json.loads(done.out)
    assert document["seed"] == 3
    assert len(document["blocks"]) == 5
    assert document["outcome"] == "solved"
    assert document["path"][0] == document["start"]
    assert document["path"][-1] == document["goal"]
    flight = document["flight"]
    assert (flight["contacts"], flight["touched"]) == (0, [])
    assert 0 < flight["mean_error_metres"] < 0.05
    assert flight["mean_error_voxels"] == pytest.approx(flight["mean_error_metres"] / 0.1)
    assert flight["mean_error_metres"] < flight["largest_error_metres"] < 0.01


def test_a_file_is_flown_and_reported(phil: Phil, room: Path) -> None:
    done = phil("fly", room, *SMALL, *ENDS)
    assert (done.code, done.err) == (0, "")
    head, row = (line.split() for line in done.out.splitlines())
    assert head[:6] == ["outcome", "expansions", "calls", "metres", "seconds", "contacts"]
    assert (row[0], row[5]) == ("solved", "0")


def test_the_same_seed_gives_the_same_flight(phil: Phil, room: Path) -> None:
    first, again, other = (
        json.loads(phil("fly", room, *SMALL, "--seed", seed, "--json", "-").out)
        for seed in ("1", "1", "2")
    )
    assert first == again
    assert first["blocks"] == []
    assert (first["start"], first["goal"]) != (other["start"], other["goal"])


def test_no_path_exits_with_1(phil: Phil, room: Path) -> None:
    done = phil("fly", room, *SMALL, *ENDS, "--limit", "3")
    assert (done.code, done.err) == (1, "")
    assert done.out.split()[:4] == ["outcome", "expansions", "calls", "limit"]


def test_without_rendering_the_flight_is_still_reported(
    phil: Phil, room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise OSError("no EGL")

    monkeypatch.setattr("phil.rooms.renderer._context_class", missing)
    done = phil("fly", room, *SMALL, *ENDS, "-o", tmp_path / "flight.mp4")
    assert done.code == 2
    assert done.out.splitlines()[1].startswith("solved")
    assert done.err.startswith("error: no off-screen rendering (no EGL); install")
    assert done.err.count("\n") == 1
    assert not (tmp_path / "flight.mp4").exists()


def test_a_missing_mujoco_names_the_extra(
    phil: Phil, room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    done = phil("fly", room, *SMALL)
    assert done.code == 2
    assert done.err.startswith("error: rooms need MuJoCo")
    assert "phil-search[rooms]" in done.err


@pytest.mark.parametrize(
    "command",
    [
        ("info",),
        ("solve", "--method", "astar", "--start", "10,10,10", "--goal", "10,10,8"),
        ("fly", "--method", "astar"),
        ("convert", "room.npz"),
    ],
    ids=lambda command: command[0],
)
def test_every_command_reads_a_gzipped_scene_of_any_name(
    phil: Phil, room: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(room.parent)
    packed = room.with_name("scene")
    packed.write_bytes(gzip.compress(room.read_bytes()))
    name, *rest = command
    done = phil(name, packed, *rest)
    assert done.code == 0, done.err


def test_files_outside_need_an_option(phil: Phil, tmp_path: Path) -> None:
    write_mjcf(tmp_path, f"<x>{WALLS}</x>", "walls.xml")
    (tmp_path / "room").mkdir()
    text = '<mujoco><worldbody><include file="../walls.xml"/></worldbody></mujoco>'
    path = write_mjcf(tmp_path / "room", text)
    done = phil("fly", path, *SMALL)
    assert (done.code, done.out) == (2, "")
    assert "a file outside its own folder" in done.err
    assert phil("fly", path, *SMALL, "--allow-outside").code == 0


FULL = '<geom type="box" size="1.1 1.1 .55" pos="1 1 .55"/>'


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        ("<mujoco><worldbody>", (), "not well-formed XML"),
        ("<mujoco><worldbody><x/></worldbody></mujoco>", (), "not a scene that MuJoCo can read"),
        (mjcf(FULL), (), "no free space"),
        (mjcf(), ("--start", "11,3,3"), "--start 11,3,3: the drone would collide there"),
        (mjcf(), ("--goal", "11,3,3"), "--goal 11,3,3: the drone would collide there"),
        (mjcf(), ("--start", "2,2,99"), "outside the room; its voxels are X 0..21, Y 0..21"),
        (mjcf(), ("--start", "2,2"), "--start 2,2: not a voxel; write X,Y,Z"),
        (mjcf(), ("--start", "a,b,c"), "--start a,b,c: not a voxel; write X,Y,Z"),
        (mjcf(), ("-o", "flight.gif"), "end the name in .mp4"),
        (mjcf(), ("-o", "no-such-folder/flight.mp4"), "does not exist"),
    ],
)
def test_bad_input_is_one_line(
    phil: Phil, tmp_path: Path, text: str, options: tuple[str, ...], reason: str
) -> None:
    done = phil("fly", write_mjcf(tmp_path, text), *SMALL, *options)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert reason in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("rooms/simpel", "-m", "astar"), "did you mean 'rooms/simple'?"),
        (("no-such.xml", "-m", "astar"), "no-such.xml: there is no such file"),
        (("rooms/simple", "-m", "astar", "--voxel", "0.2"), "--voxel 0.2"),
        (("rooms/simple", "-m", "astra"), "did you mean 'astar'?"),
    ],
)
def test_rooms_and_methods_that_do_not_exist(
    phil: Phil, arguments: tuple[str, ...], reason: str
) -> None:
    done = phil("fly", *arguments)
    assert (done.code, done.out) == (2, "")
    assert reason in done.err
    assert done.err.count("\n") == 1
