"""The drone, and collision checks in MuJoCo."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from phil.rooms.scene import import_mujoco, mujoco_reads

if TYPE_CHECKING:
    from phil.graphs.grid import Cell

DRONE_NAME = "phil_drone"


@dataclass(frozen=True)
class Drone:
    """A nano quadrotor inside a spherical cage.

    Parameters
    ----------
    radius : float, optional
        The radius of the cage in metres.
    margin : float, optional
        The distance in metres that a planned path keeps from obstacles.
    mass : float, optional
        The mass in kilograms.
    """

    radius: float = 0.035
    margin: float = 0.01
    mass: float = 0.03

    @property
    def clearance(self) -> float:
        """The least distance between the drone's centre and obstacles."""
        return self.radius + self.margin


DRONE = Drone()


class CollisionChecker:
    """Places the drone in a scene and checks in MuJoCo whether it, or its margin, touches anything.

    Results are cached by voxel. `checks` and `seconds` are the number of checks and the time they
    took; `reset` clears everything, for a new search.

    Parameters
    ----------
    spec : mujoco.MjSpec
        The scene; the drone is added to it.
    drone : Drone
        The drone.
    centre : callable
        Returns the centre of a voxel in metres.
    """

    @mujoco_reads()
    def __init__(
        self, spec: Any, drone: Drone, centre: Callable[[Cell], NDArray[np.float64]]
    ) -> None:
        self._mujoco = mujoco = import_mujoco()
        body = spec.worldbody.add_body(name=DRONE_NAME)
        body.add_freejoint(name=DRONE_NAME)
        body.add_geom(
            name=DRONE_NAME,
            type=mujoco.mjtGeom.mjGEOM_SPHERE,
            size=[drone.radius, 0, 0],
            margin=drone.margin,
        )
        self._model = model = spec.compile()
        self._data = mujoco.MjData(model)
        self._geom = model.geom(DRONE_NAME).id
        self._place = slice(*(model.joint(DRONE_NAME).qposadr[0] + np.array([0, 3])))
        self._only_the_drone_collides()
        self._centre = centre
        self._known: dict[Cell, bool] = {}
        self.checks = 0
        self.seconds = 0.0

    def _only_the_drone_collides(self) -> None:
        """Disable contacts among furniture and with purely visual geoms."""
        model = self._model
        # A file may have disabled contacts for its own simulation.
        model.opt.disableflags &= ~int(self._mujoco.mjtDisableBit.mjDSBL_CONTACT)
        solid = (model.geom_contype | model.geom_conaffinity) != 0
        model.geom_contype[:] = 0
        model.geom_conaffinity[:] = solid
        model.geom_contype[self._geom] = 1
        model.geom_conaffinity[self._geom] = 0

    def reset(self) -> None:
        """Clear the cache and the counters."""
        self._known.clear()
        self.checks = 0
        self.seconds = 0.0

    def is_free(self, cell: Cell) -> bool:
        """Whether the drone fits into a voxel."""
        known = self._known.get(cell)
        if known is None:
            known = self._known[cell] = self.is_free_at(self._centre(cell))
        return known

    def is_free_at(self, place: NDArray[np.float64]) -> bool:
        """Whether the drone fits with its centre at this point (metres); not cached."""
        began = time.perf_counter()
        data, mujoco = self._data, self._mujoco
        data.qpos[self._place] = place
        mujoco.mj_kinematics(self._model, data)
        mujoco.mj_collision(self._model, data)
        self.checks += 1
        free = data.ncon == 0 or not (data.contact.geom == self._geom).any()
        self.seconds += time.perf_counter() - began
        return bool(free)
