"""Damaged and hostile MuJoCo scenes, read within their budget."""

from __future__ import annotations

import os
import random
import re
import struct
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from phil.errors import InputError
from phil.rooms import child, room_from_mjcf
from phil.rooms.quadrotor import flight_spec
from phil.rooms.reader import read_scene
from phil.rooms.scene import compiled
from tests.campaign.part import Budget, Part, Report

VOXEL = 0.25
SECONDS = 5.0  # for one scene, so that those that run on leave time for others
LONGEST = 600  # characters of an error
SECRET = b"v 7 7 7\n# secret\n"

OBJ = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
CORNERS = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
FACES = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3))


def _stl() -> bytes:
    faces = [
        struct.pack("<12fH", 0, 0, 0, *(x for k in face for x in CORNERS[k]), 0) for face in FACES
    ]
    return bytes(80) + struct.pack("<I", len(faces)) + b"".join(faces)


def _msh() -> bytes:
    places = [x for corner in CORNERS for x in corner]
    return struct.pack("<4i12f12i", 4, 0, 0, 4, *places, *(k for face in FACES for k in face))


def _png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">2I5B", 4, 4, 8, 2, 0, 0, 0)
    pixels = zlib.compress(bytes(4 * (1 + 4 * 3)))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        chunk(*each) for each in ((b"IHDR", head), (b"IDAT", pixels), (b"IEND", b""))
    )


FILES = {
    "a.obj": OBJ,
    "b.stl": _stl(),
    "c.msh": _msh(),
    "d.png": _png(),
    "e.bin": struct.pack("<2i9f", 3, 3, *range(9)),
    "part.xml": b'<x><geom type="box" size=".1 .1 .1" pos=".5 .5 .5"/></x>',
    "model.xml": b'<mujoco><worldbody><body name="b"><geom size=".1"/></body></worldbody></mujoco>',
}
SCENE = b"""<?xml version="1.0"?>
<!-- a room -->
<mujoco model="room">
  <compiler angle="radian" meshdir="." texturedir="." autolimits="true"/>
  <option timestep="0.002" gravity="0 0 -9.81"><flag contact="enable"/></option>
  <size memory="1M" nkey="1"/>
  <default><geom rgba=".8 .6 .4 1"/><default class="thin"><geom margin="0.001"/></default></default>
  <asset>
    <mesh file="a.obj" scale=".3 .3 .3"/><mesh file="b.stl"/><mesh name="c" file="c.msh"/>
    <texture name="t" type="2d" file="d.png"/><material name="m" texture="t" texrepeat="2 2"/>
    <texture name="s" type="skybox" builtin="gradient" rgb1="1 1 1" width="8" height="8"/>
    <hfield name="h" file="e.bin" size="1 1 .2 .1"/>
    <hfield name="g" nrow="2" ncol="2" elevation="0 1 2 3" size="1 1 .2 .1"/>
    <model name="attached" file="model.xml"/>
  </asset>
  <worldbody>
    <light pos="0 0 3"/><camera name="eye" pos="0 -2 2"/>
    <geom type="plane" size="3 3 .1" material="m"/>
    <geom type="box" size=".05 1 .5" pos="-1.5 0 .5"/>
    <geom type="box" size=".05 1 .5" pos="1.5 0 .5"/>
    <geom type="hfield" hfield="h" pos="0 0 .1"/>
    <body pos=".5 -.5 .3" euler="0 0 .3"><joint name="j" axis="0 0 1" range="-1 1"/>
      <geom type="mesh" mesh="a"/><geom type="capsule" size=".05 .2" class="thin"/></body>
    <body pos="-.5 -.5 .6"><freejoint/><geom type="ellipsoid" size=".1 .2 .1"/></body>
    <replicate count="3" offset=".2 0 0"><geom type="cylinder" size=".05 .2" pos="-.6 .5 .2"/>
    </replicate>
    <flexcomp name="f" type="grid" count="3 3 1" pos="0 .3 .6" spacing=".1 .1 .1" dim="2" mass="1">
      <edge equality="true"/></flexcomp>
    <frame pos=".2 .2 .2"><attach model="attached" body="b" prefix="n_"/></frame>
    <include file="part.xml"/>
  </worldbody>
  <actuator><motor joint="j"/></actuator>
  <sensor><jointpos joint="j"/></sensor>
  <keyframe><key name="k"/></keyframe>
</mujoco>
"""
VALUE = re.compile(rb'="([^"]*)"')
ELEMENT = re.compile(rb"<\w+[^<>]*/>")
VALUES = [b"", b"0", b"-1", b"1e300", b"-1e300", b"1e-300", b"nan", b"inf", b"2147483647", b"1e9"]
VALUES += [
    b"-2147483648",
    b"4294967296",
    b"99999999999999999999",
    b"100000",
    b"0 0 0 0",
    b"1 " * 500,
]
VALUES += [
    b"box",
    b"sdf",
    b"mesh",
    b"true",
    b"\xc2\x9b31m",
    b"x" * 5000,
    b"%s%n",
    b"&lt;",
    b"&#55296;",
]
OUTSIDE = [
    b"../secret.obj",
    b"..\\secret.obj",
    b"a/../../secret.obj",
    b"link.obj",
    b"/dev/zero",
    b"..",
]
NAMED = [name.encode() for name in FILES] + [b"scene.xml", b".", b"none.obj"]


