"""Reading a scene and the files that it names, of which MuJoCo opens none."""

from __future__ import annotations

import gzip
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs.formats.source import outside_allowed
from phil.rooms import DRONE, reader
from phil.rooms.reader import read_scene
from phil.rooms.scene_files import SceneFiles
from phil.rooms.survey import Voxels, free_voxels
from tests.rooms.small_room import THINGS, mjcf, odd_mjcf

TETRAHEDRON = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
BALL = '<body name="ball"><geom size=".1"/></body>'


def scene(folder: Path, text: str, name: str = "scene.xml") -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(text)
    return path


def asset_names(files: SceneFiles) -> list[str]:
    return sorted(Path(name).name for name in files.assets)


REFERENCES = {
    "mesh": '<asset><mesh file="{}"/></asset>',
    "texture": '<asset><texture type="2d" file="{}"/></asset>',
    "side of a texture": '<asset><texture type="cube" fileback="{}"/></asset>',
    "height field": '<asset><hfield size="1 1 1 1" file="{}"/></asset>',
    "skin": '<deformable><skin file="{}"/></deformable>',
    "model": '<asset><model file="{}"/></asset>',
    "include": '<worldbody><include file="{}"/></worldbody>',
    "unknown": '<new thing="1" file="{}"/>',
}


@pytest.mark.parametrize("reference", REFERENCES.values(), ids=REFERENCES)
@pytest.mark.parametrize("place", ["absolute", "parent", "backslashes", "link"])
def test_files_outside_the_folder_of_the_scene_are_refused(
    tmp_path: Path, reference: str, place: str
) -> None:
    outside = scene(tmp_path, f"<mujoco>{BALL}</mujoco>", "outside.xml")
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "inside.xml").symlink_to(outside)
    names = {
        "absolute": str(outside),
        "parent": "../outside.xml",
        "backslashes": r"..\outside.xml",
        "link": "inside.xml",
    }
    path = scene(tmp_path / "room", f"<mujoco>{reference.format(names[place])}</mujoco>")
    with pytest.raises(InputError, match=r"a file outside its own folder.*--allow-outside"):
        read_scene(path)
    with outside_allowed():
        files = read_scene(path)
    assert str(tmp_path) not in files.xml
    assert ".." not in files.xml


@pytest.mark.parametrize(
    "folder", ['assetdir=".."', 'meshdir=".."', 'assetdir="{}"', r'meshdir="a\..\.."']
)
@pytest.mark.parametrize("last", [False, True])
def test_folders_outside_are_refused_wherever_they_are_set(
    tmp_path: Path, folder: str, last: bool
) -> None:
    (tmp_path / "chair.obj").write_bytes(TETRAHEDRON)
    asset = '<asset><mesh file="chair.obj"/></asset>'
    compiler = f"<compiler {folder.format(tmp_path)}/>"
    text = f"{asset}{compiler}" if last else f"{compiler}{asset}"
    with pytest.raises(InputError, match="a file outside its own folder"):
        read_scene(scene(tmp_path / "room", f"<mujoco>{text}</mujoco>"))


def test_attached_and_included_files_may_not_name_files_outside_either(tmp_path: Path) -> None:
    folder = tmp_path / "room"
    (tmp_path / "chair.obj").write_bytes(TETRAHEDRON)
    scene(folder, '<mujoco><asset><mesh file="../../chair.obj"/></asset></mujoco>', "a/b.xml")
    scene(folder, '<x><asset><model file="a/b.xml"/></asset></x>', "a/c.xml")
    with pytest.raises(InputError, match="a file outside its own folder"):
        read_scene(scene(folder, '<mujoco><include file="a/c.xml"/></mujoco>'))


