"""Table 2 of the paper: PHIL and its rivals on citations, biology, syntax trees and roads."""

from phil.experiments.table2.columns import COLUMNS
from phil.experiments.table2.command import reproduce
from phil.experiments.table2.page import ratios
from phil.experiments.table2.sets import QUICK_SETS, SETS, TIERS
from phil.experiments.table2.study import Study

__all__ = ["COLUMNS", "QUICK_SETS", "SETS", "TIERS", "Study", "ratios", "reproduce"]