def bytes_of(data: bytes, chance: random.Random) -> bytes:
    """A file with some of its bytes changed, lost, repeated or cut off."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 8))):
        place, size = chance.randrange(len(changed) + 1), chance.choice((1, 4, 30))
        kind = chance.randrange(4)
        if kind == 0:
            changed[place : place + 4] = chance.randbytes(4)
        elif kind == 1:
            del changed[place : place + size]
        elif kind == 2:
            changed[place:place] = changed[place : place + size] * chance.choice((1, 100))
        else:
            changed[place : place + 4] = chance.choice(
                (b"\xff\xff\xff\x7f", bytes(4), b"\0\0\xc0\x7f")
            )
    return bytes(
        changed[: chance.randrange(len(changed) + 1)] if chance.random() < 0.1 else changed
    )


def values_of(data: bytes, chance: random.Random) -> bytes:
    """A scene with some of its attributes, or numbers in them, replaced."""
    for _ in range(chance.choice((1, 1, 2, 5))):
        found = chance.choice([*VALUE.finditer(data)])
        words = found[1].split() or [b""]
        if chance.random() < 0.6:
            words[chance.randrange(len(words))] = chance.choice(VALUES)
        else:
            words = [chance.choice(VALUES + NAMED)]
        data = data[: found.start(1)] + b" ".join(words) + data[found.end(1) :]
    return data


def elements_of(data: bytes, chance: random.Random) -> bytes:
    """A scene with some of its elements lost, moved, repeated or nested."""
    for _ in range(chance.choice((1, 2, 4))):
        all_found = [*ELEMENT.finditer(data)]
        if not all_found:
            return data
        found, place = chance.choice(all_found), chance.choice(all_found).start()
        kind = chance.randrange(4)
        if kind == 0:
            data = data[: found.start()] + data[found.end() :]
        elif kind == 1:
            data = data[:place] + found[0] + data[place:]
        elif kind == 2:
            data = data[:place] + found[0] * chance.choice((2, 500)) + data[place:]
        else:
            depth = chance.choice((2, 60, 600))
            data = data[:place] + b"<body>" * depth + found[0] + b"</body>" * depth + data[place:]
    return data


def outside_of(data: bytes, chance: random.Random) -> bytes:
    """A scene that names files outside its folder."""
    found = chance.choice([*re.finditer(rb'(?:file|dir)="([^"]*)"', data)])
    return data[: found.start(1)] + chance.choice(OUTSIDE) + data[found.end(1) :]


Mutation = Callable[[bytes, random.Random], bytes]
MUTATIONS: dict[str, Mutation] = {
    "bytes of scenes": bytes_of,
    "values of scenes": values_of,
    "elements of scenes": elements_of,
    "files outside": outside_of,
}
ASSETS = "bytes of meshes, textures and height fields"


def run(budget: Budget) -> Report:
    """Read scenes, each damaged in one way, one kind after another."""
    report = Report()
    rows = [*MUTATIONS, ASSETS]
    usual = child.BUDGET
    child.BUDGET = replace(usual, seconds=SECONDS, memory=2**30)
    number = 0
    try:
        while budget.left:
            row = rows[number % len(rows)]
            with tempfile.TemporaryDirectory() as folder, _inside(Path(folder)) as place:
                write_case(place, row, budget.seed, number)
                fault = fault_of(place)
            if fault:
                report.faults.append(f"seed {budget.seed}, case {number}, {row}: {fault}")
            report.counts[row] += 1
            number += 1
    finally:
        child.BUDGET = usual
    return report


def write_case(place: Path, row: str, seed: int, number: int) -> None:
    """Write a scene and its files, damaged as the seed and the number say."""
    chance = random.Random(f"{seed} {number}")
    files = dict(FILES)
    if row == ASSETS:
        name = chance.choice([*files])
        files[name] = bytes_of(files[name], chance)
    (place / "scene.xml").write_bytes(SCENE if row == ASSETS else MUTATIONS[row](SCENE, chance))
    for name, data in files.items():
        (place / name).write_bytes(data)
    (place.parent / "secret.obj").write_bytes(SECRET)
    (place / "link.obj").symlink_to(place.parent / "secret.obj")


def fault_of(place: Path) -> str | None:
    """What is wrong with how a scene is read; None if it is a room or a proper error."""
    scene = place / "scene.xml"
    before = {path: path.read_bytes() for path in place.iterdir()}
    with _printed() as printed:
        said = _read(scene)
    after = {path: path.read_bytes() for path in place.iterdir()}
    if printed:
        return f"it prints {printed!r}"
    if after != before:
        return f"it changes {sorted(path.name for path in after.keys() ^ before.keys())}"
    return said


def _read(scene: Path) -> str | None:
    try:
        files = read_scene(scene)
        if SECRET in files.assets.values():
            return "it reads a file outside its folder"
        compiled(flight_spec(room_from_mjcf(scene, VOXEL)))
    except InputError as error:
        text = str(error).replace(str(scene.parent), "")
        if not text.isprintable() or len(text) > LONGEST:
            return f"the error is not one short line: {text!r}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


@contextmanager
def _inside(folder: Path) -> Iterator[Path]:
    """A folder for a scene, in which this process works meanwhile."""
    before = Path.cwd()
    place = folder / "room"
    place.mkdir()
    os.chdir(place)
    try:
        yield place
    finally:
        os.chdir(before)


@contextmanager
def _printed() -> Iterator[bytearray]:
    """What reaches standard output and standard error meanwhile, from any library."""
    printed = bytearray()
    saved = os.dup(1), os.dup(2)
    with tempfile.TemporaryFile() as kept:
        try:
            os.dup2(kept.fileno(), 1)
            os.dup2(kept.fileno(), 2)
            yield printed
        finally:
            os.dup2(saved[0], 1)
            os.dup2(saved[1], 2)
            for each in saved:
                os.close(each)
            kept.seek(0)
            printed += kept.read()


PART = Part(
    name="scenes",
    title="Scenes",
    about=(
        "MuJoCo scenes, and the meshes, textures and height fields that they name, are damaged at "
        "random and read. The result is a room or an error of one short line; nothing is printed, "
        "no file is written, none outside the folder of the scene is read, and no scene takes "
        "more time or memory than it may."
    ),
    unit="scenes",
    run=run,
)
