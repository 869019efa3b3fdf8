"""What the perceptrons of several methods have in common before any training."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from phil.errors import InputError
from phil.heuristics.mlp import Inputs, MlpMetadata, MlpMethod
from phil.learning.problems import OracleProblems, scaling_of
from phil.learning.settings import split_text

Size = Annotated[int, Field(ge=1, le=4096)]
Hidden = Annotated[
    tuple[Size, ...], BeforeValidator(split_text), Field(min_length=1, max_length=16)
]


def perceptron_metadata(
    method: MlpMethod,
    problems: OracleProblems,
    hidden: tuple[int, ...],
    inputs: Inputs | None = None,
) -> MlpMetadata:
    """A perceptron for the graphs of some problems; SaIL's inputs if no others are named.

    On 3D maps those are the inputs of other graphs: SaIL's own look at the rows and columns of 2D
    maps.
    """
    kinds = {(p.graph.is_grid, p.graph.feature_names) for p in problems.problems}
    if len(kinds) > 1:
        raise InputError(
            "the graphs differ in kind (grid or not) or in the names of their features; train one "
            "heuristic for each kind"
        )
    is_grid, names = kinds.pop()
    if not names:
        raise InputError("the graphs have no node features; a heuristic needs at least one")
    return MlpMetadata(
        feature_names=names,
        added_features=problems.features,
        method=method,
        inputs=inputs or ("grid" if is_grid and len(names) == 2 else "graph"),
        hidden=hidden,
        scaling=scaling_of(problems),
    )
