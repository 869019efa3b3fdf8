"""The methods of Table 3."""

from __future__ import annotations

from reproduction.methods import FROM_BOTH_ENDS, LOOKING_AHEAD, MethodSpec, by_name
from reproduction.table2.methods import QUICK_SAIL, QUICK_SUPERVISED, SAIL, SUPERVISED

# A room stays as it is but for five blocks, so distances between its voxels can nearly be learned
# by heart, and longer trainings than Table 2's pay: all learned methods get about as many
# core-seconds as PHIL. On validation problems of the adversarial room (greedy Euclidean 52.8,
# shortest paths 40.3), SL as in Table 2 expands 47.9 on the first 20 of them; with more pairs and
# updates, after 4 iterations, 41.8 on all.
_SAIL = SAIL | {
    "explored": (1.0, 0.3),
    "searches": 200,
    "records": 200,
    "updates": 6000,
    "validation": 300,
}
_SUPERVISED = SUPERVISED | {"iterations": 100, "pairs": 400_000, "updates": 400, "validation": 300}

_QUICK_PHIL = {
    "iterations": 8,
    "candidates": 1,
    "hard_candidates": 0,
    "tune": 0,
    "trail": "no",
    "steps": 8,
    "rollouts": 4,
    "horizon": 200,
    "validate_every": 2,
}
# The paper's network looks at four neighbours of every new voxel.
_PHIL = {**LOOKING_AHEAD, "neighbors": 4, "trail": "yes", "hard_candidates": 0}
# Without a look at neighbours, nothing is checked for collision but what expansions meet.
_ALONE = {"neighbors": 0, "walls": False}
# What expansions have met is an input, and only the best voxel of OPEN is looked at before it is
# expanded. In the frame of the map, since a room stays where it is.
_LAZY = {"frame": "map"}

METHODS = by_name(
    MethodSpec("phil", "PHIL", method="phil", settings=_PHIL, quick=_PHIL | _QUICK_PHIL),
    MethodSpec(
        "phil_paper",
        "PHIL, paper",
        method="phil",
        preset="paper",
        quick={"iterations": 6, "steps": 5, "width": 32, "memory": 16, "rollouts": 2},
    ),
    MethodSpec(
        "phil_alone",
        "PHIL, n = 0",
        method="phil",
        settings=_PHIL | _ALONE,
        quick=_PHIL | _QUICK_PHIL | _ALONE,
    ),
    MethodSpec(
        "phil_lazy",
        "PHIL, lazy",
        method="phil",
        settings=_LAZY,
        quick=_LAZY | _QUICK_PHIL,
    ),
    MethodSpec(
        "sail",
        "SaIL",
        method="sail",
        settings=_SAIL,
        quick=QUICK_SAIL,
    ),
    MethodSpec(
        "supervised",
        "SL",
        method="supervised",
        settings=_SUPERVISED,
        quick=QUICK_SUPERVISED,
    ),
    MethodSpec("euclidean", "greedy Euclidean", text="greedy(euclidean)"),
    MethodSpec("bfws", "BFWS", text="bfws(euclidean)"),
    MethodSpec("astar", "A*", text="astar(euclidean)"),
    MethodSpec("bfs", "BFS", text="bfs"),
    *FROM_BOTH_ENDS,
    MethodSpec("oracle", "shortest path", text="greedy(oracle)"),
)
PHIL = "phil"
SHIPPED = "phil_alone"  # calls the fewest voxels on validation problems
REFERENCE = "euclidean"  # what ratios are to
LIMIT = "oracle"  # what nothing expands less than
OF_PHIL = ("phil", "phil_paper", "phil_alone", "phil_lazy")
CHECKED = ("astar", "euclidean", "phil", "phil_alone")  # on the implicit graph

# What the paper prints for its own rooms: ratios to greedy Euclidean.
_IN_PAPER = ("supervised", "astar", "euclidean", "bfs", "sail", "bfws", "phil", "oracle")
PRINTED = {
    room: dict(zip(_IN_PAPER, values, strict=True))
    for room, values in {
        "simple": (1.124, 76.052, 1.0, 291.888, 0.973, 1.286, 0.785, 0.782),
        "adversarial": (2.022, 67.215, 1.0, 238.768, 0.944, 1.583, 0.895, 0.853),
    }.items()
}
