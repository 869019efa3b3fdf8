"""A geometric tracking controller: the rotor thrusts that keep the quadrotor on its trajectory.

After T. Lee, M. Leok and N. H. McClamroch, "Geometric tracking control of a quadrotor UAV on
SE(3)", CDC 2010: the force that corrects position and velocity, including gravity and the
trajectory's acceleration, determines where the rotors must point; torques turn the drone there. The
angular velocity that follows from the trajectory's jerk is fed forward (D. Mellinger and V. Kumar,
"Minimum snap trajectory generation and control for quadrotors", ICRA 2011). The nose always points
along x.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phil.rooms.quadrotor import GRAVITY, Quadrotor

Vector = NDArray[np.float64]

POSITION_RATE = 7.0  # natural frequency of position errors, radians per second
ATTITUDE_RATE = 30.0
DAMPING = 1.0  # critical, for both
UP = np.array([0.0, 0.0, 1.0])
NOSE = np.array([1.0, 0.0, 0.0])


@dataclass(frozen=True)
class Setpoint:
    """The desired position and its derivatives."""

    place: Vector
    velocity: Vector
    acceleration: Vector
    jerk: Vector


@dataclass(frozen=True)
class QuadrotorState:
    """The position, velocity and attitude of the drone."""

    place: Vector
    velocity: Vector
    attitude: Vector  # (3, 3): from the drone's axes to those of the room
    turning: Vector  # radians per second about the drone's axes


class Controller:
    """Computes the thrust of each rotor."""

    def __init__(self, quadrotor: Quadrotor) -> None:
        self._drone = quadrotor
        self._rotors = np.linalg.inv(quadrotor.mixing)

    def thrusts(self, state: QuadrotorState, wanted: Setpoint) -> Vector:
        """The thrusts of the rotors in newtons, within their limits."""
        drone = self._drone
        acceleration = (
            POSITION_RATE**2 * (wanted.place - state.place)
            + 2 * DAMPING * POSITION_RATE * (wanted.velocity - state.velocity)
            + wanted.acceleration
            + GRAVITY * UP
        )
        strength = max(float(np.linalg.norm(acceleration)), 1e-6)
        up = acceleration / strength
        left = _cross(up, NOSE)
        left = left / max(float(np.linalg.norm(left)), 1e-6)
        attitude = np.stack([_cross(left, up), left, up], axis=1)
        sideways = attitude.T @ wanted.jerk / strength
        # The thrust axis must turn with the jerk perpendicular to it, but not about itself.
        turning = np.array([-sideways[1], sideways[0], 0.0])

        relative = attitude.T @ state.attitude
        skewed = (relative - relative.T) / 2
        tilt = np.array([skewed[2, 1], skewed[0, 2], skewed[1, 0]])
        excess = state.turning - relative.T @ turning
        torque = drone.inertia * (-(ATTITUDE_RATE**2) * tilt - 2 * DAMPING * ATTITUDE_RATE * excess)
        torque += _cross(state.turning, drone.inertia * state.turning)
        thrust = drone.mass * float(acceleration @ state.attitude[:, 2])
        rotors = self._rotors @ np.array([thrust, *torque])
        within: Vector = np.clip(rotors, 0.0, drone.max_thrust)
        return within


def _cross(a: Vector, b: Vector) -> Vector:
    """The cross product; NumPy's takes ten times as long for a single pair."""
    return np.array(
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    )
