"""The controller alone: what thrusts it asks for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from phil.rooms import DRONE
from phil.rooms.controller import Controller, QuadrotorState, Setpoint
from phil.rooms.quadrotor import GRAVITY, Quadrotor

QUADROTOR = Quadrotor.of(DRONE)
ZERO = np.zeros(3)
THERE = Setpoint(ZERO, ZERO, ZERO, ZERO)
STILL = QuadrotorState(ZERO, ZERO, np.eye(3), ZERO)


def wanted_moment(state: QuadrotorState, reference: Setpoint = THERE) -> list[float]:
    """Thrust and torques that the rotors give together."""
    thrusts = Controller(QUADROTOR).thrusts(state, reference)
    return [float(value) for value in QUADROTOR.mixing @ thrusts]


def test_hovering_needs_the_weight_evenly() -> None:
    thrusts = Controller(QUADROTOR).thrusts(STILL, THERE)
    assert np.allclose(thrusts, DRONE.mass * GRAVITY / 4)


def test_below_its_place_it_pushes_more() -> None:
    below = replace(STILL, place=np.array([0, 0, -0.01]))
    thrust, *torques = wanted_moment(below)
    assert thrust > DRONE.mass * GRAVITY
    assert np.allclose(torques, 0, atol=1e-12)


@pytest.mark.parametrize(
    ("place", "axis", "sign"),
    [((-0.01, 0, 0), 1, 1), ((0.01, 0, 0), 1, -1), ((0, -0.01, 0), 0, -1), ((0, 0.01, 0), 0, 1)],
)
def test_it_tilts_towards_its_place(
    place: tuple[float, float, float], axis: int, sign: int
) -> None:
    _, *torques = wanted_moment(replace(STILL, place=np.array(place)))
    assert sign * torques[axis] > 0
    assert np.allclose(np.delete(torques, axis), 0, atol=1e-9)


def test_it_turns_back_to_where_its_nose_was() -> None:
    angle = 0.1
    turned = np.array(
        [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]]
    )
    _, *torques = wanted_moment(replace(STILL, attitude=turned))
    assert torques[2] < 0


def test_rotors_have_limits() -> None:
    far = replace(STILL, place=np.array([30.0, -20.0, 10.0]))
    thrusts = Controller(QUADROTOR).thrusts(far, THERE)
    assert (thrusts >= 0).all()
    assert (thrusts <= QUADROTOR.max_thrust).all()
