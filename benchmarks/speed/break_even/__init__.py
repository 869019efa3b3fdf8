"""How dear one `neighbors` call must be before a learned heuristic pays."""
