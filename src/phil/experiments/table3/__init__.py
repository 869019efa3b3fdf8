"""Table 3 of the paper: PHIL and its rivals as planners for drones in two rooms."""

from phil.experiments.table3.columns import COLUMNS
from phil.experiments.table3.command import reproduce
from phil.experiments.table3.page import ratios
from phil.experiments.table3.rooms import ROOMS
from phil.experiments.table3.study import Study

__all__ = ["COLUMNS", "ROOMS", "Study", "ratios", "reproduce"]
