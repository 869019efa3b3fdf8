"""Table 3 of the paper: PHIL and its rivals as planners for drones in two rooms."""

from reproduction.table3.columns import COLUMNS
from reproduction.table3.command import reproduce
from reproduction.table3.page import ratios
from reproduction.table3.rooms import ROOMS
from reproduction.table3.study import Study

__all__ = ["COLUMNS", "ROOMS", "Study", "ratios", "reproduce"]
