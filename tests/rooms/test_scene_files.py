"""Scenes in memory, as the file describes them and without what moves."""

from __future__ import annotations

import numpy as np
import pytest

from phil.rooms import DRONE, CollisionChecker
from phil.rooms.scene_files import MOVING, SceneFiles
from phil.rooms.survey import Voxels, free_voxels
from tests.rooms.small_room import mjcf, odd_mjcf

pytest.importorskip("mujoco")

VOXELS = Voxels((0, 0, 0), (10, 10, 5), 0.2)
BUSY = """
  <actuator><motor name="m" joint="hinge"/></actuator>
  <sensor><jointpos joint="hinge"/></sensor>
  <tendon><fixed name="t"><joint joint="hinge" coef="1"/></fixed></tendon>
  <equality><tendon tendon1="t"/></equality>
  <contact><pair geom1="wall" geom2="pillar"/></contact>
  <custom><tuple name="u"><element objtype="joint" objname="hinge"/></tuple></custom>
  <keyframe><key name="k"/></keyframe>
"""
DOOR = '<body name="door" pos="1 1 .5"><joint name="hinge"/><geom size=".2"/></body>'
CLOTH = """<flexcomp name="f" type="grid" count="6 6 1" pos=".5 .5 .5" spacing=".1 .1 .1" dim="2"
  radius=".05" mass="1"><edge equality="true"/></flexcomp>"""
WALL = '<geom name="wall" size=".1"/><geom name="pillar" size=".1"/>'


def test_nothing_moves() -> None:
    spec = SceneFiles(mjcf(WALL + DOOR + CLOTH, after=BUSY), {}, {}).still()
    assert {kind: len(getattr(spec, kind)) for kind in MOVING} == dict.fromkeys(MOVING, 0)
    model = spec.compile()
    assert (model.nq, model.nv, model.nu, model.npair, model.nflex) == (0, 0, 0, 0, 0)
    assert model.body("door").pos.tolist() == [1, 1, 0.5]


@pytest.mark.parametrize("text", [odd_mjcf(), mjcf(DOOR)], ids=["odd", "door"])
def test_the_same_voxels_are_free_as_in_the_scene_that_moves(text: str) -> None:
    files = SceneFiles(text, {}, {})
    free = free_voxels(files.still(), VOXELS, DRONE)
    moving = CollisionChecker(files.spec(), DRONE, VOXELS.centre)
    assert (~free).any()
    assert np.array_equal(
        free,
        [[[moving.is_free((x, y, z)) for z in range(5)] for y in range(10)] for x in range(10)],
    )


@pytest.mark.parametrize(
    "trick",
    [
        '<size memory="1K"/>',
        '<option o_margin="-1"><flag override="enable"/></option>',
        '<option><flag contact="disable"/></option>',
        '<option><flag constraint="disable"/></option>',
        '<option ccd_iterations="0"/>',
    ],
)
def test_a_scene_cannot_hide_its_walls(trick: str) -> None:
    expected = free_voxels(SceneFiles(mjcf(), {}, {}).still(), VOXELS, DRONE)
    free = free_voxels(SceneFiles(mjcf(before=trick), {}, {}).still(), VOXELS, DRONE)
    assert np.array_equal(free, expected)
