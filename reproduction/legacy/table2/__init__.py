"""Table 2 of the paper: PHIL and its rivals on citations, biology, syntax trees and roads."""

from reproduction.legacy.table2.columns import COLUMNS
from reproduction.legacy.table2.sets import QUICK_SETS, SETS, TIERS
from reproduction.legacy.table2.study import Study

__all__ = ["COLUMNS", "QUICK_SETS", "SETS", "TIERS", "Study"]
