"""The room that the tests of flights share."""

from __future__ import annotations

import pytest

from phil.rooms import Room, room_from_mjcf
from tests.rooms.small_room import mjcf, write_mjcf


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """The small room, in voxels of 10 centimetres."""
    pytest.importorskip("mujoco")
    return room_from_mjcf(write_mjcf(tmp_path_factory.mktemp("room"), mjcf()), voxel=0.1)
