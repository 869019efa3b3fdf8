"""Differentiable A*, against the same in plain torch."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.graphs import GridGraph
from phil.graphs.distances import hops_to
from phil.heuristics.neural_astar.kernel import optimistic
from phil.learning.baselines.differentiable_astar import search_and_gradient
from phil.learning.baselines.neural_astar import shortest_path


def reference(
    grid: GridGraph,
    guidance: NDArray[np.float32],
    start: int,
    goal: int,
    path: NDArray[np.bool_],
    temperature: float,
) -> tuple[float, NDArray[np.float64]]:
    """The loss and its gradient by autograd: a softmax over OPEN in every step."""
    costs = torch.tensor(guidance, dtype=torch.float64, requires_grad=True)
    fixed = costs.detach()
    h = torch.tensor([optimistic(grid.arrays, node, goal) for node in range(grid.size)])
    total = torch.full((grid.size,), torch.inf, dtype=torch.float64)
    total[start] = 0.0
    is_open = torch.zeros(grid.size, dtype=torch.bool)
    is_open[start] = True
    is_closed = torch.zeros(grid.size, dtype=torch.bool)
    closed = torch.zeros(grid.size, dtype=torch.float64)
    while True:
        key = total + (costs - fixed) + h
        chance = torch.softmax(torch.where(is_open.clone(), -key / temperature, -torch.inf), 0)
        node = int(torch.where(is_open, key.detach(), torch.inf).argmin())
        one = torch.zeros(grid.size, dtype=torch.float64)
        one[node] = 1.0
        closed = closed + one + chance - chance.detach()
        is_open[node] = False
        is_closed[node] = True
        if node == goal:
            break
        for other in grid.neighbors(node):
            through = total[node] + fixed[other]
            if not is_closed[other] and through < total[other]:
                total[other] = through
                is_open[other] = True
    # Rounded: what is equal but for rounding has no slope.
    wrong = closed.detach().round() - torch.tensor(path, dtype=torch.float64)
    torch.autograd.backward((wrong.sign() * closed).mean())
    assert costs.grad is not None
    return float(wrong.abs().mean()), costs.grad.numpy()


@settings(deadline=None, max_examples=25)
@given(
    st.integers(0, 1000),
    st.tuples(st.integers(2, 9), st.integers(2, 12)),
    st.sampled_from([0.5, 3.0, 30.0]),
    st.sampled_from([4, 8]),
)
def test_loss_and_gradient_are_those_of_autograd(
    seed: int, shape: tuple[int, int], most: float, connectivity: int
) -> None:
    random = np.random.default_rng(seed)
    free = random.random(shape) < 0.85
    free[-1, 0] = free[0, -1] = True
    grid = GridGraph(free, connectivity=connectivity)
    start, goal = grid.node(shape[0] - 1, 0), shape[1] - 1
    distances = hops_to(grid, goal)
    assume(np.isfinite(distances[start]))
    path = shortest_path(grid, distances, start, goal)
    # Costs that no two ways have in common: equal keys may leave OPEN in another order.
    guidance = random.uniform(0, most, grid.size).astype(np.float32)
    wrong, gradient = search_and_gradient(grid, guidance, start, goal, path, 3.0)
    loss, expected = reference(grid, guidance, start, goal, path, 3.0)
    assert wrong / grid.size == pytest.approx(loss)
    np.testing.assert_allclose(gradient, expected, rtol=1e-5, atol=1e-9)


def test_keys_far_apart_lose_no_digits() -> None:
    """Weights between 1 and exp(-300): sums that take back what they added would be rounding."""
    grid = GridGraph(np.ones((6, 40), bool))
    start, goal = grid.node(5, 0), grid.node(0, 39)
    path = shortest_path(grid, hops_to(grid, goal), start, goal)
    guidance = np.random.default_rng(0).uniform(5, 60, grid.size).astype(np.float32)
    _, gradient = search_and_gradient(grid, guidance, start, goal, path, 3.0)
    _, expected = reference(grid, guidance, start, goal, path, 3.0)
    assert np.isfinite(gradient).all()
    np.testing.assert_allclose(gradient, expected, rtol=1e-5, atol=1e-9)


def test_start_is_goal() -> None:
    grid = GridGraph([[True, True]])
    path = np.array([True, False])
    wrong, gradient = search_and_gradient(grid, np.ones(2, np.float32), 0, 0, path, 1.0)
    assert (wrong, gradient.tolist()) == (0, [0.0, 0.0])
