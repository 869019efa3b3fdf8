"""Table 1 of the paper: PHIL and everything it is compared with, on the eight grid families."""

from reproduction.legacy.table1.columns import COLUMNS
from reproduction.legacy.table1.study import Study

__all__ = ["COLUMNS", "Study"]