def test_files_are_found_where_mujoco_finds_them(tmp_path: Path) -> None:
    for name in ("meshes/a.obj", "looks/b.png", "robot/parts/c.obj", "d.stl"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_bytes(name.encode())
    scene(
        tmp_path,
        '<mujoco><compiler meshdir="parts"/><asset><mesh file="c.obj"/></asset></mujoco>',
        "robot/robot.xml",
    )
    text = """<mujoco>
      <asset><mesh file="a.obj"/><texture file="b.png"/><model file="robot/robot.xml"/></asset>
      <compiler assetdir="looks" strippath="false"/><compiler meshdir="meshes"/>
    </mujoco>"""
    files = read_scene(scene(tmp_path, text))
    assert sorted(files.assets.values()) == [b"looks/b.png", b"meshes/a.obj", b"robot/parts/c.obj"]
    assert asset_names(files) == ["a.obj", "b.png", "c.obj"]
    assert "dir=" not in files.xml + "".join(files.models.values())
    text = '<mujoco><compiler strippath="true"/><asset><mesh file="C:\\x\\d.stl"/></asset></mujoco>'
    assert asset_names(read_scene(scene(tmp_path, text))) == ["d.stl"]


def test_meshes_keep_the_names_of_their_files(tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    scene(tmp_path, f"<x>{BALL}</x>", "parts/ball.xml")
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "chair.obj").write_bytes(TETRAHEDRON)
    text = """<mujoco>
      <asset><mesh file="a/chair.obj"/><mesh name="other" file="b/chair.obj"/></asset>
      <worldbody><geom type="mesh" mesh="chair"/><include file="parts/ball.xml"/></worldbody>
    </mujoco>"""
    spec = read_scene(scene(tmp_path, text)).spec()
    assert [mesh.name for mesh in spec.meshes] == ["chair", "other"]
    assert spec.body("ball") is not None
    assert spec.compile().ngeom == 2


def test_a_scene_can_be_attached(tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    scene(tmp_path, f"<mujoco><worldbody>{BALL}</worldbody></mujoco>", "ball.xml")
    text = """<mujoco><asset><model name="m" file="ball.xml"/></asset>
      <worldbody><attach model="m" body="ball" prefix="one_"/></worldbody></mujoco>"""
    assert read_scene(scene(tmp_path, text)).spec().body("one_ball") is not None


def test_elements_stay_on_their_lines(tmp_path: Path) -> None:
    text = (
        "<?xml version='1.0'?>\n<!-- a\n-- b -->\n<mujoco\nmodel='&lt;&quot;'\n>\n\n<bad/></mujoco>"
    )
    xml = read_scene(scene(tmp_path, text)).xml
    lines = xml.splitlines()
    assert [number for number, line in enumerate(lines, 1) if line] == [4, 8]
    assert ElementTree.fromstring(xml).get("model") == '<"'


def test_document_types_are_accepted_and_entities_are_not(tmp_path: Path) -> None:
    start = '<!DOCTYPE mujoco SYSTEM "http://example.org/mjcf.dtd">'
    assert "<mujoco" in read_scene(scene(tmp_path, f"{start}<mujoco/>")).xml
    bomb = '<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><mujoco model="&b;"/>'
    with pytest.raises(InputError, match=r"scene.xml, line 1: entities are not supported"):
        read_scene(scene(tmp_path, bomb))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<robot/>", "line 1: a scene must start with <mujoco>, not 'robot'"),
        ("<mujoco>\n<geom", "line 2: not well-formed XML"),
        ("<mujoco>" + "<!--" * 10**6, "not well-formed XML"),
        ("", "empty file"),
        ('<?xml version="1.0" encoding="none"?><mujoco/>', "line 1: cannot be decoded"),
        ('<mujoco><include file="scene.xml"/></mujoco>', "includes 'scene.xml', which is"),
        ("<mujoco><include/></mujoco>", "includes '', which is missing"),
        ('<mujoco><include file="0.xml"/></mujoco>', "more than 16 includes within each other"),
        ('<mujoco><include file="none.xml"/></mujoco>', "cannot read .*none.xml: No such file"),
        ('<mujoco><a file="none.obj"/></mujoco>', "cannot read .*none.obj: No such file"),
        ('<mujoco><a file="/dev/zero"/></mujoco>', "outside its own folder"),
        (f'<mujoco><a file="{"x" * 5000}"/></mujoco>', r"'x{60}\.\.\.': the name is too long"),
        (f'<mujoco><include file="{"x" * 5000}"/></mujoco>', "the name is too long"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, text: str, reason: str) -> None:
    for number in range(20):
        scene(tmp_path, f'<x><include file="{number + 1}.xml"/></x>', f"{number}.xml")
    with pytest.raises(InputError, match=reason):
        read_scene(scene(tmp_path, text))


def test_files_that_attach_each_other_are_read_once(tmp_path: Path) -> None:
    text = '<mujoco><asset><model file="a.xml"/><model file="b.xml"/></asset></mujoco>'
    for name in ("a.xml", "b.xml"):
        path = scene(tmp_path, text, name)
    assert len(read_scene(path).models) == 2


def test_files_may_be_gzipped(tmp_path: Path) -> None:
    (tmp_path / "part.xml").write_bytes(gzip.compress(b"<x><worldbody/></x>"))
    path = tmp_path / "scene.xml.gz"
    path.write_bytes(gzip.compress(b'<mujoco><include file="part.xml"/></mujoco>'))
    assert "worldbody" in read_scene(path).xml


@pytest.mark.parametrize(
    ("limit", "value", "reason"),
    [
        ("MOST_XML", 50, "too many bytes of XML"),
        ("MOST_BYTES", 100, "and its files have too many bytes;"),
        ("MOST_ELEMENTS", 3, "too many elements"),
    ],
)
def test_large_scenes_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int, reason: str
) -> None:
    (tmp_path / "a.obj").write_bytes(TETRAHEDRON)
    path = scene(tmp_path, '<mujoco><asset><mesh file="a.obj"/></asset><worldbody/></mujoco>')
    read_scene(path)
    monkeypatch.setattr(reader, limit, value)
    with pytest.raises(InputError, match=reason):
        read_scene(path)


DOOR = '<body name="door" pos="1 1 .5"><joint name="hinge"/><geom size=".2"/></body>'
CLOTH = """<flexcomp name="f" type="grid" count="6 6 1" pos=".5 .5 .5" spacing=".1 .1 .1" dim="2"
  mass="1"><edge equality="true"/></flexcomp>"""
BUSY = """
  <extension><plugin plugin="mujoco.pid"><instance name="p"><config key="ki" value="4"/></instance>
  </plugin></extension>
  <size nuserdata="2000000000" nkey="2000000000"/>
  <default><joint damping="1"/><general gear="1"/><equality/><tendon/></default>
  <actuator><motor joint="hinge"/><plugin joint="hinge" instance="p"/></actuator>
  <sensor><jointpos joint="hinge"/></sensor>
  <tendon><fixed name="t"><joint joint="hinge" coef="1"/></fixed></tendon>
  <equality><tendon tendon1="t"/></equality>
  <contact><pair geom1="wall" geom2="pillar"/></contact>
  <custom><tuple name="u"><element objtype="joint" objname="hinge"/></tuple></custom>
  <keyframe><include file="none.xml"/><key qpos="1"/></keyframe>
"""
VOXELS = Voxels((0, 0, 0), (10, 10, 5), 0.2)


def test_what_moves_or_is_soft_is_left_out(tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    scene(tmp_path, f"<joint>{DOOR}</joint>", "door.xml")  # the name of its root means nothing
    text = mjcf(f'{THINGS}{CLOTH}<include file="door.xml"/>', after=BUSY)
    model = read_scene(scene(tmp_path, text)).spec().compile()
    assert (model.nq, model.nv, model.nu, model.npair, model.nflex, model.nkey) == (0,) * 6
    assert model.body("door").pos.tolist() == [1, 1, 0.5]


TORUS = """<mujoco><extension><plugin plugin="mujoco.sdf.torus"><instance name="torus">
  <config key="radius1" value=".4"/><config key="radius2" value=".2"/></instance></plugin>
  </extension>
  <asset><mesh name="torus"><plugin instance="torus"/></mesh></asset>
  <worldbody><body pos="1 1 .5"><freejoint/><geom type="sdf" mesh="torus"><plugin instance="torus"/>
  </geom></body></worldbody></mujoco>"""


@pytest.mark.parametrize("text", [odd_mjcf(), mjcf(DOOR), TORUS], ids=["odd", "door", "torus"])
def test_the_same_voxels_are_free_as_in_the_scene_that_moves(tmp_path: Path, text: str) -> None:
    mujoco = pytest.importorskip("mujoco")
    free = free_voxels(read_scene(scene(tmp_path, text)).spec(), VOXELS, DRONE)
    moving = free_voxels(mujoco.MjSpec.from_string(text), VOXELS, DRONE)
    assert not free.all()
    assert np.array_equal(free, moving)


@pytest.mark.parametrize(
    "trick",
    [
        '<size memory="1K"/>',
        '<option o_margin="-1"><flag override="enable"/></option>',
        '<option><flag contact="disable"/></option>',
        '<option><flag constraint="disable"/></option>',
    ],
)
def test_a_scene_cannot_hide_its_walls(tmp_path: Path, trick: str) -> None:
    pytest.importorskip("mujoco")
    expected, free = (
        free_voxels(read_scene(scene(tmp_path, mjcf(before=before))).spec(), VOXELS, DRONE)
        for before in ("", trick)
    )
    assert np.array_equal(free, expected)
