"""Problems with and without a path."""

from __future__ import annotations

import numpy as np

from phil.problems.pairs import map_problem
from reproduction.solvable import has_path


def test_a_wall_takes_the_path_away() -> None:
    free = np.ones((5, 5), bool)
    assert has_path(map_problem(free, "set", "open"))
    free[2] = False
    assert not has_path(map_problem(free, "set", "walled"))
