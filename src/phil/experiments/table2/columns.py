"""The columns of Table 2."""

from __future__ import annotations

from phil.experiments.columns import Column

# On graphs as large as these the usual trainings of SaIL and SL would take an hour, most of it in
# validating; these take about half a minute of one core. Chosen on the validation problems.
SAIL = {
    "explored": (1.0,),
    "iterations": 6,
    "searches": 40,
    "records": 100,
    "steps": 800,
    "updates": 300,
    "batch": 256,
    "validation": 20,
}
SUPERVISED = {"iterations": 5, "pairs": 40_000, "updates": 200, "validation": 20}

COLUMNS = {
    column.name: column
    for column in (
        Column(
            "phil",
            "PHIL",
            method="phil",
            quick={
                "iterations": 5,
                "candidates": 1,
                "steps": 5,
                "rollouts": 4,
                "horizon": 100,
                "validate_every": 1,
            },
        ),
        Column(
            "sail",
            "SaIL",
            method="sail",
            settings=SAIL,
            quick=SAIL | {"iterations": 2, "searches": 10, "updates": 40},
        ),
        Column(
            "supervised",
            "SL",
            method="supervised",
            settings=SUPERVISED,
            quick=SUPERVISED | {"iterations": 2, "pairs": 2000, "updates": 20, "hidden": (32, 32)},
        ),
        Column("euclidean", "greedy Euclidean", text="greedy(euclidean)"),
        Column("astar", "A*", text="astar(euclidean)"),
        Column("bfws", "BFWS", text="bfws(euclidean)"),
        Column("landmarks", "greedy landmarks", text="greedy(landmarks)"),
        Column("astar_landmarks", "A* landmarks", text="astar(landmarks)"),
        Column("bfs", "BFS", text="bfs"),
        Column("oracle", "shortest path", text="greedy(oracle)"),
    )
}
REFERENCE = "euclidean"  # in the first tier: what ratios are to
WITHOUT_FEATURES = ("bfs", "oracle")  # the same in every tier, so run in the first one only
OF_LANDMARKS = ("landmarks", "astar_landmarks")  # look at nothing else
