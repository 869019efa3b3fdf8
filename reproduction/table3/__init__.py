"""Table 3 of the paper: PHIL and its rivals as planners for drones in two rooms."""
