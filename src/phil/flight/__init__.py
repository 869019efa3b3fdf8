"""Flying a drone along a path that a search found, in MuJoCo (the extra `phil-search[rooms]`)."""

from phil.flight.planning import fly_problem, plan
from phil.flight.simulation import Flight, fly
from phil.flight.trajectory import Trajectory

__all__ = ["Flight", "Trajectory", "fly", "fly_problem", "plan"]
