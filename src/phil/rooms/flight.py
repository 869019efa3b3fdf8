"""Flying a drone along a path that a search found, simulated in MuJoCo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.memory import check_memory
from phil.rooms.checker import DRONE_NAME
from phil.rooms.controller import Controller, QuadrotorState, Setpoint
from phil.rooms.path import FreeSpace, Points, straightened
from phil.rooms.problems import RoomProblem
from phil.rooms.quadrotor import GRAVITY, TIMESTEP, Quadrotor, flight_spec, rotor
from phil.rooms.room import Room
from phil.rooms.scene import compiled, import_mujoco
from phil.rooms.trajectory import Trajectory, rounded, timed
from phil.search import Result

BYTES_PER_STEP = 8 * (1 + 7 + 4 * 3)  # of the arrays of a flight

__all__ = ["Flight", "Trajectory", "fly", "fly_problem", "plan"]


@dataclass(frozen=True, eq=False, repr=False)
class Flight:
    """A flown trajectory; the arrays have one row per step of the simulation.

    Attributes
    ----------
    times : numpy.ndarray
        Seconds since the start.
    flown, wanted : numpy.ndarray, shape (steps, 3)
        The actual and the desired position of the drone in metres.
    attitudes : numpy.ndarray, shape (steps, 4)
        Unit quaternions (w, x, y, z).
    contacts : int
        The number of steps in which the drone touched anything.
    touched : tuple of str
        The names of what it touched.
    length : float
        The length of the trajectory in metres.
    voxel : float
        The side of a voxel in metres.
    """

    times: NDArray[np.float64]
    flown: Points
    wanted: Points
    attitudes: NDArray[np.float64]
    contacts: int
    touched: tuple[str, ...]
    length: float
    voxel: float

    def __repr__(self) -> str:
        return (
            f"Flight({self.length:.2f} m in {self.seconds:.1f} s, contacts={self.contacts}, "
            f"mean error {1000 * self.mean_error:.1f} mm)"
        )

    @property
    def seconds(self) -> float:
        """The duration of the flight."""
        return float(self.times[-1])

    @property
    def errors(self) -> NDArray[np.float64]:
        """The tracking error at each step in metres."""
        distances: NDArray[np.float64] = np.linalg.norm(self.flown - self.wanted, axis=1)
        return distances

    @property
    def mean_error(self) -> float:
        """The mean tracking error in metres."""
        return float(self.errors.mean())

    @property
    def largest_error(self) -> float:
        """The largest tracking error in metres."""
        return float(self.errors.max())


def plan(task: RoomProblem, result: Result) -> Trajectory:
    """Turn the path that a search found into a smooth trajectory in free space.

    Parameters
    ----------
    task : RoomProblem
        The problem and its room.
    result : Result
        A solved search of that problem.

    Returns
    -------
    Trajectory

    Raises
    ------
    InputError
        If the search found no path, or if something thinner than a voxel blocks it.
    """
    if not result.solved:
        raise InputError(f"no path to fly: the search ended with '{result.outcome}'")
    grid = task.problem.graph
    assert grid.is_grid, "rooms are grids"
    cells = [grid.cell(int(node)) for node in result.path]
    space = FreeSpace(task.room)
    corners = straightened(task.room, cells, space)
    return timed(rounded(corners, space), corners[0])


def fly_problem(task: RoomProblem, result: Result) -> Flight:
    """Plan a trajectory along the path that a search found, and fly it (see `plan` and `fly`)."""
    return fly(task.room, plan(task, result))


def fly(room: Room, trajectory: Trajectory) -> Flight:
    """Fly a trajectory in a room, starting and ending in hover.

    Parameters
    ----------
    room : Room
        The room to fly in; movable bodies are held in place.
    trajectory : Trajectory
        The desired position over time.

    Returns
    -------
    Flight
        The actual positions, and what the drone touched.
    """
    mujoco = import_mujoco()
    model = compiled(flight_spec(room))
    model.geom_margin[:] = 0  # count real contacts only
    data = mujoco.MjData(model)
    places, speeds = _addresses(model)
    rotors = [model.actuator(rotor(number)).id for number in range(4)]
    drone = model.geom(DRONE_NAME).id
    body = model.body(DRONE_NAME).id
    others = np.setdiff1d(np.arange(model.nq), places), np.setdiff1d(np.arange(model.nv), speeds)

    steps = round(trajectory.seconds / TIMESTEP)
    check_memory(BYTES_PER_STEP * steps, f"a flight of {trajectory.seconds:.0f} s")
    times: NDArray[np.float64] = np.multiply(TIMESTEP, np.arange(steps + 1))
    wanted = [trajectory.at(times, derivative) for derivative in range(4)]
    controller = Controller(Quadrotor.of(room.drone))
    flown = np.empty((len(times), 7))
    contacts = 0
    touched: dict[str, None] = {}

    data.qpos[places] = [*wanted[0][0], 1, 0, 0, 0]
    data.act[model.actuator_actadr[rotors]] = room.drone.mass * GRAVITY / 4  # it hovers
    for step, setpoint in enumerate(zip(*wanted, strict=True)):
        mujoco.mj_step1(model, data)
        place = data.qpos[places]
        flown[step] = place
        hits = _hits(data, drone)
        contacts += bool(hits)
        touched.update(dict.fromkeys(_name(mujoco, model, geom) for geom in hits))
        speed = data.qvel[speeds]
        attitude = data.xmat[body].reshape(3, 3).copy()
        state = QuadrotorState(place[:3], speed[:3], attitude, speed[3:])
        data.ctrl[rotors] = controller.thrusts(state, Setpoint(*setpoint))
        mujoco.mj_step2(model, data)
        # Movable bodies stay where they were when the path was planned.
        data.qpos[others[0]] = model.qpos0[others[0]]
        data.qvel[others[1]] = 0
    return Flight(
        times=times,
        flown=flown[:, :3],
        wanted=wanted[0],
        attitudes=flown[:, 3:],
        contacts=contacts,
        touched=tuple(touched),
        length=trajectory.length,
        voxel=room.voxel,
    )


def _addresses(model: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The indices of the drone's position and attitude in `qpos`, and velocities in `qvel`."""
    joint = model.joint(DRONE_NAME)
    return joint.qposadr[0] + np.arange(7), joint.dofadr[0] + np.arange(6)


def _hits(data: Any, drone: int) -> list[int]:
    """The geoms that the drone touches now."""
    if data.ncon == 0:
        return []
    pairs = data.contact.geom
    hit = pairs[(pairs == drone).any(axis=1)]
    return [int(geom) for geom in hit[hit != drone]]


def _name(mujoco: Any, model: Any, geom: int) -> str:
    """The name of a geom, or else of its body; most cuboids of a room have no name."""
    for kind, number in (
        (mujoco.mjtObj.mjOBJ_GEOM, geom),
        (mujoco.mjtObj.mjOBJ_BODY, model.geom_bodyid[geom]),
    ):
        name = mujoco.mj_id2name(model, kind, number)
        if name and name != "world":
            return str(name)
    return f"geom {geom}"
