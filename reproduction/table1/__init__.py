"""Table 1 of the paper: PHIL and everything it is compared with, on the eight grid families."""

from reproduction.table1.columns import COLUMNS
from reproduction.table1.command import reproduce
from reproduction.table1.page import expansions
from reproduction.table1.study import Study

__all__ = ["COLUMNS", "Study", "expansions", "reproduce"]
