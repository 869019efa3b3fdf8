"""The drone that rooms are searched and flown with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Drone:
    """A nano quadrotor inside a round cage; metres and kilograms."""

    radius: float = 0.035  # of the cage
    margin: float = 0.01  # kept from everything when a path is planned
    mass: float = 0.03

    @property
    def clearance(self) -> float:
        """How far from everything its middle stays."""
        return self.radius + self.margin


DRONE = Drone()
