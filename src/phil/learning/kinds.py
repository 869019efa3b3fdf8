"""The kind of graphs that problems are on, which must be one for a network without edges."""

from __future__ import annotations

from phil.errors import InputError
from phil.learning.oracle import OracleProblems


def kind_of(problems: OracleProblems) -> tuple[bool, tuple[str, ...]]:
    """Whether the graphs are grids, and the names of their features; raises if they differ."""
    kinds = {(p.graph.is_grid, p.graph.feature_names) for p in problems.problems}
    if len(kinds) > 1:
        raise InputError(
            "the graphs differ in kind (grid or not) or in the names of their features; train a "
            "separate heuristic for each kind"
        )
    is_grid, names = kinds.pop()
    if not names:
        raise InputError(
            "the graphs have no node features, but a heuristic needs at least one; add some, such "
            "as features='degree,landmarks'"
        )
    return is_grid, names
