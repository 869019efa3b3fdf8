"""Table 1 of the paper: PHIL and everything it is compared with, on the eight grid families."""
