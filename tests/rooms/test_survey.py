"""The voxels of a scene."""

from __future__ import annotations

import pytest

from phil.errors import InputError
from phil.rooms import DRONE
from phil.rooms.scene_files import SceneFiles
from phil.rooms.survey import voxels_of
from tests.rooms.small_room import mjcf

pytest.importorskip("mujoco")


@pytest.mark.parametrize(
    ("geom", "reason"),
    [
        ('type="box" size="1 1 1e300"', r"a solid geom reaches 1e\+300 m from the origin"),
        ('type="sphere" size="1e300"', "from the origin"),
        ('type="sphere" size="inf"', "from the origin"),
        ('type="box" size="1 1 1" pos="nan 0 0"', "reaches nan m from the origin"),
        ('type="box" size="1 1 1" pos="0 -inf 0"', "from the origin"),
        ('type="box" size="1 1 1" quat="nan 0 0 0"', "from the origin"),
        ('type="box" size="1 1 1" pos="0 0 20000"', "10000 m are supported"),
        ('type="box" size="nan 1 1"', "not a scene that MuJoCo can read: .*nan size in geom"),
        ('type="box" size="0 1 1"', "not a scene that MuJoCo can read: .*must be positive"),
        ('type="box" size="1 1 1" quat="0 0 0 0"', "zero quaternion"),
    ],
)
def test_sizes_and_places_that_no_room_has_are_refused(geom: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        voxels_of(SceneFiles(mjcf(f"<geom {geom}/>"), {}, {}).spec(), None, DRONE)


def test_what_a_scene_says_is_quoted_short_and_visible() -> None:
    text = mjcf(f'<geom type="\x9b31m{"x" * 900}"/>')
    with pytest.raises(InputError, match="invalid keyword") as refused:
        SceneFiles(text, {}, {}).spec()
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 400
