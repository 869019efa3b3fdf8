"""Table 1 of the paper: PHIL and everything it is compared with, on the eight grid families."""

from phil.experiments.table1.columns import COLUMNS
from phil.experiments.table1.command import reproduce
from phil.experiments.table1.page import expansions
from phil.experiments.table1.study import Study

__all__ = ["COLUMNS", "Study", "expansions", "reproduce"]
