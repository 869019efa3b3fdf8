"""The drone as a MuJoCo body: a cage, four rotors, and its appearance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.rooms.checker import DRONE_NAME, Drone
from phil.rooms.room import Room
from phil.rooms.scene import import_mujoco, mujoco_reads

GRAVITY = 9.81
TIMESTEP = 0.002
THRUST_TO_WEIGHT = 2.0  # of all rotors together
DRAG = 0.006  # metres: the torque of a rotor about its axis per newton of thrust
LAG = 0.02  # seconds: the time constant of the rotors
ARM = 0.6  # distance of the rotors from the centre, relative to the cage's radius
# A nano quadrotor's inertia about x, y and z, relative to mass times radius squared.
INERTIA = (0.4, 0.4, 0.6)
EVERYTHING = 0x7FFFFFFF  # collides with every geom that can collide

# Rotors are between the axes, and adjacent ones turn in opposite directions.
CORNERS = ((1, 1), (-1, 1), (-1, -1), (1, -1))
TURNS = (1, -1, 1, -1)

CAGE = (0.1, 0.12, 0.16, 0.25)
FRAME = (0.1, 0.1, 0.12, 1.0)
BLADES = ((0.95, 0.45, 0.1, 0.9), (0.2, 0.2, 0.22, 0.9))  # front, rear


@dataclass(frozen=True)
class Quadrotor:
    """The physical parameters that a controller needs."""

    mass: float
    inertia: NDArray[np.float64]  # about x, y and z
    max_thrust: float  # of one rotor
    mixing: NDArray[np.float64]  # rotor thrusts to thrust and torques about x, y and z

    @classmethod
    def of(cls, drone: Drone) -> Quadrotor:
        """The quadrotor inside a drone's cage."""
        places = _rotor_places(drone)
        mixing = np.stack(
            [np.ones(4), places[:, 1], -places[:, 0], DRAG * np.array(TURNS, np.float64)]
        )
        return cls(
            mass=drone.mass,
            inertia=np.array(INERTIA) * drone.mass * drone.radius**2,
            max_thrust=THRUST_TO_WEIGHT * drone.mass * GRAVITY / 4,
            mixing=mixing,
        )


def rotor(number: int) -> str:
    """The name of a rotor's site and actuator."""
    return f"{DRONE_NAME}_rotor_{number}"


@mujoco_reads()  # a scene may use the names of the drone
def flight_spec(room: Room) -> Any:
    """The room's scene with the drone in it, ready to fly: a `mujoco.MjSpec`."""
    mujoco = import_mujoco()
    spec = room.spec()
    _set_physics(spec)
    drone, quadrotor = room.drone, Quadrotor.of(room.drone)
    body = spec.worldbody.add_body(
        name=DRONE_NAME,
        mass=quadrotor.mass,
        inertia=quadrotor.inertia,
        explicitinertial=True,
    )
    body.add_freejoint(name=DRONE_NAME)
    body.add_geom(
        name=DRONE_NAME,
        type=mujoco.mjtGeom.mjGEOM_SPHERE,
        size=[drone.radius, 0, 0],
        mass=0,
        margin=0,
        gap=0,
        contype=EVERYTHING,
        conaffinity=EVERYTHING,
        rgba=CAGE,
        group=0,
    )
    for number, (place, turn) in enumerate(zip(_rotor_places(drone), TURNS, strict=True)):
        body.add_site(name=rotor(number), pos=place, size=[drone.radius / 10] * 3, group=5)
        spec.add_actuator(
            name=rotor(number),
            target=rotor(number),
            trntype=mujoco.mjtTrn.mjTRN_SITE,
            gear=[0, 0, 1, 0, 0, DRAG * turn],
            dyntype=mujoco.mjtDyn.mjDYN_FILTEREXACT,
            dynprm=[LAG, *[0] * 9],
            gaintype=mujoco.mjtGain.mjGAIN_FIXED,
            gainprm=[1, *[0] * 9],
            biastype=mujoco.mjtBias.mjBIAS_NONE,
            actlimited=False,
            forcelimited=False,
            ctrllimited=True,
            ctrlrange=[0, quadrotor.max_thrust],
        )
    _add_looks(body, drone)
    return spec


def _set_physics(spec: Any) -> None:
    """Set gravity, contacts and masses, overriding those in the scene's file."""
    mujoco = import_mujoco()
    option, compiler = spec.option, spec.compiler
    option.gravity = [0, 0, -GRAVITY]
    option.timestep = TIMESTEP
    option.integrator = mujoco.mjtIntegrator.mjINT_EULER
    option.disableflags = option.enableflags = 0
    option.density = option.viscosity = 0
    compiler.inertiafromgeom = mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_AUTO
    compiler.settotalmass = -1
    compiler.boundmass = compiler.boundinertia = 0


def _rotor_places(drone: Drone) -> NDArray[np.float64]:
    places = np.zeros((4, 3))
    places[:, :2] = np.array(CORNERS) * (ARM * drone.radius / 2**0.5)
    return places


def _add_looks(body: Any, drone: Drone) -> None:
    """Add arms, rotors and a battery that are purely visual."""
    mujoco = import_mujoco()
    massless = {"contype": 0, "conaffinity": 0, "mass": 0, "group": 0}
    size = drone.radius
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=[0.22 * size, 0.12 * size, 0.1 * size],
        rgba=FRAME,
        **massless,
    )
    for x, y, z in _rotor_places(drone):
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_CAPSULE,
            fromto=[0, 0, 0, x, y, z],
            size=[0.05 * size, 0, 0],
            rgba=FRAME,
            **massless,
        )
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_CYLINDER,
            pos=[x, y, z + 0.1 * size],
            size=[0.38 * size, 0.02 * size, 0],
            rgba=BLADES[0 if x > 0 else 1],
            **massless,
        )
