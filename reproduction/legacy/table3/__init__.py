"""Table 3 of the paper: PHIL and its rivals as planners for drones in two rooms."""

from reproduction.legacy.table3.columns import COLUMNS
from reproduction.legacy.table3.rooms import ROOMS
from reproduction.legacy.table3.study import Study

__all__ = ["COLUMNS", "ROOMS", "Study"]
