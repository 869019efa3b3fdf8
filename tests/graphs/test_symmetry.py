"""Symmetry of large graphs: the pass in blocks agrees with sorting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.errors import InputError
from phil.graphs import Graph, symmetry
from phil.graphs.symmetry import check_balanced, check_symmetric, count_self_loops
from tests.strategies import graphs


@given(graph=graphs(), block=st.integers(1, 9))
def test_it_finds_what_sorting_finds(graph: Graph, block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(symmetry, "BLOCK", block)
        errors = 0
        try:
            check_symmetric(graph.sources, graph.indices, graph.weights)
        except InputError:
            errors = 1
        if errors:
            with pytest.raises(InputError, match="not all of its edges"):
                check_balanced(graph.indptr, graph.indices, graph.weights)
        else:
            check_balanced(graph.indptr, graph.indices, graph.weights)
        loops = sum(a == b for a, b in zip(graph.sources, graph.indices, strict=True))
        assert count_self_loops(graph.indptr, graph.indices) == loops


def test_zero_has_one_sign() -> None:
    ends, targets = np.array([0, 1, 2]), np.array([1, 0], np.int32)
    check_balanced(ends, targets, np.array([0.0, -0.0]))
